package dev.sluice.simulator.report;

import dev.sluice.config.problem.Problem;
import dev.sluice.simulator.figures.ClusterFigures;
import dev.sluice.simulator.figures.Comparison;
import dev.sluice.simulator.figures.DistributionSummary;
import dev.sluice.simulator.figures.GangFigures;
import dev.sluice.simulator.figures.MeasureSpread;
import dev.sluice.simulator.figures.NodeTimeline;
import dev.sluice.simulator.figures.OverallFigures;
import dev.sluice.simulator.figures.QueueFigures;
import dev.sluice.simulator.figures.ResourceFigures;
import dev.sluice.simulator.figures.RunFigures;
import dev.sluice.simulator.figures.RunVariant;
import dev.sluice.simulator.figures.Series;
import dev.sluice.simulator.figures.SizeFigures;
import dev.sluice.simulator.figures.SmallestCluster;
import dev.sluice.simulator.figures.StopFigures;
import dev.sluice.simulator.figures.TaskFigures;
import dev.sluice.simulator.figures.TimeAxis;
import dev.sluice.simulator.figures.TimeFigures;
import dev.sluice.simulator.figures.UserFigures;
import dev.sluice.simulator.figures.WorkloadFigures;
import dev.sluice.simulator.workload.MalformedLines;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.SortedMap;
import java.util.TreeMap;

/** Artificial figures that look realistic: waves of work, alternating queues, some tasks that wait for days. */
final class GeneratedFigures {

    private static final Instant BEGIN = Instant.parse("2026-01-05T00:00:00Z");
    private static final double DAY = 86_400;

    private final Random random = new Random(7);
    private final int departments;
    private final int teams;
    private final int users;
    private final int points;

    private GeneratedFigures(int departments, int teams, int users, int points) {
        this.departments = departments;
        this.teams = teams;
        this.users = users;
        this.points = points;
    }

    /** Three leaf queues below root, twelve users, two configurations and the bounds. */
    static Comparison small() {
        return new GeneratedFigures(3, 0, 12, 300).comparison("lublin-256.swf", List.of("fair", "load-50-30-20"));
    }

    /** 300 leaf queues below twelve departments, 200 users, three configurations and the bounds. */
    static Comparison large() {
        return new GeneratedFigures(12, 25, 200, 500)
                .comparison(
                        "LCG-2005-1.swf.gz",
                        List.of("queues-as-they-are", "usage-halftime-one-week", "departments-by-load-percentage"));
    }

    static Comparison nothing() {
        Series none = new Series(new TimeAxis(1, 0), List.of());
        TaskFigures tasks = new TaskFigures(
                0,
                0,
                0,
                0,
                0,
                0,
                0,
                0,
                0,
                DistributionSummary.EMPTY,
                DistributionSummary.EMPTY,
                0,
                new TreeMap<>(),
                0,
                0,
                new TreeMap<>());
        OverallFigures overall = new OverallFigures(0, 0, 0, 0, 1, 1, 0, 0, 0);
        QueueFigures root = new QueueFigures("root", true, "fifo", tasks, 0, 0, 0, 0, 0, 0, 0, none, none);
        RunFigures run = new RunFigures(
                RunFigures.RunKind.CONFIGURATION,
                BEGIN,
                BEGIN,
                0,
                tasks,
                overall,
                List.of(),
                List.of(root),
                List.of(),
                List.of(),
                new TimeFigures(none, none),
                new NodeTimeline(List.of()),
                List.of(),
                new RunVariant("empty", ""),
                List.of());
        WorkloadFigures workload =
                new WorkloadFigures("empty.csv", 0, 0, 0, BEGIN, BEGIN, new TreeMap<>(), 1, MalformedLines.NONE);
        return new Comparison(workload, List.of(run), ClusterFigures.of("", 0, new TreeMap<>(), new TreeMap<>()));
    }

