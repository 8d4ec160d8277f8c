// Formats figures for people, in the same way as FigureText.java.

const NONE = "–";
const SPACE = "\u00a0";

const grouped = (whole) => String(whole).replace(/\B(?=(\d{3})+(?!\d))/g, ",");

/** Formats a count with its noun: 1 queue, 2 queues. */
const counted = (count, word) => grouped(count) + " " + word + (count === 1 ? "" : "s");

const format = {
  /** Formats a number with two decimals below 10, one below 100 and none above, without trailing zeros. */
  number(value) {
    if (value === null || value === undefined || !Number.isFinite(value)) {
      return NONE;
    }
    const size = Math.abs(value);
    if (size >= 1e15) {
      return value.toExponential(2);
    } else if (size > 0 && size < 0.005) {
      return value < 0 ? "−<0.01" : "<0.01";
    }
    const decimals = size < 10 ? 2 : size < 100 ? 1 : 0;
    const power = 10 ** decimals;
    const scaled = Math.round(size * power);
    const fraction = String(scaled % power).padStart(decimals, "0").replace(/0+$/, "");
    return (value < 0 ? "−" : "") + grouped(Math.floor(scaled / power)) + (fraction === "" ? "" : "." + fraction);
  },

  withUnit(value, unit) {
    const number = format.number(value);
    return number === NONE ? NONE : number + SPACE + unit;
  },

  /** Formats seconds in the largest unit with a value of at least 1; hours up to two days. */
  duration(seconds) {
    if (seconds === null || seconds === undefined) {
      return NONE;
    }
    const size = Math.abs(seconds);
    if (size < 59.95) {
      return format.withUnit(seconds, "s");
    } else if (size < 59.95 * 60) {
      return format.withUnit(seconds / 60, "min");
    } else if (size < 47.95 * 3600) {
      return format.withUnit(seconds / 3600, "h");
    }
    return format.withUnit(seconds / 86400, "d");
  },

  /** Formats a fraction as a percentage. */
  share: (part) => (part === null || part === undefined ? NONE : format.withUnit(100 * part, "%")),

  count: (count) => (count === null || count === undefined ? NONE : grouped(count)),

  /** Formats an axis label in the largest unit that divides it evenly: 1 min, 6 h. */
  mark(seconds) {
    const [unit, length] = [["d", 86400], ["h", 3600], ["min", 60], ["s", 1]].find(([, one]) => seconds % one === 0) ?? ["s", 1];
    return format.withUnit(seconds / length, unit);
  },

  slotTime: (slotSeconds) => (slotSeconds === null || slotSeconds === undefined ? NONE : format.withUnit(slotSeconds / 3600, "slot" + SPACE + "h")),

  /** Formats a signed difference. */
  difference(value, text) {
    if (value === null || !Number.isFinite(value)) {
      return NONE;
    }
    if (value !== 0 && text(Math.abs(value)).startsWith("<")) {
      return "≈" + SPACE + "0";
    }
    return value > 0 ? "+" + text(value) : text(value);
  },

  /** Formats an amount of a resource in base units. */
  amount(type, amount) {
    const [number, unit] = format.amountParts(type, amount);
    return number === NONE ? NONE : number + SPACE + unit;
  },

  /** Returns the number and the unit of an amount. */
  amountParts(type, amount) {
    if (type === "vcore") {
      return [format.number(amount / 1000), amount === 1000 ? "core" : "cores"];
    } else if (type !== "memory") {
      return [format.number(amount), type];
    }
    const units = ["B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"];
    let power = 0;
    let scaled = amount;
    while (Math.abs(scaled) >= 1024 && power < units.length - 1) {
      scaled /= 1024;
      power++;
    }
    return [format.number(scaled), units[power]];
  },

  /** Formats the instant that is a number of seconds after an ISO 8601 timestamp, to the minute. */
  instant(begin, seconds) {
    const date = new Date(Date.parse(begin) + seconds * 1000);
    return Number.isNaN(date.getTime()) ? NONE : date.toISOString().slice(0, 16).replace("T", " ") + SPACE + "UTC";
  },
};
