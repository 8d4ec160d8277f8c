package dev.sluice.simulator.report;

import dev.sluice.config.problem.Problem;
import dev.sluice.simulator.figures.ClusterFigures;
import dev.sluice.simulator.figures.Comparison;
import dev.sluice.simulator.figures.Definition;
import dev.sluice.simulator.figures.DistributionSummary;
import dev.sluice.simulator.figures.MeasureSpread;
import dev.sluice.simulator.figures.NodeTimeline;
import dev.sluice.simulator.figures.OverallFigures;
import dev.sluice.simulator.figures.QueueFigures;
import dev.sluice.simulator.figures.ResourceFigures;
import dev.sluice.simulator.figures.RunFigures;
import dev.sluice.simulator.figures.Series;
import dev.sluice.simulator.figures.SizeFigures;
import dev.sluice.simulator.figures.SmallestCluster;
import dev.sluice.simulator.figures.StopFigures;
import dev.sluice.simulator.figures.TaskFigures;
import dev.sluice.simulator.figures.TimeFigures;
import dev.sluice.simulator.figures.UserFigures;
import dev.sluice.simulator.figures.WorkloadFigures;
import dev.sluice.simulator.report.JsonWriter.OutputTarget;
import dev.sluice.simulator.workload.MalformedLines;
import java.io.IOException;
import java.util.List;
import java.util.Map;

/**
 * Writes all figures of a comparison as JSON.
 *
 * <p>The document is one object: {@code workload}, {@code percentiles} (the percentiles of every {@code curve}),
 * {@code runs}, {@code definitions}, {@code clusters}, {@code repetitions} and {@code enough}. Keys are the components
 * of the records of {@link dev.sluice.simulator.figures}, with their units; a run also has the name of its variant.
 * Instants are UTC in ISO 8601. Figures have six significant digits, points of a series four; counts are exact; a
 * missing number is {@code null}.
 */
public final class ComparisonJson {

    private static final int DIGITS = 6;
    private static final int DIGITS_OF_SERIES = 4;

    private final JsonWriter json;
    private final OutputTarget outputTarget;

    private ComparisonJson(Appendable to, OutputTarget outputTarget) {
        this.json = new JsonWriter(to, outputTarget);
        this.outputTarget = outputTarget;
    }

    /** Writes the document, followed by a line break. The document is streamed: it is never in memory as a whole. */
    public static void write(Comparison comparison, Appendable to) throws IOException {
        new ComparisonJson(to, OutputTarget.DOCUMENT).comparison(comparison);
        to.append('\n');
    }

    /** Writes the document for a script element of a page, with packed series. */
    static void writeToPage(Comparison comparison, Appendable to) throws IOException {
        new ComparisonJson(to, OutputTarget.SCRIPT).comparison(comparison);
    }

    private void comparison(Comparison comparison) throws IOException {
        json.beginMap();
        json.key("workload");
        workload(comparison.workload());
        json.key("percentiles");
        numbers(DistributionSummary.PERCENTILES, DIGITS);
        json.key("runs").beginList();
        for (RunFigures run : comparison.runs()) {
            json.line();
            run(run);
        }
        json.endList();
        json.key("definitions").beginList();
        for (Definition definition : Definition.values()) {
            json.line();
            json.beginMap();
            json.key("term").text(definition.term());
            json.key("meaning").text(definition.meaning());
            json.key("source").text(definition.source());
            json.endMap();
        }
        json.endList();
        json.key("clusters").beginList();
        for (ClusterFigures cluster : comparison.clusters()) {
            json.line();
            cluster(cluster);
        }
        json.endList();
        json.key("repetitions").count(comparison.repetitions());
        json.key("enough").beginList();
        for (SmallestCluster enough : comparison.enough()) {
            json.line();
            enough(enough);
        }
        json.endList();
        json.endMap();
        json.flush();
    }

    private void workload(WorkloadFigures workload) throws IOException {
        json.beginMap();
        json.key("name").text(workload.name());
        json.key("applications").count(workload.applications());
        json.key("tasks").count(workload.tasks());
        json.key("users").count(workload.users());
        json.key("first").text(workload.first().toString());
        json.key("last").text(workload.last().toString());
        json.key("work");
        amounts(workload.work());
        json.key("timeScale").number(workload.timeScale(), DIGITS);
        json.key("malformed");
        malformed(workload.malformed());
        json.endMap();
    }

    private void capacity(Map<String, Long> capacity) throws IOException {
        json.beginMap();
        for (Map.Entry<String, Long> entry : capacity.entrySet()) {
            json.key(entry.getKey()).count(entry.getValue());
        }
        json.endMap();
    }

    private void cluster(ClusterFigures cluster) throws IOException {
        json.beginMap();
        json.key("name").text(cluster.name());
        json.key("nodes").count(cluster.nodes());
        json.key("capacity");
        capacity(cluster.capacity());
        json.key("scarcest");
        texts(cluster.scarcest());
        json.endMap();
    }