    private Comparison comparison(String name, List<String> configurations) {
        List<RunFigures> runs = new ArrayList<>();
        for (String configuration : configurations) {
            runs.add(run(configuration, RunFigures.RunKind.CONFIGURATION, 1 - 0.25 * runs.size() / 2));
        }
        runs.add(run("shortest-first", RunFigures.RunKind.SHORTEST_FIRST, 0.3));
        runs.add(run("infinite-nodes", RunFigures.RunKind.INFINITE_NODES, 0));
        runs.add(run("random-order", RunFigures.RunKind.RANDOM_ORDER, 1.4));
        SortedMap<String, Double> work = new TreeMap<>();
        work.put("memory", 256 * 64e9 * 5.1 * DAY);
        work.put("slots", 2048 * 5.6 * DAY);
        work.put("vcore", 2_048_000 * 6.2 * DAY);
        SortedMap<String, Long> capacity = new TreeMap<>();
        capacity.put("memory", 256L * 64 * 1024 * 1024 * 1024);
        capacity.put("slots", 2048L);
        capacity.put("vcore", 2_048_000L);
        MalformedLines malformed = new MalformedLines(
                20_012,
                12,
                List.of(
                        new Problem(name, 117, 9, "runtime", "the duration is -1: leave the job out, or give it one"),
                        new Problem(name, 4_031, 1, "", "17 fields where 18 are needed: is the line cut off?")));
        WorkloadFigures workload = new WorkloadFigures(
                name, 20_000, 48_512, users, BEGIN, BEGIN.plusSeconds((long) (7 * DAY)), work, 1, malformed);
        SmallestCluster enough = new SmallestCluster(
                configurations.get(0),
                List.of("p90 wait <= 1h"),
                "256",
                "",
                512,
                List.of(new SmallestCluster.SizeCheck(
                        "256", true, List.of(new MeasureSpread("p90 wait", 3000, 3000, 3000)))));
        return new Comparison(workload, runs, List.of(ClusterFigures.of("", 256, capacity, work)), 3, List.of(enough));
    }

    private RunFigures run(String name, RunFigures.RunKind kind, double delay) {
        double makespan = DAY * (7 + 1.5 * delay);
        TimeAxis axis = new TimeAxis(makespan / points, points);
        List<QueueFigures> queues = queues(axis, delay);
        List<ResourceFigures> resources = new ArrayList<>();
        for (String type : List.of("memory", "slots", "vcore")) {
            Series used = wave(axis, 0.72 - 0.1 * resources.size(), 0.25, 3 + resources.size());
            Series fragmented = part(used, 0.25 * delay);
            Series withheld = part(used, 0.4 * delay);
            resources.add(new ResourceFigures(type, 2_048_000, mean(used), used, fragmented, withheld));
        }
        List<UserFigures> people = new ArrayList<>();
        for (int i = 0; i < users; i++) {
            people.add(new UserFigures(String.format(java.util.Locale.ROOT, "user%03d", i), tasks(40, delay)));
        }
        people.add(new UserFigures(UserFigures.OTHERS, tasks(70, delay)));
        List<SizeFigures> sizes = new ArrayList<>();
        for (long from = 1; from <= 512; from *= 2) {
            sizes.add(new SizeFigures(
                    "vcore",
                    from * 1000,
                    from * 2000 - 1,
                    9000 / from,
                    spread(9000 / from, delay * 600 * Math.sqrt((double) from)),
                    spread(9000 / from, 1 + delay * 2 * Math.sqrt((double) from))));
        }
        List<NodeTimeline.Row> rows = new ArrayList<>();
        for (int i = 0; i < 64; i++) {
            Series used = wave(axis, 0.9 - i * 0.012, 0.3, i % 5);
            rows.add(new NodeTimeline.Row("node-" + 4 * i, "node-" + (4 * i + 3), 4, used));
        }
        Series waiting = scaled(wave(axis, 0.4, 0.4, 9), 9000 * delay);
        Series running = scaled(wave(axis, 0.7, 0.3, 9), 1800);
        List<RunFigures.Reason> reasons = delay == 0
                ? List.of()
                : List.of(
                        new RunFigures.Reason("no node has room for it: it asks for more memory than any has", 31),
                        new RunFigures.Reason("the quota of a queue does not allow it", 4));
        return new RunFigures(
                kind,
                BEGIN,
                BEGIN.plusSeconds((long) makespan),
                97_024,
                tasks(48_512, delay),
                new OverallFigures(
                        makespan,
                        48_400 / (makespan / 3600),
                        0.04 * delay,
                        0.06 * delay,
                        1 - 0.2 * delay,
                        1 - 0.4 * delay,
                        0.11 * delay,
                        3.6e6 * delay,
                        72_000 * delay,
                        new GangFigures(40, 2, spread(40, 600 * delay))),
                resources,
                queues,
                people,
                sizes,
                new TimeFigures(waiting, running),
                new NodeTimeline(rows),
                reasons,
                new RunVariant(name, ""),
                List.of(new MeasureSpread("makespan", makespan, makespan / 2, makespan * 2)));
    }

