package dev.sluice.benchmarks;

import dev.sluice.benchmarks.rounds.Machine;
import dev.sluice.benchmarks.rounds.Quantiles;
import dev.sluice.benchmarks.rounds.Rounds;
import dev.sluice.benchmarks.rounds.Variant;
import dev.sluice.core.state.Event;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Supplier;
import tools.jackson.databind.json.JsonMapper;

/**
 * Measures whether a cycle costs more with ten times as many pending tasks: two full clusters that differ only in this,
 * alternating in one JVM. Separate JVMs would mistake disturbances of the machine for growth.
 */
public final class GrowthBenchmark {

    private static final int FEW = 50_000;
    private static final int MANY = 500_000;
    private static final int WARMUP = 600;
    private static final int ROUNDS = 600;

    private GrowthBenchmark() {}

    /**
     * The result of one pair of clusters.
     *
     * @param ended the number of tasks that end and start in every cycle
     * @param few milliseconds per cycle with 50,000 pending tasks
     * @param many milliseconds per cycle with 500,000 pending tasks
     * @param ratio the duration with 500,000 pending tasks divided by that with 50,000, per round
     */
    record Growth(String policy, int ended, Quantiles few, Quantiles many, Quantiles ratio) {}

    /** The content of the result file. */
    record Results(Machine machine, int rounds, List<Growth> growth) {}

    /** Runs the benchmark, prints a table and writes the file named by the argument. */
    public static void main(String[] arguments) {
        Machine machine = Machine.here();
        System.out.println(machine);
        List<Growth> growth = new ArrayList<>();
        for (int ended : new int[] {0, 100, 1000}) {
            growth.add(measure("load", ended, new LoadBenchmarkCluster(FEW), new LoadBenchmarkCluster(MANY)));
            growth.add(measure("usage", ended, new UsageBenchmarkCluster(FEW), new UsageBenchmarkCluster(MANY)));
        }
        JsonMapper.shared()
                .writerWithDefaultPrettyPrinter()
                .writeValue(Path.of(arguments[0]).toFile(), new Results(machine, ROUNDS, growth));
    }

    private static Growth measure(String policy, int ended, FullCluster few, FullCluster many) {
        Rounds rounds =
                Rounds.measure(List.of(variant("few", few, ended), variant("many", many, ended)), WARMUP, ROUNDS);
        Growth growth = new Growth(
                policy, ended, rounds.nanos(0).times(1e-6), rounds.nanos(1).times(1e-6), rounds.ratio(0, 1));
        System.out.printf(
                Locale.ROOT,
                "%-6s %5d ended  %s ms  %s ms  %s x%n",
                policy,
                ended,
                growth.few,
                growth.many,
                growth.ratio);
        return growth;
    }

    private static Variant variant(String name, FullCluster cluster, int ended) {
        return new Variant(name, new Supplier<>() {
            private List<Event> events = List.of();

            @Override
            public Variant.Work get() {
                cluster.started(events);
                cluster.end(ended);
                return () -> {
                    events = cluster.cycle();
                    return 1;
                };
            }
        });
    }
}
