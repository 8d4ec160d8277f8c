package dev.sluice.benchmarks.rivals;

import com.netflix.fenzo.TaskRequest;
import dev.sluice.benchmarks.BenchmarkCluster;
import dev.sluice.benchmarks.rounds.Variant;
import dev.sluice.benchmarks.rounds.CpuTime;
import dev.sluice.benchmarks.rounds.Machine;
import dev.sluice.benchmarks.rounds.Rounds;
import dev.sluice.benchmarks.rounds.Quantiles;
import dev.sluice.core.configuration.ApplicationSortPolicy;
import dev.sluice.core.configuration.NodeSortPolicy;
import dev.sluice.core.state.Event;
import dev.sluice.core.state.TaskEvent;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import tools.jackson.databind.json.JsonMapper;

/**
 * Compares the tasks per second of processor time that Sluice, Fenzo and YARN's CapacityScheduler place, alternating in
 * one JVM. The time of all threads counts, because Fenzo evaluates nodes in several.
 */
public final class RivalsBenchmark {

    private static final int APPLICATIONS = 1000;
    private static final int SOME = 10_000;
    private static final int MANY = 100_000;
    private static final int MANY_AT = 6;

    private RivalsBenchmark() {}

    /**
     * The result of one scheduler and cluster size.
     *
     * @param tasks the number of tasks placed per round
     * @param perSecond the tasks placed per second of processor time
     * @param ratio the rate of Sluice with the same number of tasks divided by this rate, per round
     * @param ratioOfMany the rate of Sluice with 100,000 tasks divided by this rate, per round
     */
    record Rate(int nodes, String name, int tasks, Quantiles perSecond, Quantiles ratio, Quantiles ratioOfMany) {}

    /** The content of the result file. */
    record Results(Machine machine, int warmup, int rounds, List<Rate> rates) {}

    /**
     * Runs the benchmark, prints a table and writes a file.
     *
     * @param arguments the file, the number of warm-up rounds and the number of measured rounds
     */
    public static void main(String[] arguments) {
        int warmup = Integer.parseInt(arguments[1]);
        int rounds = Integer.parseInt(arguments[2]);
        Machine machine = Machine.here();
        System.out.println(machine);
        List<Rate> rates = new ArrayList<>();
        rates.addAll(measure(1_000, 2_000, warmup, rounds));
        rates.addAll(measure(10_000, 500, warmup, rounds));
        JsonMapper.shared()
                .writerWithDefaultPrettyPrinter()
                .writeValue(Path.of(arguments[0]).toFile(), new Results(machine, warmup, rounds, rates));
    }

    private static List<Rate> measure(int nodes, int few, int warmup, int rounds) {
        try (FenzoCluster everyNode = new FenzoCluster(nodes, 1);
                FenzoCluster firstFit = new FenzoCluster(nodes, 0);
                YarnCluster yarn = new YarnCluster(nodes)) {
            Rounds measured = Rounds.measure(
                    List.of(
                            sluice("Sluice", nodes, few, Math.min(few, APPLICATIONS)),
                            sluice("Sluice, 1 application", nodes, few, 1),
                            fenzo("Fenzo", everyNode, few),
                            fenzo("Fenzo, first fit", firstFit, few),
                            sluice("Sluice", nodes, SOME, APPLICATIONS),
                            yarn(yarn),
                            sluice("Sluice", nodes, MANY, APPLICATIONS)),
                    warmup,
                    rounds,
                    CpuTime::ofAllThreads);
            return List.of(
                    rate(measured, nodes, few, 0, 0),
                    rate(measured, nodes, few, 0, 1),
                    rate(measured, nodes, few, 0, 2),
                    rate(measured, nodes, few, 0, 3),
                    rate(measured, nodes, SOME, 4, 4),
                    rate(measured, nodes, SOME, 4, 5),
                    rate(measured, nodes, MANY, MANY_AT, MANY_AT));
        }
    }

    private static Rate rate(Rounds measured, int nodes, int tasks, int sluice, int variant) {
        Rate rate = new Rate(
                nodes,
                measured.variants().get(variant).name(),
                tasks,
                measured.nanos(variant).times(1e-9).inverse(),
                measured.ratio(sluice, variant),
                measured.ratio(MANY_AT, variant));
        System.out.printf(
                Locale.ROOT,
                "%6d nodes  %6d tasks  %-21s  %-32s per second; Sluice %s x, with 100,000 tasks %s x%n",
                nodes,
                tasks,
                rate.name,
                rate.perSecond,
                rate.ratio,
                rate.ratioOfMany);
        return rate;
    }

    private static Variant sluice(String name, int nodes, int tasks, int applications) {
        return new Variant(name, () -> {
            BenchmarkCluster cluster =
                    new BenchmarkCluster(nodes, NodeSortPolicy.BIN_PACKING, ApplicationSortPolicy.FIFO);
            cluster.cycle(); // makes the nodes known, as for the other schedulers
            cluster.submit("app-", applications, tasks / applications, 1);
            return () -> expect(tasks, placed(cluster.cycle()));
        });
    }

    private static long placed(List<Event> events) {
        return events.stream().filter(TaskEvent.Placed.class::isInstance).count();
    }

    private static Variant fenzo(String name, FenzoCluster cluster, int tasks) {
        return new Variant(name, () -> {
            cluster.clear();
            List<TaskRequest> requests = FenzoCluster.tasks(tasks);
            return () -> expect(tasks, cluster.place(requests));
        });
    }

    private static Variant yarn(YarnCluster cluster) {
        return new Variant("YARN", () -> {
            cluster.clear();
            cluster.submit(SOME / APPLICATIONS);
            return () -> expect(SOME, cluster.place());
        });
    }

    private static long expect(int tasks, long placed) {
        if (placed != tasks) {
            throw new IllegalStateException("placed " + placed + " of " + tasks + " tasks");
        }
        return placed;
    }
}
