// Gains and losses of queues and users between two runs: less waiting is a gain.

const minus = (one, other) => (one === null || other === null || one === undefined || other === undefined ? null : one - other);

/** Returns a row for each name that occurs in both runs; others cannot be compared. */
const changesBetween = (inA, inB, received) => {
  const names = [...inA.keys()].filter((name) => inB.has(name));
  return names.map((name) => {
    const pair = (of) => {
      const one = of(inA.get(name));
      const other = of(inB.get(name));
      return { a: one, b: other, more: minus(other, one) };
    };
    return {
      name,
      wait: pair((row) => meanOf(row.tasks.waiting)),
      slowdown: pair((row) => meanOf(row.tasks.slowdown)),
      received: pair(received),
    };
  });
};

/** A bar to the left for a decrease, to the right for an increase; the longest bar is the largest difference of the table. */
const bar = (value, greatest, moreIsGain) => {
  const span = element("span", { class: "bar", "aria-hidden": "true" });
  if (value !== null && value !== 0 && greatest > 0) {
    const length = 50 * (Math.abs(value) / greatest);
    const part = element("i", { class: value > 0 === moreIsGain ? "gain" : "loss" });
    part.style.width = length + "%";
    part.style.left = (value > 0 ? 50 : 50 - length) + "%";
    span.append(part);
  }
  return span;
};

const changeColumns = (rows, label, pick, text, moreIsGain) => {
  const greatest = greatestOf(rows.map((row) => Math.abs(pick(row).more ?? 0)));
  return [
    { ...numberColumn(label + ", A", (row) => pick(row).a, text), edge: true },
    numberColumn("B", (row) => pick(row).b, text, label + ", B"),
    numberColumn("B − A", (row) => pick(row).more, (more) => format.difference(more, text), label + ", difference"),
    { label: "less · more", title: label + ", difference", value: (row) => pick(row).more, cell: (row) => bar(pick(row).more, greatest, moreIsGain) },
  ];
};

const heldOf = (run) => {
  const held = run.total.used.slots ?? 0;
  return (row) => (held > 0 ? (row.tasks.used.slots ?? 0) / held : null);
};

const showChanges = (whole, queueHost, userHost, note, a, b) => {
  if (a === b) {
    note.textContent = "A and B are the same run: select two different runs to compare them.";
    whole.hidden = true;
    return;
  }
  whole.hidden = false;
  const heldA = heldOf(a);
  const heldB = heldOf(b);
  const queues = changesBetween(queuesByPath.get(a), queuesByPath.get(b), (queue) => queue.receivedMean);
  const users = changesBetween(usersByName.get(a), usersByName.get(b), (user) => (usersByName.get(a).get(user.name) === user ? heldA(user) : heldB(user)));
  note.textContent = "A is " + a.name + ", B is " + b.name + ". " + tally("queue", queues.filter((row) => parentOf(row.name) !== "")) + " " + tally("user", users)
    + (queues.length < Math.max(a.queues.length, b.queues.length) ? " Queues that exist in only one run are not listed." : "")
    + " A blue bar is an improvement in B, an orange bar a deterioration; left is a decrease, right an increase.";
  const show = (host, what, rows, label) =>
    showTable(host, {
      what,
      rows,
      sort: { column: 3, descending: false },
      columns: [
        { label: what, value: (row) => row.name, text: (row) => row.name },
        ...changeColumns(rows, "mean wait", (row) => row.wait, format.duration, false),
        ...changeColumns(rows, "mean slowdown", (row) => row.slowdown, format.number, false),
        ...changeColumns(rows, label, (row) => row.received, format.share, true),
      ],
    });
  show(queueHost, "queue", queues, "received");
  show(userHost, "user", users, "share of used slots");
};

const tally = (word, rows) => {
  if (rows.length === 0) {
    return "No " + word + " exists in both runs.";
  }
  const shorter = rows.filter((row) => row.wait.more !== null && row.wait.more < 0).length;
  const longer = rows.filter((row) => row.wait.more !== null && row.wait.more > 0).length;
  return counted(shorter, word) + " wait" + (shorter === 1 ? "s" : "") + " less in B, " + counted(longer, word) + " longer.";
};
