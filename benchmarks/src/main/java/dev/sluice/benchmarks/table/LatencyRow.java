package dev.sluice.benchmarks.table;

import dev.sluice.benchmarks.rounds.Quantiles;
import dev.sluice.benchmarks.rounds.Rounds;
import dev.sluice.benchmarks.rounds.Variant;
import dev.sluice.core.command.Command;
import java.util.List;
import java.util.Random;
import org.HdrHistogram.Histogram;

/**
 * The time from the end of a task to the next placement. Ends arrive at random, on average at half of the maximum rate,
 * whether or not the previous one has been processed (open loop), so queueing delays count.
 */
record LatencyRow(int warmup, int rounds) implements Row {

    private static final int NODES = 10_000;
    private static final int RUNNING = NODES * 100;
    private static final int WAITING = 10_000_000;
    private static final int ENDS_MIN = 500;
    private static final int ENDS_MAX = 50_000;

    /** The approximate processor time of the ends of one round, in nanoseconds. */
    private static final double ROUND_NANOS = 3e8;

    @Override
    public String name() {
        return "latency";
    }

    @Override
    public String title() {
        return "From the end of a task to the next placement";
    }

    @Override
    public String about() {
        return Figures.nodes(NODES) + ", all cores taken by " + Figures.format(RUNNING)
                + " tasks, more pending: the report of an end and a cycle that places the next task. The peak is"
                + " measured with ends in immediate succession; then ends arrive at half that rate, at exponential intervals, "
                + Figures.format(ENDS_MIN)
                + " or more per round. Wall-clock time from the instant at which an end was due until the cycle"
                + " returns.";
    }

    @Override
    public List<Line> measure() {
        BusyCluster cluster = new BusyCluster(NODES, 1, RUNNING, WAITING);
        double first = closedLoop(cluster, ENDS_MIN / 5, 1, 3).nanos(0).median();
        int ends = (int) Math.max(ENDS_MIN, Math.min(ENDS_MAX, ROUND_NANOS / first));
        Rounds peak = closedLoop(cluster, ends, warmup, rounds);
        long interval = Math.round(2 * peak.nanos(0).median());
        Random random = new Random(1);
        double[][] micros = new double[2][rounds];
        for (int round = -warmup; round < rounds; round++) {
            Histogram histogram = openLoop(cluster, ends, random, interval);
            if (round >= 0) {
                micros[0][round] = histogram.getValueAtPercentile(99) / 1e3;
                micros[1][round] = histogram.getValueAtPercentile(50) / 1e3;
            }
        }
        return List.of(
                Line.bounded("p99", "µs", Quantiles.of(micros[0]), Bound.below(20, 5)),
                Line.info("p50", "µs", Quantiles.of(micros[1])),
                Line.info("peak", "ends/s", peak.perSecond(0)));
    }

    private static Rounds closedLoop(BusyCluster cluster, int ends, int warmup, int rounds) {
        Variant variant = new Variant("peak", () -> () -> {
            for (int i = 0; i < ends; i++) {
                cluster.handle(cluster.endRandomTask());
                cluster.started(cluster.cycle(1));
            }
            return ends;
        });
        return Rounds.measure(List.of(variant), warmup, rounds);
    }

    /** Returns response times in nanoseconds for exponentially distributed arrivals with this mean interval. */
    private static Histogram openLoop(BusyCluster cluster, int ends, Random random, long interval) {
        Histogram histogram = new Histogram(3);
        double due = System.nanoTime();
        for (int i = 0; i < ends; i++) {
            Command end = cluster.endRandomTask();
            due -= interval * Math.log(1 - random.nextDouble());
            while (System.nanoTime() < due) {
                Thread.onSpinWait();
            }
            cluster.handle(end);
            var events = cluster.cycle(1);
            histogram.recordValue(Math.max(0, System.nanoTime() - (long) due));
            cluster.started(events);
        }
        return histogram;
    }
}