    private void enough(SmallestCluster enough) throws IOException {
        json.beginMap();
        json.key("configuration").text(enough.configuration());
        json.key("conditions");
        texts(enough.conditions());
        json.key("smallest").text(enough.smallest());
        json.key("smaller").text(enough.smaller());
        json.key("range").count(enough.range());
        json.key("checks").beginList();
        for (SmallestCluster.SizeCheck check : enough.checks()) {
            json.line();
            json.beginMap();
            json.key("nodes").text(check.nodes());
            json.key("enough").bool(check.enough());
            json.key("measures");
            spreads(check.measures());
            json.endMap();
        }
        json.endList();
        json.endMap();
    }

    private void spreads(List<MeasureSpread> spreads) throws IOException {
        json.beginList();
        for (MeasureSpread spread : spreads) {
            json.line();
            json.beginMap();
            json.key("measure").text(spread.measure());
            json.key("mean").number(spread.mean(), DIGITS);
            json.key("min").number(spread.min(), DIGITS);
            json.key("max").number(spread.max(), DIGITS);
            json.endMap();
        }
        json.endList();
    }

    private void texts(List<String> texts) throws IOException {
        json.beginList();
        for (String text : texts) {
            json.text(text);
        }
        json.endList();
    }

    private void malformed(MalformedLines malformed) throws IOException {
        json.beginMap();
        json.key("lines").count(malformed.lines());
        json.key("malformed").count(malformed.malformed());
        json.key("first").beginList();
        for (Problem problem : malformed.first()) {
            json.line();
            json.beginMap();
            json.key("file").text(problem.file());
            json.key("line").count(problem.line());
            json.key("column").count(problem.column());
            json.key("path").text(problem.path());
            json.key("message").text(problem.message());
            json.endMap();
        }
        json.endList();
        json.endMap();
    }

    private void run(RunFigures run) throws IOException {
        json.beginMap();
        json.key("name").text(run.name());
        json.key("kind").text(run.kind().wireName());
        json.key("begin").text(run.begin().toString());
        json.key("end").text(run.end().toString());
        json.key("events").count(run.events());
        json.key("total");
        tasks(run.total());
        json.key("overall");
        overall(run.overall());
        json.key("resources").beginList();
        for (ResourceFigures resource : run.resources()) {
            json.line();
            resource(resource);
        }
        json.endList();
        json.key("queues").beginList();
        for (QueueFigures queue : run.queues()) {
            json.line();
            queue(queue);
        }
        json.endList();
        json.key("users").beginList();
        for (UserFigures user : run.users()) {
            json.line();
            json.beginMap();
            json.key("name").text(user.name());
            json.key("tasks");
            tasks(user.tasks());
            json.endMap();
        }
        json.endList();
        json.key("sizes").beginList();
        for (SizeFigures size : run.sizes()) {
            json.line();
            size(size);
        }
        json.endList();
        json.key("time");
        time(run.time());
        json.key("nodes");
        nodes(run.nodes());
        json.key("reasons").beginList();
        for (RunFigures.Reason reason : run.reasons()) {
            json.line();
            json.beginMap();
            json.key("text").text(reason.text());
            json.key("tasks").count(reason.tasks());
            json.endMap();
        }
        json.endList();
        json.key("variant").beginMap();
        json.key("configuration").text(run.variant().configuration());
        json.key("nodes").text(run.variant().nodes());
        json.endMap();
        json.key("spread");
        spreads(run.spread());
        json.endMap();
    }

    private void tasks(TaskFigures tasks) throws IOException {
        json.beginMap();
        json.key("applications").count(tasks.applications());
        json.key("rejected").count(tasks.rejected());
        json.key("tasks").count(tasks.tasks());
        json.key("starts").count(tasks.starts());
        json.key("succeeded").count(tasks.succeeded());
        json.key("failed").count(tasks.failed());
        json.key("stops").count(tasks.stops());
        json.key("neverStarted").count(tasks.neverStarted());
        json.key("running").count(tasks.running());
        json.key("waiting");
        distribution(tasks.waiting());
        json.key("slowdown");
        distribution(tasks.slowdown());
        json.key("longestWaitSeconds").number(tasks.longestWaitSeconds(), DIGITS);
        json.key("used");
        amounts(tasks.used());
        json.key("preempted").count(tasks.preempted());
        json.key("timedOut").count(tasks.timedOut());
        json.key("stopped").beginMap();
        for (Map.Entry<String, StopFigures> each : tasks.stopped().entrySet()) {
            json.key(each.getKey()).beginMap();
            json.key("stops").count(each.getValue().stops());
            json.key("lostSeconds").number(each.getValue().lostSeconds(), DIGITS);
            json.endMap();
        }
        json.endMap();
        json.endMap();
    }

