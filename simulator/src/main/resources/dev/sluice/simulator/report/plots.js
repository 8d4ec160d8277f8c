// Plots over time and the distribution of waiting times.

const QUEUES_SHOWN = 12;
const RUNS_SHOWN = 12;

const hint = (host, text) => host.append(element("p", { class: "hint" }, text));

const ZOOM = "Drag to zoom in, double-click to reset.";

const overTime = (host, begin, axis, options) => {
  chart(host, {
    kind: "time",
    x: timesOf(axis),
    xLabel: "time since the first submission",
    xText: (seconds) => format.duration(seconds) + " (" + format.instant(begin, seconds) + ")",
    ...options,
  });
  hint(host, ZOOM);
};

/** Tells above a chart of all runs if some are left out. */
const tellRuns = (host, shown, all) => {
  if (shown.length < all.length) {
    notice(host, shown.length + " of " + counted(all.length, "run") + " shown, evenly spaced; the summary has all.");
  }
};

/** Plots one line per run. */
const runsOverTime = (host, seriesOf, options) => {
  const all = figures.runs.filter((run) => (seriesOf(run)?.axis.points ?? 0) > 0);
  const runs = someRuns(all, RUNS_SHOWN);
  if (runs.length === 0) {
    empty(host, "No data over time.");
    return;
  }
  const axis = commonAxis(runs.map(seriesOf));
  overTime(host, runs[0].begin, axis, {
    ...options,
    toggles: true,
    series: runs.map((run) => ({
      label: run.name,
      values: valuesOn(axis, seriesOf(run)),
      colour: runStyle(run).colour,
      dash: runStyle(run).dash,
      width: isBound(run) ? 1.25 : 2,
    })),
  });
  tellRuns(host, runs, all);
};

const resourceOf = (run, type) => run.resources.find((resource) => resource.type === type);

const plotUtilisation = (host, run, type, view) => {
  const resource = resourceOf(run, type);
  if (view === "runs") {
    runsOverTime(host, (any) => resourceOf(any, type)?.used, {
      description: "Utilisation of " + type + " over time, all runs",
      yLabel: "utilisation of " + type,
      yText: format.share,
      yMax: 1,
    });
    return;
  }
  if (resource === undefined || resource.used.axis.points === 0) {
    empty(host, "No utilisation over time for this run.");
    return;
  }
  const axis = commonAxis([resource.used]);
  const parts = ["used", "fragmented", "withheld"].map((name) => ({
    label: name,
    values: valuesOn(axis, resource[name]),
    fill: palette()[name],
  }));
  const busy = sumOf(parts.map((part) => part.values));
  parts.push({ label: "idle, no demand", values: busy.map((part) => (part === null ? null : Math.max(0, 1 - part))), fill: palette().idle });
  overTime(host, run.begin, axis, {
    description: "Breakdown of " + type + " over time in " + run.name,
    yLabel: "share of " + type,
    yText: format.share,
    yMax: 1,
    series: stacked(parts, []),
  });
};

/** Returns the children of a queue with the largest received shares, and the remaining ones. */
const greatest = (run, parent) => {
  const children = childrenOf(run, parent).sort((one, other) => other.receivedMean - one.receivedMean || (one.path < other.path ? -1 : 1));
  return children.length <= QUEUES_SHOWN + 1 ? [children, []] : [children.slice(0, QUEUES_SHOWN), children.slice(QUEUES_SHOWN)];
};

const undivided = (run) => run.name + " has a single queue. Select another run to see shares.";

const plotShares = (host, run, parent, withDue) => {
  if (!isDivided(run)) {
    empty(host, undivided(run));
    return;
  }
  const [shown, others] = greatest(run, parent);
  if (shown.length === 0 || shown[0].received.axis.points === 0) {
    empty(host, shown.length === 0 ? "There is only one queue." : "No shares over time for this run.");
    return;
  }
  const axis = commonAxis(shown.map((queue) => queue.received));
  const colours = palette().queues;
  const dues = shown.map((queue) => valuesOn(axis, queue.due));
  const bands = shown.map((queue, i) => {
    const values = valuesOn(axis, queue.received);
    const text = (at) => format.share(values[at]) + " (due " + format.share(dues[i][at]) + ")";
    return { label: shortName(queue.path), values, text, fill: colours[i % colours.length] };
  });
  const dashed = (i) => ({ label: "due", values: dues[i], colour: palette().text, dash: [5, 3], width: 1.25, unlisted: true });
  if (others.length > 0) {
    const label = counted(others.length, "other");
    bands.push({ label, values: sumOf(others.map((queue) => valuesOn(axis, queue.received))), fill: palette().others });
  }
  const options = {
    description: "Shares of the queues below " + parent + " over time in " + run.name,
    yLabel: "share of the dominant resource",
    yText: format.share,
    yMax: 1,
  };
  if (exceedWhole(bands.map((band) => band.values))) {
    const lines = bands.slice(0, shown.length).map(({ fill, ...line }) => ({ ...line, colour: fill, width: 2 }));
    const dueLines = shown.map((queue, i) => ({ ...dashed(i), colour: lines[i].colour }));
    overTime(host, run.begin, axis, { ...options, series: [...lines, ...(withDue ? dueLines : [])] });
    notice(host, "Each share is of the resource of which the queue has most. These differ and add up to more than 100 %, so they are lines, not stacked."
      + (others.length > 0 ? " " + counted(others.length, "queue") + " with smaller shares not shown." : ""));
    return;
  }
  overTime(host, run.begin, axis, { ...options, series: stacked(bands, withDue ? shown.map((queue, i) => dashed(i)) : []) });
  if (others.length > 0) {
    notice(host, counted(others.length, "queue") + " with smaller shares shown as one band.");
  }
  if (withDue) {
    hint(host, "The dashed lines are due shares, stacked like the bands: where a line is above the upper edge of its band, the queues below it received less than their due share.");
  }
};

