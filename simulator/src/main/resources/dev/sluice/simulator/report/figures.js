// The figures of the page and values derived from them.

const figures = JSON.parse(byId("figures").textContent);

const isBound = (run) => run.kind !== "configuration";

const queuesByPath = new Map(figures.runs.map((run) => [run, new Map(run.queues.map((queue) => [queue.path, queue]))]));
const usersByName = new Map(figures.runs.map((run) => [run, new Map(run.users.map((user) => [user.name, user]))]));

const parentOf = (path) => path.slice(0, Math.max(0, path.lastIndexOf(".")));

/** Returns the children of a queue; none for the empty path, which is used where root is the only queue. */
const childrenOf = (run, parent) => (parent === "" ? [] : childrenOfQueue(run, parent));

const childrenOfQueue = (run, parent) => run.queues.filter((queue) => parentOf(queue.path) === parent);

/** Whether a run has several leaf queues; with a single one, as in bounds, due shares and fairness are meaningless. */
const isDivided = (run) => !isBound(run) && run.queues.filter((queue) => queue.leaf).length > 1;

/** Returns the last component of a queue path. */
const shortName = (path) => path.slice(path.lastIndexOf(".") + 1);

const PACKED_DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
const PACKED_LEVELS = 64 * 64 - 2;
const digitOf = new Map([...PACKED_DIGITS].map((digit, value) => [digit, value]));

/** Decodes a series that PackedSeries.java encoded. */
const unpack = ({ axis, peak, levels }) =>
  Array.from({ length: axis.points }, (_, i) => {
    const level = 64 * digitOf.get(levels[2 * i]) + digitOf.get(levels[2 * i + 1]);
    return level === 0 ? null : ((level - 1) / PACKED_LEVELS) * peak;
  });

/** Returns the values of a series, decoded on first use. */
const valuesOf = (series) => (series.values ??= unpack(series));

const spanOf = (series) => series.axis.stepSeconds * series.axis.points;

/**
 * Resamples a series to another step: each point is the mean over the interval it covers, so areas are preserved. null after the
 * end of the series and where it has no values.
 */
const resample = (series, stepSeconds, points) => {
  const own = series.axis.stepSeconds;
  const values = valuesOf(series);
  const result = new Array(points).fill(null);
  for (let i = 0; i < points; i++) {
    const from = i * stepSeconds;
    const to = Math.min((i + 1) * stepSeconds, spanOf(series));
    let sum = 0;
    let covered = 0;
    for (let j = Math.floor(from / own); j < series.axis.points && j * own < to; j++) {
      const part = Math.min(to, (j + 1) * own) - Math.max(from, j * own);
      if (part > 0 && values[j] !== null) {
        sum += part * values[j];
        covered += part;
      }
    }
    if (covered > 0) {
      result[i] = sum / covered;
    }
  }
  return result;
};

/** Returns a common time axis with the finest step and the longest span of several series, limited to 1000 points. */
const commonAxis = (series) => {
  const some = series.filter((one) => one.axis.points > 0 && one.axis.stepSeconds > 0);
  const span = Math.max(0, ...some.map(spanOf));
  const points = Math.min(1000, Math.max(0, ...some.map((one) => Math.ceil(span / one.axis.stepSeconds - 1e-6))));
  return { stepSeconds: points === 0 ? 0 : span / points, points };
};

/** Returns the start of each point and the end of the last one. */
const timesOf = (axis) => Array.from({ length: axis.points + 1 }, (_, i) => i * axis.stepSeconds);

/** Returns the values at these times; the last value is repeated for the end. */
const valuesOn = (axis, series) => {
  const values = resample(series, axis.stepSeconds, axis.points);
  values.push(values.length === 0 ? null : values[values.length - 1]);
  return values;
};

const greatestOf = (values) => values.reduce((greatest, value) => (value > greatest ? value : greatest), 0);

const sumOf = (list) => list[0].map((_, i) => (list.every((values) => values[i] === null) ? null : list.reduce((sum, values) => sum + (values[i] ?? 0), 0)));

/** Whether shares add up to more than the whole at some time; dominant shares of different resources may. */
const exceedWhole = (list) => sumOf(list).some((sum) => sum !== null && sum > 1.0005);

/** Returns these resource types, the scarcest first. */
const byScarcity = (types, scarcest) => {
  const rank = (type) => (scarcest.includes(type) ? scarcest.indexOf(type) : scarcest.length);
  return [...types].sort((one, other) => rank(one) - rank(other));
};

/** Returns at most this number of items, evenly spaced, with the first and the last. */
const evenlySpaced = (items, max) =>
  items.length <= max ? items : Array.from({ length: max }, (_, i) => items[Math.round((i * (items.length - 1)) / (max - 1))]);

/** Returns at most this number of runs: all configurations on some of the nodes, evenly spaced. */
const someRuns = (runs, max) => {
  if (runs.length <= max) {
    return runs;
  }
  const nodes = [...new Set(runs.map((run) => run.variant.nodes))];
  const shown = new Set(evenlySpaced(nodes, Math.max(2, Math.floor((max * nodes.length) / runs.length))));
  return evenlySpaced(runs.filter((run) => shown.has(run.variant.nodes)), max);
};

/** Returns the fraction of values that are at most x, interpolated between percentiles on a logarithmic axis from 1. */
const partAtMost = (curve, percentiles, x) => {
  let below = -1;
  while (below + 1 < curve.length && Math.max(1, curve[below + 1]) <= x) {
    below++;
  }
  if (below < 0) {
    return 0;
  } else if (below === curve.length - 1) {
    return 1;
  }
  const from = Math.log(Math.max(1, curve[below]));
  const to = Math.log(curve[below + 1]);
  const part = (Math.log(x) - from) / (to - from);
  return (percentiles[below] + part * (percentiles[below + 1] - percentiles[below])) / 100;
};
