"""What the tests look for in a page: its sections, words too faint to be read, painted pixels."""

__all__ = ["CONTRASTS", "OPEN_ALL", "PAINTED", "SECTIONS"]

SECTIONS = (
    "summary", "data-check", "how-many", "components", "map", "variables", "groups", "outliers",
    "reconstruction", "stability", "flatness", "certificate", "method",
)  # fmt: skip

OPEN_ALL = "document.querySelectorAll('details').forEach((box) => { box.open = true; })"

# How many different colors each canvas of the map holds.
PAINTED = """() => {
  const inside = (root) => [...root.querySelectorAll("*")].flatMap((one) => [
    ...(one.tagName === "CANVAS" ? [one] : []),
    ...(one.shadowRoot ? inside(one.shadowRoot) : []),
  ]);
  return inside(document.getElementById("map-plot")).map((canvas) => {
    const pen = canvas.getContext("2d");
    const dots = pen.getImageData(0, 0, canvas.width, canvas.height).data;
    const seen = new Set();
    for (let i = 0; i < dots.length; i += 4) {
      if (dots[i + 3]) seen.add(`${dots[i]},${dots[i + 1]},${dots[i + 2]}`);
    }
    return seen.size;
  });
}"""

# Texts whose contrast with what is behind them is below WCAG's AA: 4.5, or 3 where they are large.
CONTRASTS = """() => {
  const numbers = (color) => {
    const found = color.match(/[\\d.]+/g).map(Number);
    const unit = color.startsWith("color(srgb") ? 255 : 1;
    return [...found.slice(0, 3).map((one) => one * unit), found[3] ?? 1];
  };
  const light = (color) => {
    const part = color.slice(0, 3).map((one) => one / 255)
      .map((one) => (one <= 0.03928 ? one / 12.92 : ((one + 0.055) / 1.055) ** 2.4));
    return 0.2126 * part[0] + 0.7152 * part[1] + 0.0722 * part[2];
  };
  const over = (under, [r, g, b, a]) => [r, g, b].map((one, i) => one * a + under[i] * (1 - a));
  const behind = (one) => {
    const layers = [];
    for (let at = one; at; at = at.parentElement) {
      const layer = numbers(getComputedStyle(at).backgroundColor);
      if (layer[3] > 0) layers.push(layer);
      if (layer[3] === 1) break;
    }
    return layers.reverse().reduce(over, [255, 255, 255]);
  };
  const silent = ["SCRIPT", "STYLE", "OPTION", "TITLE", "title", "desc"];
  const faint = [];
  for (const one of document.querySelectorAll("body *")) {
    const own = [...one.childNodes].some((node) => node.nodeType === 3 && node.textContent.trim());
    if (!own || !one.getClientRects().length || silent.includes(one.tagName)) continue;
    if (one.closest("#map-plot, #odd-plot, [aria-hidden]")) continue;
    const style = getComputedStyle(one);
    const ink = numbers(one.ownerSVGElement ? style.fill : style.color);
    const [a, b] = [light(ink), light(behind(one))].sort((x, y) => y - x);
    const size = parseFloat(style.fontSize);
    const large = size >= 24 || (size >= 18.66 && Number(style.fontWeight) >= 700);
    const enough = (a + 0.05) / (b + 0.05) >= (large ? 3 : 4.5);
    if (!enough) faint.push(`${one.tagName} ${one.textContent.slice(0, 40)}`);
  }
  return faint;
}"""
