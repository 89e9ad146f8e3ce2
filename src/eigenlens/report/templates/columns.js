"use strict";
// The columns of the map, each decoded when it is first asked for.
const mapColumns = (() => {
  const map = JSON.parse(document.getElementById("map-data").textContent);
  const bytes = (text) => Uint8Array.from(atob(text), (sign) => sign.charCodeAt(0));
  const count = map.rows;
  const positions = map.positions ? new Int32Array(bytes(map.positions).buffer) : null;
  const idOf = (i) => (map.ids ? map.ids[i] : String(positions ? positions[i] : i));
  const ids = Array.from({length: count}, (_, i) => idOf(i));
  const brief = ids.map((id) => (id.length > 24 ? `${id.slice(0, 23)}…` : id));
  const shown = (value) => (Number.isFinite(value) ? String(Number(value.toPrecision(4))) : "–");

  const decoded = new Map();
  const numbers = (axis) => {
    const raw = bytes(axis.data).buffer;
    if (axis.kind === "float32") return new Float32Array(raw);
    if (axis.kind === "float64") return new Float64Array(raw);
    const step = (axis.to - axis.from) / axis.steps;
    const open = axis.log ? Math.exp : (value) => value;
    return Float64Array.from(new Uint16Array(raw), (s) => open(axis.from + s * step));
  };
  const axisValues = (place) => {
    if (!decoded.has(place)) decoded.set(place, numbers(map.axes[place]));
    return decoded.get(place);
  };
  // As they are drawn: numbers too large or too small to be squared are in units of their axis.
  const inUnits = (place, values) => {
    const unit = map.axes[place].unit;
    return unit === 1 ? values : values.map((one) => one / unit);
  };
  const drawnValues = (place) => inUnits(place, axisValues(place));
  const labelOf = (place) => {
    const {label, unit} = map.axes[place];
    return unit === 1 ? label : `${label}, in units of ${unit.toExponential(0)}`;
  };
  const colorSteps = (place) => {
    const key = `color ${place}`;
    if (!decoded.has(key)) decoded.set(key, bytes(map.colors[place].data));
    return decoded.get(key);
  };
  const colorWords = (place, i) => {
    const color = map.colors[place];
    const step = colorSteps(place)[i];
    if (color.groups) return color.groups[step];
    if (step > color.steps) return "–";
    return shown(color.low + (color.high - color.low) * step / color.steps);
  };
  return {map, count, ids, brief, shown, bytes, numbers, axisValues, inUnits, drawnValues, labelOf, colorSteps, colorWords};
})();
