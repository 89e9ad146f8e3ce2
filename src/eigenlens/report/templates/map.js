"use strict";
(() => {
  const page = document.documentElement;
  const byId = (id) => document.getElementById(id);
  const shade = (name) => getComputedStyle(page).getPropertyValue(`--${name}`).trim();
  const isDark = () => byId("theme").getAttribute("aria-pressed") === "true";
  const plan = JSON.parse(byId("map-plan").textContent);
  const {map, count, ids, brief, shown, bytes, numbers, axisValues} = mapColumns;
  const {inUnits, drawnValues, labelOf, colorSteps, colorWords} = mapColumns;
  const MARKS = ["circle", "square", "triangle", "diamond", "inverted_triangle", "plus", "x"];
  const SIGNS = ["●", "■", "▲", "◆", "▼", "✚", "✖"];
  const mixed = (stops, steps) => Array.from({length: steps}, (_, i) => {
    const at = i / (steps - 1) * (stops.length - 1);
    const low = Math.min(Math.floor(at), stops.length - 2);
    const part = (stop, k) => parseInt(stop.slice(1 + 2 * k, 3 + 2 * k), 16);
    const blend = (k) => Math.round(part(stops[low], k) * (low + 1 - at) + part(stops[low + 1], k) * (at - low));
    return `#${[0, 1, 2].map((k) => blend(k).toString(16).padStart(2, "0")).join("")}`;
  });

  const xAxis = byId("map-x");
  const yAxis = byId("map-y");
  const colorBy = byId("map-color");
  const arrowCount = byId("map-arrows");
  const search = byId("map-search");
  const live = byId("map-live");
  const option = (list, text, value) => list.add(new Option(text, value));
  map.axes.forEach((axis, place) => {
    option(xAxis, axis.label, place);
    option(yAxis, axis.label, place);
  });
  option(arrowCount, "none", 0);
  const named = map.arrows.names.length;
  for (const many of [5, 10, 20].filter((one) => one < named)) option(arrowCount, `${many} as lines`, many);
  option(arrowCount, `${named} as lines`, named);
  option(colorBy, "nothing", -1);
  map.colors.forEach((color, place) => option(colorBy, color.name, place));

  const wanted = new URLSearchParams(location.hash.startsWith("#view:") ? location.hash.slice(6) : "");
  const within = (text, most, usual) => {
    const value = text === null ? NaN : Number(text);
    return Number.isInteger(value) && value >= -1 && value < most ? value : usual;
  };
  const last = map.axes.length - 1;
  xAxis.value = Math.max(within(wanted.get("x"), map.axes.length, 0), 0);
  yAxis.value = Math.max(within(wanted.get("y"), map.axes.length, Math.min(1, last)), 0);
  const grouped = map.colors.findIndex((color) => color.groups && color.name !== "Limits");
  colorBy.value = within(wanted.get("c"), map.colors.length, grouped);

  const book = Bokeh.require("document").Document.from_json(plan);
  const rows = book.get_model_by_name("rows");
  const extra = book.get_model_by_name("extra");
  const colors = book.get_model_by_name("colors");
  const density = book.get_model_by_name("density");
  const arrows = book.get_model_by_name("arrows");
  const big = book.get_model_by_name("map");
  const odd = book.get_model_by_name("odd");
  const figures = [big, odd].filter((figure) => figure);
  const placeOf = (name) => map.axes.findIndex((axis) => axis.name === name);
  const isComponent = (place) => map.axes[place].name.startsWith("PC");

  const paintColors = () => {
    const place = Number(colorBy.value);
    const color = map.colors[place];
    let palette = [shade("g0")];
    if (color && color.groups) palette = color.groups.map((_, i) => shade(`g${i}`));
    else if (color) palette = mixed(map.ramps[isDark() ? "dark" : "light"], 256);
    const high = color ? (color.groups ? color.groups.length - 0.5 : color.steps) : 1;
    colors.setv({palette, low: color && color.groups ? -0.5 : 0, high, nan_color: shade("faint")});
    showLegend(color, palette);
  };
  const showLegend = (color, palette) => {
    const legend = byId("map-legend");
    legend.replaceChildren();
    const entry = (sign, ink, text) => {
      const item = document.createElement("li");
      const mark = document.createElement("span");
      mark.textContent = sign;
      mark.style.color = ink;
      mark.setAttribute("aria-hidden", "true");
      const words = document.createElement("bdi");
      words.textContent = text;
      item.append(mark, " ", words);
      legend.append(item);
    };
    if (color && color.groups) {
      color.groups.forEach((name, i) => entry(SIGNS[i], palette[i], `${name} (${color.sizes[i].toLocaleString("en")})`));
    } else if (color) {
      entry("●", palette[0], `low: ${shown(color.low)}`);
      entry("●", palette[128], `middle: ${shown((color.low + color.high) / 2)}`);
      entry("●", palette[255], `high: ${shown(color.high)}`);
    }
    if (map.extra) entry("◇", shade("ink"), "supplementary rows");
  };
  const hoverText = () => {
    const place = Number(colorBy.value);
    const x = Number(xAxis.value), y = Number(yAxis.value);
    const named = (axis, i) => `${map.axes[axis].name} ${shown(axisValues(axis)[i])}`;
    return ids.map((_, i) => [named(x, i), named(y, i), place < 0 ? null : `${map.colors[place].name}: ${colorWords(place, i)}`]
      .filter((part) => part).join(", "));
  };
  // Names of rows: beside, above or below their points, where no point and no other name is.
  // Those far out come first; a name that finds no place is not shown. Boxes: left, top, right, bottom.
  const pen = document.createElement("canvas").getContext("2d");
  pen.font = "11px sans-serif";
  const widths = brief.map((text) => pen.measureText(text).width + 4);
  const NAME_HEIGHT = 12, APART = 7;
  const meet = (a, b) => a[0] < b[2] && b[0] < a[2] && a[1] < b[3] && b[1] < a[3];
  const placeNames = (figure, which, xs, ys) => {
    const wide = figure.inner_width, high = figure.inner_height;
    const along = (range, scale, size) => {
      const map = scale.type === "LogScale" ? Math.log10 : (one) => one;
      const low = map(range.start), whole = map(range.end) - low;
      return (value) => (map(value) - low) / whole * size;
    };
    const left = along(figure.x_range, figure.x_scale, wide), up = along(figure.y_range, figure.y_scale, high);
    const points = Array.from(xs, (x, i) => [left(x), high - up(ys[i])]);
    const boxes = points.map(([x, y]) => [x - 5, y - 5, x + 5, y + 5]);
    const middle = [0, 1].map((k) => points.reduce((sum, one) => sum + one[k], 0) / count);
    const far = points.map(([x, y]) => Math.hypot(x - middle[0], y - middle[1]));
    const order = points.map((_, i) => i).sort((a, b) => far[b] - far[a]);
    const texts = points.map(() => ""), shiftX = points.map(() => 0), shiftY = points.map(() => 0);
    const taken = [];
    for (const i of order) {
      const [x, y] = points[i], half = widths[i] / 2;
      const shifts = [[APART + half, 0], [-APART - half, 0], [0, -NAME_HEIGHT], [0, NAME_HEIGHT]];
      for (const [dx, dy] of shifts) {
        const box = [x + dx - half, y + dy - NAME_HEIGHT / 2, x + dx + half, y + dy + NAME_HEIGHT / 2];
        if (box[0] < 0 || box[2] > wide || box[1] < 0 || box[3] > high) continue;
        if (taken.some((one) => meet(box, one)) || boxes.some((one, k) => k !== i && meet(box, one))) continue;
        taken.push(box);
        [texts[i], shiftX[i], shiftY[i]] = [brief[i], dx, dy];
        break;
      }
    }
    return {[`name${which}`]: texts, [`shiftX${which}`]: shiftX, [`shiftY${which}`]: shiftY};
  };
  const hasNames = figures.some((figure) => figure.renderers.some((part) => (part.name || "").startsWith("names")));
  const noNames = () => ["", "Odd"].reduce((all, which) => ({
    ...all, [`name${which}`]: brief.map(() => ""), [`shiftX${which}`]: brief.map(() => 0), [`shiftY${which}`]: brief.map(() => 0),
  }), {});
  let waiting = 0;
  const showNames = () => {
    if (!hasNames) return;
    clearTimeout(waiting);
    waiting = setTimeout(() => {
      if (!big.inner_width) return;
      const {x, y, t2, q} = rows.data;
      rows.data = {...rows.data, ...placeNames(big, "", x, y), ...(odd ? placeNames(odd, "Odd", t2, q) : {})};
    }, 60);
  };
  // Numbers with an exponent are long: fewer of them fit below the map.
  const ticksFor = (values) => {
    const most = values.reduce((high, one) => Math.max(high, Math.abs(one)), 0);
    return most >= 1e5 || most < 1e-3 ? 4 : 6;
  };
  // As in plots/style.py: at equal units a cloud that is much longer than wide would be a line.
  const FLATTEST = 8;
  const sameUnits = (x, y) => {
    if (!isComponent(x) || !isComponent(y)) return false;
    const length = (values) => values.reduce((high, one) => Math.max(high, one), -Infinity) - values.reduce((low, one) => Math.min(low, one), Infinity);
    const [low, high] = [x, y].map((axis) => length(drawnValues(axis))).sort((a, b) => a - b);
    return low <= 0 || low * FLATTEST >= high;
  };
  const fill = () => {
    const x = Number(xAxis.value), y = Number(yAxis.value), place = Number(colorBy.value);
    const color = map.colors[place];
    const t2 = placeOf("T²"), q = placeOf("Q");
    const none = new Float32Array(count);
    const steps = color ? colorSteps(place) : none;
    rows.data = {
      x: drawnValues(x), y: drawnValues(y),
      t2: t2 < 0 ? none : drawnValues(t2), q: q < 0 ? none : drawnValues(q),
      c: Float32Array.from(steps, (s) => (color && !color.groups && s > color.steps ? NaN : s)),
      m: Array.from({length: count}, (_, i) => (color && color.groups ? MARKS[steps[i]] : "circle")),
      id: ids,
      text: hoverText(),
      ...noNames(),
    };
    showNames();
    if (map.extra) {
      const values = map.extra.axes.map((axis, place) => inUnits(place, numbers(axis)));
      extra.data = {x: values[x], y: values[y], t2: t2 < 0 ? values[0] : values[t2], q: q < 0 ? values[0] : values[q], id: map.extra.ids};
    }
    underlay(x, y);
    drawArrows(x, y);
    big.below[0].axis_label = labelOf(x);
    big.below[0].ticker.desired_num_ticks = ticksFor(drawnValues(x));
    big.left[0].axis_label = labelOf(y);
    big.match_aspect = sameUnits(x, y);
    byId("map-units").hidden = big.match_aspect || !(isComponent(x) && isComponent(y));
    if (odd) {
      odd.below[0].axis_label = labelOf(t2);
      odd.left[0].axis_label = labelOf(q);
    }
    paintColors();
  };
  // Lines end at the correlations with both components, stretched alike to fill the view.
  const drawArrows = (x, y) => {
    const many = isComponent(x) && isComponent(y) ? Number(arrowCount.value) : 0;
    const ends = map.arrows.names.map((name, i) => [map.arrows.ends[x]?.[i], map.arrows.ends[y]?.[i], name]);
    const chosen = ends.sort((a, b) => Math.hypot(b[0], b[1]) - Math.hypot(a[0], a[1])).slice(0, many);
    const most = (values) => values.reduce((high, value) => Math.max(high, Math.abs(value)), 0);
    const room = [x, y].map((axis, i) => most(drawnValues(axis)) / (most(chosen.map((end) => end[i])) || 1));
    const [across, up] = sameUnits(x, y) ? room.map(() => 0.9 * Math.min(...room)) : room.map((one) => 0.9 * one);
    arrows.data = {
      x: chosen.map((end) => end[0] * across), y: chosen.map((end) => end[1] * up),
      nameX: chosen.map((end) => end[0] * across * 1.06), nameY: chosen.map((end) => end[1] * up * 1.06),
      name: chosen.map((end) => end[2]),
    };
  };
  const underlay = (x, y) => {
    const [first, second] = x < y ? [x, y] : [y, x];
    const text = map.density[`${first},${second}`];
    if (!text) {
      density.data = {image: [], x: [], y: [], dw: [], dh: []};
      return;
    }
    const size = map.pixels, levels = bytes(text);
    const image = new Float32Array(size * size);
    for (let line = 0; line < size; line++) {
      for (let column = 0; column < size; column++) {
        image[line * size + column] = levels[x < y ? line * size + column : column * size + line];
      }
    }
    const [a, b] = [x, y].map((place) => inUnits(place, [map.axes[place].low, map.axes[place].high]));
    density.data = {
      image: [Bokeh.require("core/util/ndarray").ndarray(image, {dtype: "float32", shape: [size, size]})],
      x: [a[0]], y: [b[0]], dw: [a[1] - a[0]], dh: [b[1] - b[0]],
    };
  };
  const paintFigures = () => {
    const ink = shade("ink"), faint = shade("faint");
    for (const figure of figures) {
      for (const axis of [...figure.below, ...figure.left]) {
        axis.setv({
          axis_line_color: ink, major_tick_line_color: ink, minor_tick_line_color: faint,
          axis_label_text_color: ink, major_label_text_color: ink,
        });
      }
      for (const line of figure.center.filter((one) => one.name === "limit")) line.line_color = ink;
      for (const one of figure.renderers.filter((part) => (part.name || "").startsWith("extra"))) one.glyph.line_color = {value: ink};
      for (const one of figure.renderers.filter((part) => (part.name || "").startsWith("points"))) one.selection_glyph.line_color = {value: ink};
      for (const one of figure.renderers.filter((part) => (part.name || "").startsWith("names"))) {
        for (const glyph of [one.glyph, one.selection_glyph, one.nonselection_glyph]) {
          if (glyph && glyph.text_color !== undefined) glyph.text_color = {value: ink};
        }
      }
    }
    for (const one of big.renderers) {
      if (one.name === "arrow lines") one.glyph.line_color = {value: ink};
      if (one.name === "arrow names") one.glyph.text_color = {value: ink};
    }
    book.get_model_by_name("shades").palette = mixed([shade("paper"), shade("faint"), shade("soft")], 128);
    paintColors();
  };

  // -- selection and its table ----------------------------------------------------------

  const table = byId("map-table");
  const usual = {caption: table.caption.textContent, body: table.tBodies[0], head: table.tHead};
  const MOST = 200;
  const cell = (kind, text, number) => {
    const box = document.createElement(kind);
    box.textContent = text;
    if (number) box.className = "n";
    else box.dir = "auto";
    return box;
  };
  const showSelection = () => {
    const chosen = rows.selected.indices;
    byId("map-clear").hidden = chosen.length === 0;
    if (!chosen.length) {
      table.replaceChildren(table.caption, usual.head, usual.body);
      table.caption.textContent = usual.caption;
      live.textContent = "";
      return;
    }
    const place = Number(colorBy.value);
    const columns = map.axes.map((_, i) => i).filter((i) => i < 5 || !isComponent(i));
    for (const axis of [Number(xAxis.value), Number(yAxis.value)]) {
      if (!columns.includes(axis)) columns.unshift(axis);
    }
    const head = document.createElement("thead");
    const titles = head.insertRow();
    titles.append(cell("th", "row"), ...columns.map((i) => cell("th", map.axes[i].name, true)));
    if (place >= 0) titles.append(cell("th", map.colors[place].name));
    const body = document.createElement("tbody");
    for (const i of chosen.slice(0, MOST)) {
      const line = body.insertRow();
      line.append(cell("td", ids[i]), ...columns.map((c) => cell("td", shown(axisValues(c)[i]), true)));
      if (place >= 0) line.append(cell("td", colorWords(place, i)));
    }
    const few = chosen.length > MOST ? `, the first ${MOST} of them below` : "";
    const words = `${chosen.length.toLocaleString("en")} of ${count.toLocaleString("en")} rows selected${few}`;
    table.replaceChildren(table.caption, head, body);
    table.caption.textContent = words;
    live.textContent = words;
  };
  rows.selected.connect(rows.selected.properties.indices.change, showSelection);
  byId("map-clear").addEventListener("click", () => {
    rows.selected.indices = [];
    search.value = "";
  });
  search.addEventListener("input", () => {
    const text = search.value.trim().toLowerCase();
    const found = [];
    if (text) {
      const exact = ids.findIndex((id) => id.toLowerCase() === text);
      if (exact >= 0 && !map.ids) found.push(exact);
      else ids.forEach((id, i) => { if (id.toLowerCase().includes(text)) found.push(i); });
    }
    rows.selected.indices = found;
    if (text && !found.length) live.textContent = "No row has this name.";
  });

  // -- choosing -------------------------------------------------------------------------

  const choose = () => {
    const view = new URLSearchParams({x: xAxis.value, y: yAxis.value, c: colorBy.value});
    history.replaceState(null, "", `#view:${view}`);
    fill();
    for (const figure of figures) figure.reset.emit();
    showSelection();
  };
  for (const list of [xAxis, yAxis, colorBy]) list.addEventListener("change", choose);
  arrowCount.addEventListener("change", () => drawArrows(Number(xAxis.value), Number(yAxis.value)));
  byId("map-box").addEventListener("keydown", (event) => {
    const turns = {ArrowLeft: [xAxis, -1], ArrowRight: [xAxis, 1], ArrowDown: [yAxis, -1], ArrowUp: [yAxis, 1]};
    if (event.target !== byId("map-box") || !turns[event.key]) return;
    event.preventDefault();
    const [list, step] = turns[event.key];
    const other = Number((list === xAxis ? yAxis : xAxis).value);
    const turn = (place) => (place + step + map.axes.length) % map.axes.length;
    const next = turn(Number(list.value));
    list.value = next === other ? turn(next) : next; // never an axis against itself
    choose();
  });

  const narrow = byId("map-box").parentElement.parentElement.clientWidth < 480;
  if (narrow) for (const figure of figures) figure.height = 360;
  fill();
  paintFigures();
  for (const figure of figures) {
    for (const range of [figure.x_range, figure.y_range]) {
      for (const end of ["start", "end"]) range.connect(range.properties[end].change, showNames);
    }
    figure.connect(figure.properties.inner_width.change, showNames);
  }
  page.addEventListener("theme", paintFigures);
  page.classList.add("map-live"); // the figures measure their place, so it must be there
  Bokeh.embed.add_document_standalone(book, byId("map-box"), [byId("map-plot"), byId("odd-plot")])
    .then(() => { if (wanted.size) byId("map").scrollIntoView(); });
})();