const plotTasks = (host, what) =>
  runsOverTime(host, (run) => run.time[what], {
    description: "Number of " + what + " tasks over time, all runs",
    yLabel: what + " tasks",
    yText: format.number,
  });

const plotWaitingTimes = (host) => {
  const all = figures.runs.filter((run) => run.total.waiting.curve.length > 0);
  const runs = someRuns(all, RUNS_SHOWN);
  if (runs.length === 0) {
    empty(host, "No task started.");
    return;
  }
  const max = Math.max(10, ...runs.map((run) => run.total.waiting.max));
  const steps = 240;
  const x = Array.from({ length: steps + 1 }, (_, i) => Math.exp((Math.log(max) * i) / steps));
  x[steps] = max;
  chart(host, {
    kind: "log",
    description: "Cumulative distribution of waiting times, all runs",
    x,
    xLabel: "waiting time (logarithmic)",
    xText: (seconds) => "at most " + format.duration(seconds) + ":",
    yLabel: "share of tasks",
    yText: format.share,
    yMax: 1,
    toggles: true,
    series: runs.map((run) => ({
      label: run.name,
      values: x.map((at) => partAtMost(run.total.waiting.curve, figures.percentiles, at)),
      colour: runStyle(run).colour,
      dash: runStyle(run).dash,
      width: isBound(run) ? 1.25 : 2,
    })),
  });
  hint(host, "Lines further up and left mean shorter waits. " + ZOOM);
  tellRuns(host, runs, all);
};

/** Plots one small chart per queue: the received share as an area, the due share as a dashed line. */
const plotPanels = (host, run, parent) => {
  if (!isDivided(run)) {
    empty(host, undivided(run));
    return;
  }
  const [shown, others] = greatest(run, parent);
  const queues = shown.filter((queue) => queue.received.axis.points > 0);
  if (queues.length === 0) {
    empty(host, "No shares over time for this run.");
    return;
  }
  const peak = Math.max(1e-9, ...queues.map((queue) => Math.max(queue.received.peak, queue.due.peak)));
  const panels = queues.map((queue, i) => panel(queue, peak, palette().queues[i % palette().queues.length]));
  host.replaceChildren(element("div", { class: "panels" }, ...panels));
  const whole = "Below " + parent + " in " + run.name + ": the area is the received share, the dashed line the due share. All charts use the same scale, up to "
    + format.share(peak) + " of the cluster, over " + format.duration(spanOf(queues[0].received)) + ".";
  hint(host, whole);
  if (others.length > 0) {
    notice(host, counted(others.length, "queue") + " with smaller received shares not shown.");
  }
};

const panel = (queue, peak, colour) => {
  const width = 300;
  const height = 72;
  const axis = { stepSeconds: spanOf(queue.received) / 150, points: 150 };
  const toPoints = (values) => values.map((value, i) => [(i / axis.points) * width, height - ((value ?? 0) / peak) * height]);
  const path = (points) => points.map(([x, y], i) => (i === 0 ? "M" : "L") + x.toFixed(1) + " " + y.toFixed(1)).join("");
  const received = toPoints(valuesOn(axis, queue.received));
  const due = toPoints(valuesOn(axis, queue.due));
  return element(
    "figure",
    { class: "panel" },
    element("figcaption", {}, element("strong", {}, shortName(queue.path)), " received " + format.share(queue.receivedMean) + ", due " + format.share(queue.dueMean)),
    drawn(
      "svg",
      { viewBox: "0 0 " + width + " " + height, preserveAspectRatio: "none", height, role: "img", "aria-label": "received and due share of " + queue.path },
      drawn("path", { d: path(received) + "L" + width + " " + height + "L0 " + height + "Z", fill: colour, "fill-opacity": 0.75 }),
      drawn("path", { d: path(due), fill: "none", stroke: palette().text, "stroke-width": 1.5, "stroke-dasharray": "5 3", "vector-effect": "non-scaling-stroke" }),
      drawn("line", { x1: 0, x2: width, y1: height, y2: height, class: "grid", "vector-effect": "non-scaling-stroke" }),
    ),
  );
};