    private void overall(OverallFigures overall) throws IOException {
        json.beginMap();
        json.key("makespanSeconds").number(overall.makespanSeconds(), DIGITS);
        json.key("throughputPerHour").number(overall.throughputPerHour(), DIGITS);
        json.key("fragmented").number(overall.fragmented(), DIGITS);
        json.key("withheld").number(overall.withheld(), DIGITS);
        json.key("queueJainIndex").number(overall.queueJainIndex(), DIGITS);
        json.key("userJainIndex").number(overall.userJainIndex(), DIGITS);
        json.key("unfairness").number(overall.unfairness(), DIGITS);
        json.key("loans").number(overall.loans(), DIGITS);
        json.key("lostSeconds").number(overall.lostSeconds(), DIGITS);
        if (overall.gangs().any()) {
            json.key("gangs").beginMap();
            json.key("started").count(overall.gangs().started());
            json.key("timedOut").count(overall.gangs().timedOut());
            json.key("waiting");
            distribution(overall.gangs().waiting());
            json.endMap();
        }
        json.endMap();
    }

    private void resource(ResourceFigures resource) throws IOException {
        json.beginMap();
        json.key("type").text(resource.type());
        json.key("capacity").count(resource.capacity());
        json.key("utilisation").number(resource.utilisation(), DIGITS);
        series("used", resource.used());
        series("fragmented", resource.fragmented());
        series("withheld", resource.withheld());
        json.endMap();
    }

    private void queue(QueueFigures queue) throws IOException {
        json.beginMap();
        json.key("path").text(queue.path());
        json.key("leaf").bool(queue.leaf());
        json.key("policy").text(queue.policy());
        json.key("tasks");
        tasks(queue.tasks());
        json.key("receivedMean").number(queue.receivedMean(), DIGITS);
        json.key("dueMean").number(queue.dueMean(), DIGITS);
        json.key("area").number(queue.area(), DIGITS);
        json.key("waitingMean").number(queue.waitingMean(), DIGITS);
        json.key("waitingMax").count(queue.waitingMax());
        json.key("borrowed").number(queue.borrowed(), DIGITS);
        json.key("lent").number(queue.lent(), DIGITS);
        series("received", queue.received());
        series("due", queue.due());
        json.endMap();
    }

    private void size(SizeFigures size) throws IOException {
        json.beginMap();
        json.key("resource").text(size.resource());
        json.key("from").count(size.from());
        json.key("to").count(size.to());
        json.key("count").count(size.count());
        json.key("waiting");
        distribution(size.waiting());
        json.key("slowdown");
        distribution(size.slowdown());
        json.endMap();
    }

    private void time(TimeFigures time) throws IOException {
        json.beginMap();
        series("waiting", time.waiting());
        series("running", time.running());
        json.endMap();
    }

    private void nodes(NodeTimeline nodes) throws IOException {
        json.beginMap();
        json.key("rows").beginList();
        for (NodeTimeline.Row row : nodes.rows()) {
            json.line();
            json.beginMap();
            json.key("first").text(row.first());
            json.key("last").text(row.last());
            json.key("nodes").count(row.nodes());
            series("used", row.used());
            json.endMap();
        }
        json.endList();
        json.endMap();
    }

    private void distribution(DistributionSummary distribution) throws IOException {
        json.beginMap();
        json.key("count").count(distribution.count());
        json.key("mean").number(distribution.mean(), DIGITS);
        json.key("p50").number(distribution.p50(), DIGITS);
        json.key("p90").number(distribution.p90(), DIGITS);
        json.key("p99").number(distribution.p99(), DIGITS);
        json.key("max").number(distribution.max(), DIGITS);
        json.key("curve");
        numbers(distribution.curve(), DIGITS);
        json.endMap();
    }

    private void series(String key, Series series) throws IOException {
        json.key(key).beginMap();
        json.key("axis").beginMap();
        json.key("stepSeconds").number(series.axis().stepSeconds(), DIGITS);
        json.key("points").count(series.axis().points());
        json.endMap();
        if (outputTarget == OutputTarget.SCRIPT) {
            PackedSeries packed = PackedSeries.of(series);
            json.key("peak").number(packed.peak(), DIGITS);
            json.key("levels").text(packed.levels());
        } else {
            json.key("values");
            numbers(series.values(), DIGITS_OF_SERIES);
        }
        json.endMap();
    }

    private void amounts(Map<String, Double> amounts) throws IOException {
        json.beginMap();
        for (Map.Entry<String, Double> entry : amounts.entrySet()) {
            json.key(entry.getKey()).number(entry.getValue(), DIGITS);
        }
        json.endMap();
    }

    private void numbers(List<Double> values, int digits) throws IOException {
        json.beginList();
        for (double value : values) {
            json.number(value, digits);
        }
        json.endList();
    }
}
