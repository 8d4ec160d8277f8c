// Slowdown and waiting time by task size: one marker per run and size.

const SIZE_MEASURES = {
  slowdown: ["mean bounded slowdown", (size) => size.slowdown, (spread) => spread.mean, format.number],
  slowdown90: ["p90 bounded slowdown", (size) => size.slowdown, (spread) => spread.p90, format.number],
  waiting: ["mean waiting time", (size) => size.waiting, (spread) => spread.mean, format.duration],
  waiting50: ["median waiting time", (size) => size.waiting, (spread) => spread.p50, format.duration],
  waiting90: ["p90 waiting time", (size) => size.waiting, (spread) => spread.p90, format.duration],
};

/** Draws the marker of a run at a point. */
const marker = (style, x, y, title) => {
  const shapes = {
    circle: "M-4.5 0A4.5 4.5 0 1 0 4.5 0A4.5 4.5 0 1 0 -4.5 0Z",
    square: "M-4 -4H4V4H-4Z",
    triangle: "M0 -5L5 4H-5Z",
    diamond: "M0 -5.5L5.5 0L0 5.5L-5.5 0Z",
    down: "M0 5L5 -4H-5Z",
    plus: "M-1.5 -5H1.5V-1.5H5V1.5H1.5V5H-1.5V1.5H-5V-1.5H-1.5Z",
  };
  return drawn(
    "path",
    {
      d: shapes[style.marker],
      transform: "translate(" + x.toFixed(1) + " " + y.toFixed(1) + ")",
      fill: style.hollow ? palette().surface : style.colour,
      stroke: style.colour,
      "stroke-width": 1.5,
    },
    title === null ? null : drawn("title", {}, title),
  );
};

const runLegend = (runs) =>
  element(
    "ul",
    { class: "legend" },
    ...runs.map((run) => element("li", {}, drawn("svg", { viewBox: "-8 -7 16 14", "aria-hidden": "true" }, marker(runStyle(run), 0, 0, null)), run.name)),
  );

/** Returns ticks of a logarithmic axis: powers of ten, with multiples of 2 and 5 where these are few. */
const powerMarks = (least, greatest) => {
  const marks = [];
  const decades = Math.log10(greatest / least);
  const step = Math.ceil(decades / 7);
  for (let power = Math.floor(Math.log10(least)); power <= Math.ceil(Math.log10(greatest)); power += step) {
    for (const factor of decades < 2.5 ? [1, 2, 5] : [1]) {
      marks.push(factor * 10 ** power);
    }
  }
  return marks.filter((mark) => mark >= least * 0.999 && mark <= greatest * 1.001);
};

const plotSizes = (host, measure) => {
  const [label, spreadOf, valueOf, text] = SIZE_MEASURES[measure];
  const isTime = text === format.duration;
  const runs = someRuns(figures.runs, RUNS_SHOWN);
  const classes = new Map();
  for (const run of runs) {
    for (const size of run.sizes) {
      classes.set(size.resource + " " + size.from, size);
    }
  }
  const sizes = [...classes.values()].sort((one, other) => (one.resource === other.resource ? one.from - other.from : one.resource < other.resource ? -1 : 1));
  const dots = [];
  runs.forEach((run, index) => {
    for (const size of run.sizes) {
      const spread = spreadOf(size);
      if (spread.count > 0) {
        dots.push({ run, index, size, at: sizes.findIndex((any) => any.resource === size.resource && any.from === size.from), value: Math.max(1, valueOf(spread)), exact: valueOf(spread) });
      }
    }
  });
  if (dots.length === 0) {
    empty(host, "No task came so far that this could be measured.");
    return;
  }
  host.replaceChildren(sizesDrawing(host, sizes, dots, label, text, isTime, runs.length), runLegend(runs));
  host.append(sizesTable());
  hint(host, (isTime ? "Values below 1 s are drawn at 1 s. " : "") + "Logarithmic scale. Hover over a marker for its value.");
  tellRuns(host, runs, figures.runs);
};

