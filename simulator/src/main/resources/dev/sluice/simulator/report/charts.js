// Charts over time and of distributions, drawn with uPlot.

const DURATION_STEPS = [1, 5, 10, 30, 60, 300, 600, 1800, 3600, 7200, 10800, 21600, 43200, 86400, 172800, 259200, 432000, 604800, 864000, 1209600, 2592000, 7776000, 31536000];
const DURATION_MARKS = [1, 10, 60, 600, 3600, 6 * 3600, 86400, 7 * 86400, 30 * 86400, 365 * 86400];

/** Formats the tick labels of an axis in one unit: 0, 12 h, 24 h. */
const durationMarks = (marks, step) => {
  const [unit, seconds] = step >= 86400 ? ["d", 86400] : step >= 3600 ? ["h", 3600] : step >= 60 ? ["min", 60] : ["s", 1];
  return marks.map((mark) => (mark === 0 ? "0" : format.number(mark / seconds) + SPACE + unit));
};

const widthOfLabels = (chart, labels) => Math.ceil(Math.max(24, ...(labels ?? []).map((label) => label.length * 7)) + 14);

const axisLook = (label) => ({
  stroke: palette().quiet,
  grid: { stroke: palette().line, width: 1 },
  ticks: { stroke: palette().line, width: 1, size: 5 },
  font: "12px system-ui, sans-serif",
  labelFont: "12px system-ui, sans-serif",
  label,
  labelSize: 20,
  labelGap: 2,
});

/** Returns the options of the x axis: time since the start of a run, or durations on a logarithmic scale. */
const xAxis = (kind, label) =>
  kind === "time"
    ? { ...axisLook(label), space: (self, index, least, greatest, size) => Math.max(44, size / 10), incrs: DURATION_STEPS, values: (chart, marks, index, space, step) => durationMarks(marks, step), size: 32 }
    : {
        ...axisLook(label),
        size: 32,
        splits: (chart) => logMarks(chart),
        filter: (chart, marks) => marks,
        values: (chart, marks) => marks.map((mark) => (mark === 1 ? "≤" + SPACE + "1" + SPACE + "s" : format.mark(mark))),
      };

const logMarks = (chart) => {
  const marks = DURATION_MARKS.filter((mark) => mark <= chart.scales.x.max);
  return chart.bbox.width / devicePixelRatio < 420 ? marks.filter((mark, i) => i % 2 === 0) : marks;
};

/**
 * Draws a chart.
 *
 * options: kind of x ("time" or "log"), xLabel, xText, yLabel, yText (formats a value), yMax (optional); x: the x values; series: label,
 * values (y values), text (legend text of a point, if different), colour, dash, width, fill, unlisted (not in the legend); toggles:
 * whether a click in the legend hides a series.
 */
const chart = (host, options) => {
  const series = options.series.map((one) => ({
    label: element("span", {}, sample(one), one.label),
    stroke: one.fill ? palette().surface : one.colour,
    fill: one.fill,
    width: one.fill ? 0.75 : (one.width ?? 1.75),
    dash: one.dash,
    points: { show: false },
    paths: options.kind === "time" ? uPlot.paths.stepped({ align: 1 }) : undefined,
    value: (self, value, index, at) => (at === null || at === undefined ? "" : (one.text ?? ((point) => options.yText(one.values[point])))(at)),
  }));
  const area = element("div", { class: "chart" });
  host.replaceChildren(area);
  const plot = new uPlot(
    {
      width: Math.max(200, host.clientWidth),
      height: host.clientWidth < 500 ? 240 : 300,
      scales: {
        x: options.kind === "time" ? { time: false } : { time: false, distr: 3, range: () => [1, Math.max(10, options.x[options.x.length - 1])] },
        y: { range: (self, least, greatest) => [0, options.yMax ?? (greatest > 0 ? greatest * 1.05 : 1)] },
      },
      axes: [
        xAxis(options.kind, options.xLabel),
        { ...axisLook(options.yLabel), space: 36, values: (self, marks) => marks.map((mark) => (mark === 0 ? "0" : options.yText(mark))), size: widthOfLabels },
      ],
      cursor: { y: false, points: { show: false }, drag: { x: true, y: false } },
      legend: { markers: { show: false } },
      series: [{ label: "", value: (self, value) => (value === null || value === undefined ? "Hover over the chart to read values." : options.xText(value)) }, ...series],
    },
    [options.x, ...options.series.map((one) => one.values)],
    area,
  );
  filled(plot.root.querySelector(".u-wrap"), { role: "img", "aria-label": options.description }, []);
  dressLegend(plot, options);
};

/** Draws the legend sample of a series. */
const sample = (one) =>
  drawn(
    "svg",
    { viewBox: "0 0 28 12", class: "sample", "aria-hidden": "true" },
    one.fill
      ? drawn("rect", { x: 8, y: 0, width: 12, height: 12, rx: 2, fill: one.fill })
      : drawn("line", { x1: 0, x2: 28, y1: 6, y2: 6, stroke: one.colour, "stroke-width": 2.5, "stroke-dasharray": (one.dash ?? []).join(" ") || null }),
  );

/** Makes the legend usable with the keyboard, or disables it where bands are stacked. */
const dressLegend = (plot, options) => {
  const legend = plot.root.querySelector(".u-legend");
  const rows = [...legend.querySelectorAll(".u-series")];
  rows.forEach((row, index) => {
    if (index > 0 && options.series[index - 1].unlisted) {
      row.classList.add("unlisted");
    }
  });
  if (!options.toggles) {
    legend.addEventListener("click", (event) => event.stopPropagation(), true);
    return;
  }
  legend.classList.add("toggles");
  rows.slice(1).forEach((row, index) => {
    const label = row.querySelector("th");
    label.tabIndex = 0;
    label.setAttribute("role", "button");
    label.addEventListener("keydown", (event) => {
      if (event.key === "Enter" || event.key === " ") {
        event.preventDefault();
        plot.setSeries(index + 1, { show: !plot.series[index + 1].show });
      }
    });
  });
};

/** Stacks bands, the first at the bottom, with stacked lines on top. The legend shows the individual values. */
const stacked = (bands, lines) => {
  const heaps = (list) => {
    let sum = null;
    return list.map((one) => {
      sum = sum === null ? one.values : sumOf([sum, one.values]);
      return { text: (at) => format.share(one.values[at]), ...one, values: sum };
    });
  };
  return [...heaps(bands).reverse(), ...heaps(lines).reverse()];
};