    private List<QueueFigures> queues(TimeAxis axis, double delay) {
        List<QueueFigures> all = new ArrayList<>();
        List<List<Double>> receivedOfDepartments = new ArrayList<>();
        for (int i = 0; i < departments; i++) {
            Series received = wave(axis, 0.6 / departments, 0.45 / departments, i);
            receivedOfDepartments.add(received.values());
            String path = "root."
                    + (departments == 3
                            ? List.of("physics", "biology", "chemistry").get(i)
                            : "department-" + i);
            all.add(queue(path, teams == 0, received, delay, 48_512 / departments));
            for (int j = 0; j < teams; j++) {
                Series part = scaled(wave(axis, 0.5, 0.5, j), 0.8 / departments * 2 / (j + 2) / 2);
                all.add(queue(path + ".team-" + j, true, part, delay, 48_512 / departments / teams));
            }
        }
        all.sort(java.util.Comparator.comparing(QueueFigures::path));
        List<Double> sum = new ArrayList<>();
        for (int i = 0; i < points; i++) {
            double at = 0;
            for (List<Double> received : receivedOfDepartments) {
                at += received.get(i);
            }
            sum.add(Math.min(1, at));
        }
        all.add(0, queue("root", false, new Series(axis, sum), delay, 48_512));
        return all;
    }

    private QueueFigures queue(String path, boolean leaf, Series received, double delay, int count) {
        double due = mean(received) * (0.8 + 0.4 * random.nextDouble());
        List<Double> dues = new ArrayList<>();
        for (double value : received.values()) {
            dues.add(0.7 * due + 0.3 * value);
        }
        return new QueueFigures(
                path,
                leaf,
                leaf ? "fifo" : "fair",
                tasks(count, delay * (0.5 + random.nextDouble())),
                mean(received),
                due,
                0.02 * delay * random.nextDouble(),
                12 * delay * random.nextDouble(),
                (long) (200 * delay * random.nextDouble()),
                leaf ? 36_000 * delay : 0,
                leaf ? 18_000 * delay : 0,
                received,
                new Series(received.axis(), dues));
    }

    private TaskFigures tasks(long count, double delay) {
        SortedMap<String, Double> used = new TreeMap<>();
        used.put("slots", count * 5400.0);
        used.put("vcore", count * 5_400_000.0);
        DistributionSummary waiting = spread(count, 1800 * delay * (0.3 + random.nextDouble()));
        return new TaskFigures(
                Math.max(1, count / 3),
                delay > 1.2 ? 3 : 0,
                count,
                count + 5,
                count - 7,
                2,
                delay == 0 ? 0 : 5,
                delay == 0 ? 0 : count > 1000 ? 35 : 0,
                0,
                waiting,
                spread(count, 1 + 3 * delay * random.nextDouble()),
                waiting.max() * 1.2,
                used,
                delay == 0 ? 0 : 3,
                delay == 0 ? 0 : 2,
                delay == 0
                        ? new TreeMap<>()
                        : new TreeMap<>(Map.of("guarantee", new StopFigures(3, 90), "timeout", new StopFigures(2, 0))));
    }

    /** Exponential, starting at 1 if the mean is that of a slowdown. */
    private DistributionSummary spread(long count, double mean) {
        List<Double> curve = new ArrayList<>();
        for (double percentile : DistributionSummary.PERCENTILES) {
            curve.add(at(mean, percentile));
        }
        return new DistributionSummary(count, mean, at(mean, 50), at(mean, 90), at(mean, 99), at(mean, 100), curve);
    }

    private static double at(double mean, double percentile) {
        double least = mean >= 1 && mean < 50 ? 1 : 0;
        return least + (mean - least) * -Math.log(1.0001 - percentile / 100.0001);
    }

    private Series wave(TimeAxis axis, double middle, double swing, int phase) {
        List<Double> values = new ArrayList<>();
        double noise = 0;
        for (int i = 0; i < axis.points(); i++) {
            double day = i * axis.stepSeconds() / DAY;
            noise = 0.9 * noise + 0.1 * (random.nextDouble() - 0.5);
            double fading = day > 7 ? Math.max(0, 1 - (day - 7)) : 1;
            double value = middle + swing * (0.6 * Math.sin(2 * Math.PI * day + phase) + noise);
            values.add(Math.max(0, Math.min(1, fading * value)));
        }
        return new Series(axis, values);
    }

    /** Returns a fraction of the unused rest. */
    private static Series part(Series used, double part) {
        List<Double> values = new ArrayList<>();
        for (double value : used.values()) {
            values.add((1 - value) * part);
        }
        return new Series(used.axis(), values);
    }

    private static Series scaled(Series series, double factor) {
        List<Double> values = new ArrayList<>();
        for (double value : series.values()) {
            values.add(value * factor);
        }
        return new Series(series.axis(), values);
    }

    private static double mean(Series series) {
        return series.values().stream().mapToDouble(value -> value).average().orElse(0);
    }
}