/** Shows all measures as a table. */
const sizesTable = () => {
  const table = element("div");
  showTable(table, {
    what: "figure",
    rows: figures.runs.flatMap((run) => run.sizes.map((size) => ({ run, size }))),
    sort: { column: 1, descending: false },
    columns: [
      { label: "run", value: ({ run }) => run.name, text: ({ run }) => run.name },
      { label: "size from", value: ({ size }) => size.from, text: ({ size }) => format.amount(size.resource, size.from), isNumber: true },
      numberColumn("tasks", ({ size }) => size.count, format.count),
      numberColumn("mean wait", ({ size }) => meanOf(size.waiting), format.duration),
      numberColumn("median wait", ({ size }) => meanOf(size.waiting, "p50"), format.duration),
      numberColumn("p90 wait", ({ size }) => meanOf(size.waiting, "p90"), format.duration),
      numberColumn("mean slowdown", ({ size }) => meanOf(size.slowdown), format.number),
      numberColumn("p90 slowdown", ({ size }) => meanOf(size.slowdown, "p90"), format.number),
    ],
  });
  return element("details", {}, element("summary", {}, "Show as a table"), table);
};

const sizesDrawing = (host, sizes, dots, label, text, isTime, count) => {
  const width = Math.max(280, host.clientWidth);
  const height = width < 500 ? 260 : 300;
  const greatest = Math.max(isTime ? 60 : 2, greatestOf(dots.map((dot) => dot.value)) * 1.15);
  const markText = isTime ? format.mark : text;
  const marks = isTime ? DURATION_MARKS.filter((mark) => mark <= greatest) : powerMarks(1, greatest);
  const left = Math.max(...marks.map((mark) => markText(mark).length)) * 7 + 30;
  const bottom = height - 44;
  const step = (width - left - 8) / sizes.length;
  const y = (value) => bottom - ((bottom - 10) * Math.log(value)) / Math.log(greatest);
  const x = (dot) => left + step * (dot.at + 0.5) + (dot.index - (count - 1) / 2) * Math.min(11, (step * 0.8) / count);
  const drawing = drawn("svg", { viewBox: "0 0 " + width + " " + height, width, height, role: "img", "aria-label": label + " by task size, all runs" });
  for (const mark of marks) {
    drawing.append(drawn("line", { x1: left, x2: width, y1: y(mark), y2: y(mark), class: "grid" }));
    drawing.append(drawn("text", { x: left - 6, y: y(mark) + 4, "text-anchor": "end" }, markText(mark)));
  }
  const alike = sizes.every((size) => size.resource === sizes[0].resource);
  const oneUnit = alike && sizes[0].resource !== "memory";
  const amountName = (resource, amount) => (oneUnit ? format.amountParts(resource, amount)[0] : format.amount(resource, amount));
  // the smallest class starts at one base unit (a thousandth of a core or a byte), so its upper bound is shown instead
  const name = (size) => (size.from === 1 && size.to > 1 ? "<" + SPACE + amountName(size.resource, size.to + 1) : amountName(size.resource, size.from));
  const every = Math.ceil((Math.max(...sizes.map((size) => name(size).length)) * 7 + 10) / step);
  sizes.forEach((size, i) => {
    if (i % 2 === 1) {
      drawing.prepend(drawn("rect", { x: left + step * i, y: 10, width: step, height: bottom - 10, fill: palette().line, "fill-opacity": 0.35 }));
    }
    if (i % every === 0) {
      drawing.append(drawn("text", { x: left + step * (i + 0.5), y: bottom + 16, "text-anchor": "middle" }, name(size)));
    }
  });
  const unit = oneUnit ? " in " + format.amountParts(sizes[0].resource, 2000)[1] : "";
  drawing.append(drawn("text", { x: (left + width) / 2, y: height - 6, "text-anchor": "middle" }, "task size" + unit + ", from"));
  drawing.append(drawn("text", { x: 0, y: 0, transform: "translate(12 " + bottom / 2 + ") rotate(-90)", "text-anchor": "middle" }, label));
  for (const dot of dots) {
    const range = format.amount(dot.size.resource, dot.size.from) + " to " + format.amount(dot.size.resource, dot.size.to);
    drawing.append(marker(runStyle(dot.run), x(dot), y(dot.value), dot.run.name + ", " + range + ": " + text(dot.exact) + " (" + counted(dot.size.count, "task") + ")"));
  }
  return drawing;
};
