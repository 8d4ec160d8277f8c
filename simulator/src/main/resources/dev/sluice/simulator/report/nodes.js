// Heat map of node utilisation over time: one row per node or per group of adjacent nodes.

/** Returns red, green and blue for a value from 0 to 1. */
const heatColour = (colours, value) => {
  const position = Math.min(1, Math.max(0, value)) * (colours.length - 1);
  const index = Math.min(colours.length - 2, Math.floor(position));
  const part = (colour, i) => parseInt(colour.slice(1 + 2 * i, 3 + 2 * i), 16);
  return [0, 1, 2].map((i) => Math.round(part(colours[index], i) + (position - index) * (part(colours[index + 1], i) - part(colours[index], i))));
};

const paintHeat = (canvas, rows, points, valueAt) => {
  canvas.width = points;
  canvas.height = rows;
  const context = canvas.getContext("2d");
  const image = context.createImageData(points, rows);
  for (let row = 0; row < rows; row++) {
    for (let point = 0; point < points; point++) {
      const [red, green, blue] = heatColour(palette().heat, valueAt(row, point) ?? 0);
      image.data.set([red, green, blue, 255], 4 * (row * points + point));
    }
  }
  context.putImageData(image, 0, 0);
};

const rowName = (row) => (row.first === row.last ? row.first : row.first + " … " + row.last);

const plotNodes = (host, run) => {
  const rows = run.nodes.rows;
  if (rows.length === 0 || !(spanOf(rows[0].used) > 0)) {
    empty(host, "No node utilisation over time for this run.");
    return;
  }
  const axis = rows[0].used.axis;
  const rowHeight = Math.max(3, Math.min(22, Math.floor(420 / rows.length)));
  const canvas = element("canvas", { tabindex: 0, role: "img", "aria-label": "Node utilisation over time in " + run.name + "; read values with the arrow keys" });
  paintHeat(canvas, rows.length, axis.points, (row, point) => valuesOf(rows[row].used)[point]);
  canvas.style.height = rowHeight * rows.length + "px";
  const names = element("div", { class: "heat-names", "aria-hidden": "true" });
  const every = Math.ceil(18 / rowHeight);
  rows.forEach((row, i) => {
    if (i % every === 0) {
      const name = element("span", { title: rowName(row) }, row.first);
      name.style.top = rowHeight * (i + 0.5) - 8 + "px";
      names.append(name);
    }
  });
  const scale = element("canvas", { "aria-hidden": "true" });
  paintHeat(scale, 1, 100, (row, point) => point / 99);
  const readout = element("p", { class: "readout", "aria-live": "polite" }, "Hover or use the arrow keys to read values.");
  host.replaceChildren(
    element("div", { class: "scale" }, "0 % used", scale, "100 % used"),
    element("div", { class: "heat-grid" }, names, element("div", { class: "heat" }, canvas), element("div", {}), timeMarks(host, axis)),
    readout,
  );
  readOut(canvas, run, rows, axis, readout);
};

/** Draws the time axis below the heat map. */
const timeMarks = (host, axis) => {
  const span = axis.stepSeconds * axis.points;
  const width = Math.max(120, host.clientWidth - (host.clientWidth < 500 ? 80 : 130));
  const step = DURATION_STEPS.find((one) => (one / span) * width >= Math.max(44, width / 14)) ?? span;
  const marks = Array.from({ length: Math.floor(span / step) + 1 }, (_, i) => i * step);
  const drawing = drawn("svg", { viewBox: "0 0 " + width + " 40", height: 40, preserveAspectRatio: "xMidYMid meet", role: "presentation" });
  durationMarks(marks, step).forEach((text, i) => {
    const x = (marks[i] / span) * width;
    const anchor = i === 0 ? "start" : x > width - 20 ? "end" : "middle";
    drawing.append(drawn("line", { x1: x, x2: x, y1: 0, y2: 5, class: "grid" }), drawn("text", { x, y: 18, "text-anchor": anchor }, text));
  });
  drawing.append(drawn("text", { x: width / 2, y: 36, "text-anchor": "middle" }, "time since the first submission"));
  return drawing;
};

const readOut = (canvas, run, rows, axis, readout) => {
  let row = 0;
  let point = -1;
  const showValue = () => {
    const one = rows[row];
    const at = point * axis.stepSeconds;
    readout.textContent = rowName(one) + (one.nodes > 1 ? " (" + counted(one.nodes, "node") + ")" : "") + ", " + format.duration(at)
      + " (" + format.instant(run.begin, at) + "): " + format.share(valuesOf(one.used)[point]) + " used";
  };
  canvas.addEventListener("pointermove", (event) => {
    const box = canvas.getBoundingClientRect();
    row = Math.max(0, Math.min(rows.length - 1, Math.floor(((event.clientY - box.top) / box.height) * rows.length)));
    point = Math.max(0, Math.min(axis.points - 1, Math.floor(((event.clientX - box.left) / box.width) * axis.points)));
    showValue();
  });
  canvas.addEventListener("keydown", (event) => {
    const moves = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] };
    const move = moves[event.key];
    if (move !== undefined) {
      event.preventDefault();
      row = Math.max(0, Math.min(rows.length - 1, row + move[0]));
      point = Math.max(0, Math.min(axis.points - 1, point + move[1]));
      showValue();
    }
  });
};
