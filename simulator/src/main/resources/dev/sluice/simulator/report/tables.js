// Sortable and filterable tables.

/**
 * Shows a table.
 *
 * what: the noun for a row. columns: label, title (optional), value of a row (sort key; text or number), text of a row (or cell: an
 * element), isNumber. The first column names the row. sort: the column and whether it is descending. cssClass: the CSS class of the
 * table (optional).
 */
const showTable = (host, { what, columns, rows, sort, cssClass }) => {
  if (rows.length === 0) {
    empty(host, "No " + what + "s.");
    return;
  }
  const body = element("tbody");
  const lines = rows.map((row) => ({ row, name: String(columns[0].value(row)).toLowerCase(), line: tableRow(columns, row) }));
  const heads = columns.map((column, index) => {
    const button = element("button", { type: "button", title: column.title ?? null }, column.label);
    const head = element("th", { scope: "col", class: cellClass(column) }, button);
    button.addEventListener("click", () => {
      const descending = head.hasAttribute("aria-sort") ? head.getAttribute("aria-sort") === "ascending" : column.isNumber === true;
      order(index, descending);
    });
    return head;
  });
  const order = (index, descending) => {
    heads.forEach((head, i) => (i === index ? head.setAttribute("aria-sort", descending ? "descending" : "ascending") : head.removeAttribute("aria-sort")));
    lines.sort((one, other) => compareValues(columns[index].value(one.row), columns[index].value(other.row), descending) || compareValues(one.name, other.name, false));
    body.append(...lines.map((line) => line.line));
  };
  order(sort.column, sort.descending);
  const table = element("table", { class: cssClass ?? null }, element("thead", {}, element("tr", {}, ...heads)), body);
  const title = host.closest("section")?.querySelector("h2")?.textContent; // two sections may have tables of queues
  host.replaceChildren(tableTools(what, lines), element("div", { class: rows.length > 15 ? "scroll tall" : "scroll", tabindex: 0, role: "region", "aria-label": (title ? title + ": " : "") + what + " table" }, table));
};

const cellClass = (column) => [column.isNumber ? "number" : "", column.edge ? "edge" : ""].join(" ").trim() || null;

const tableRow = (columns, row) =>
  element(
    "tr",
    {},
    ...columns.map((column, index) => {
      const content = column.cell === undefined ? column.text(row) : column.cell(row);
      return index === 0
        ? element("th", { scope: "row", title: String(column.value(row)) }, content)
        : element("td", { class: cellClass(column) }, content);
    }),
  );

/** Compares two values; missing values come last in either direction. */
const compareValues = (one, other, descending) => {
  const lacksOne = one === null || one === undefined;
  const lacksOther = other === null || other === undefined;
  if (lacksOne || lacksOther) {
    return Number(lacksOne) - Number(lacksOther);
  }
  const order = one < other ? -1 : one > other ? 1 : 0;
  return descending ? -order : order;
};

const tableTools = (what, lines) => {
  const shown = element("span", { class: "hint", "aria-live": "polite" }, counted(lines.length, what));
  if (lines.length <= 5) {
    return element("div", { class: "tools" }, shown);
  }
  const box = element("input", { type: "search", spellcheck: "false", autocomplete: "off" });
  box.addEventListener("input", () => {
    const query = box.value.trim().toLowerCase();
    let count = 0;
    for (const line of lines) {
      line.line.hidden = !line.name.includes(query);
      count += line.line.hidden ? 0 : 1;
    }
    shown.textContent = (count === lines.length ? "" : format.count(count) + " of ") + counted(lines.length, what);
  });
  return element("div", { class: "tools" }, element("label", {}, "Filter " + what + "s ", box), shown);
};

const numberColumn = (label, value, text, title) => ({ label, title, value, text: (row) => text(value(row)), isNumber: true });

const meanOf = (spread, part = "mean") => (spread.count === 0 ? null : spread[part]);

/** The columns shared by queues and users. */
const taskColumns = [
  numberColumn("tasks", (row) => row.tasks.tasks, format.count),
  numberColumn("mean wait", (row) => meanOf(row.tasks.waiting), format.duration),
  numberColumn("p90 wait", (row) => meanOf(row.tasks.waiting, "p90"), format.duration),
  numberColumn("max wait", (row) => row.tasks.longestWaitSeconds, format.duration, "includes tasks that never started"),
  numberColumn("mean slowdown", (row) => meanOf(row.tasks.slowdown), format.number),
  numberColumn("p90 slowdown", (row) => meanOf(row.tasks.slowdown, "p90"), format.number),
];

const endColumns = [
  numberColumn("succeeded", (row) => row.tasks.succeeded, format.count),
  numberColumn("failed", (row) => row.tasks.failed, format.count),
  numberColumn("preempted", (row) => row.tasks.preempted, format.count, "runs stopped in favour of another queue"),
  numberColumn("timed out", (row) => row.tasks.timedOut, format.count, "runs stopped at their time limit"),
  numberColumn("never started", (row) => row.tasks.neverStarted, format.count),
  numberColumn("still running", (row) => row.tasks.running, format.count),
  numberColumn("used", (row) => row.tasks.used.slots ?? null, format.slotTime, "slots × time"),
];

const showQueues = (host, run) =>
  showTable(host, {
    what: "queue",
    rows: run.queues,
    sort: { column: 0, descending: false },
    columns: [
      { label: "queue", value: (queue) => queue.path, text: (queue) => queue.path },
      { label: "policy", value: (queue) => queue.policy, text: (queue) => queue.policy, title: "the share policy of a parent, the sort policy of a leaf" },
      ...taskColumns,
      numberColumn("received", (queue) => queue.receivedMean, format.share, "share of the cluster, mean over the run"),
      numberColumn("due", (queue) => (isDivided(run) ? queue.dueMean : null), format.share, "share of the cluster, mean over the run"),
      numberColumn("deviation", (queue) => (isDivided(run) ? queue.area : null), format.share, "mean of |received − due|"),
      numberColumn("mean waiting tasks", (queue) => queue.waitingMean, format.number, "mean over the run"),
      numberColumn("max waiting tasks", (queue) => queue.waitingMax, format.count, "maximum at one time"),
      ...endColumns,
      numberColumn("rejected", (queue) => queue.tasks.rejected, format.count, "applications"),
      numberColumn("borrowed", (queue) => queue.borrowed, format.slotTime, "slots beyond the entitlement × time"),
      numberColumn("lent", (queue) => queue.lent, format.slotTime, "entitled slots used by others × time"),
    ],
  });

const showUsers = (host, run) =>
  showTable(host, {
    what: "user",
    rows: run.users,
    sort: { column: 1, descending: true },
    columns: [{ label: "user", value: (user) => user.name, text: (user) => user.name }, ...taskColumns, ...endColumns],
  });
