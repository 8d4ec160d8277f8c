// Connects the controls of the page to its charts and tables.

const runOptions = figures.runs.map((run, index) => [index, run.name + (isBound(run) ? " (bound)" : "")]);

const chosenRun = (id) => figures.runs[Number(byId(id).value)];

const resourceTypes = byScarcity(new Set(figures.runs.flatMap((run) => run.resources.map((resource) => resource.type))), figures.clusters[0].scarcest);

const parents = [...new Set(figures.runs.flatMap((run) => run.queues.map((queue) => parentOf(queue.path))))].filter((path) => path !== "").sort();

const showUtilisation = () => {
  const view = byId("utilisation-view").value;
  drawInto(byId("utilisation"), () => plotUtilisation(byId("utilisation"), chosenRun("chosen"), byId("resource").value, view));
};

const showShares = () => {
  drawInto(byId("shares"), () => plotShares(byId("shares"), chosenRun("chosen"), byId("parent").value, byId("due").checked));
  drawInto(byId("panels"), () => plotPanels(byId("panels"), chosenRun("chosen"), byId("parent").value));
};

const showSizes = () => drawInto(byId("sizes"), () => plotSizes(byId("sizes"), byId("size-measure").value));

// as in RunFiguresBuilder.java
const REASONS_MAX = 10;

const showReasons = () => {
  const run = chosenRun("chosen");
  if (run.reasons.length === 0) {
    empty(byId("reasons"), run.total.neverStarted === 0 ? "Every task started in " + run.name + "." : "No reasons recorded.");
    return;
  }
  showTable(byId("reasons"), {
    what: "reason",
    cssClass: "sentences",
    rows: run.reasons,
    sort: { column: 1, descending: true },
    columns: [
      { label: "reason", value: (reason) => reason.text, text: (reason) => reason.text },
      numberColumn("tasks in " + run.name, (reason) => reason.tasks, format.count),
    ],
  });
  if (run.reasons.length >= REASONS_MAX) {
    notice(byId("reasons"), "The " + REASONS_MAX + " most frequent reasons; there may be more.");
  }
};

const showMalformed = () => {
  const { lines, malformed, first } = figures.workload.malformed;
  if (malformed === 0) {
    empty(byId("malformed"), "No malformed lines.");
    return;
  }
  const text = "Skipped " + format.count(malformed) + " of " + counted(lines, "line") + " (" + format.share(malformed / lines) + "). The first ones:";
  const position = (problem) => (problem.line === 0 ? problem.file : problem.file + ":" + problem.line + ":" + problem.column);
  const items = first.map((problem) => element("li", {}, element("code", {}, position(problem)), " " + problem.message));
  byId("malformed").replaceChildren(element("p", {}, text), element("ol", { class: "problems" }, ...items));
};

const showRun = () => {
  showUtilisation();
  showShares();
  drawInto(byId("nodes"), () => plotNodes(byId("nodes"), chosenRun("chosen")));
  showQueues(byId("queues"), chosenRun("chosen"));
  showUsers(byId("users"), chosenRun("chosen"));
  showReasons();
};

const showDifference = () => showChanges(byId("changes"), byId("queue-changes"), byId("user-changes"), byId("changes-note"), chosenRun("a"), chosenRun("b"));

const begin = () => {
  const configurations = figures.runs.filter((run) => !isBound(run)).length;
  fillSelect(byId("chosen"), runOptions, Math.max(0, figures.runs.findIndex(isDivided)));
  fillSelect(byId("a"), runOptions, 0);
  fillSelect(byId("b"), runOptions, configurations > 1 || figures.runs.length > 1 ? 1 : 0);
  fillSelect(byId("resource"), resourceTypes.map((type) => [type, type]), resourceTypes[0] ?? "");
  fillSelect(byId("parent"), parents.map((path) => [path, path]), parents[0] ?? "");
  fillSelect(byId("size-measure"), Object.entries(SIZE_MEASURES).map(([key, [label]]) => [key, label]), "slowdown");
  byId("due").checked = childrenOf(chosenRun("chosen"), byId("parent").value).length <= 5;
  byId("chosen").addEventListener("change", showRun);
  byId("a").addEventListener("change", showDifference);
  byId("b").addEventListener("change", showDifference);
  byId("resource").addEventListener("change", showUtilisation);
  byId("utilisation-view").addEventListener("change", showUtilisation);
  byId("parent").addEventListener("change", showShares);
  byId("due").addEventListener("change", showShares);
  byId("size-measure").addEventListener("change", showSizes);
  byId("scripted").hidden = false;
  drawInto(byId("waiting-tasks"), () => plotTasks(byId("waiting-tasks"), "waiting"));
  drawInto(byId("running-tasks"), () => plotTasks(byId("running-tasks"), "running"));
  drawInto(byId("waiting-times"), () => plotWaitingTimes(byId("waiting-times")));
  showSizes();
  showRun();
  showDifference();
  showMalformed();
};

if (figures.runs.length > 0) {
  begin();
}
