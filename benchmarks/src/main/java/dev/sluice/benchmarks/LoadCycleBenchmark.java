package dev.sluice.benchmarks;

import dev.sluice.core.state.Event;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Measures a cycle over load classes in a full cluster of 10,000 workers, after a number of tasks have ended.
 *
 * <p>Only the cycle is measured. Reports of ends and submissions precede it, in the setup of the invocation; updates
 * that they defer to the cycle are included. Each cycle is measured separately, so that median and percentiles are
 * available: on a busy machine the mean depends more on other programs than on the cycle.
 */
@BenchmarkMode(Mode.SingleShotTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Fork(1)
@Warmup(iterations = 500)
@Measurement(iterations = 200)
public class LoadCycleBenchmark {

    /** A full cluster in which tasks end before every cycle. */
    @State(Scope.Thread)
    public static class Busy {

        /** The approximate number of pending tasks; applications are not divided. */
        @Param({"50000", "500000"})
        public int waiting;

        /** The number of tasks that end before every cycle. */
        @Param({"0", "100", "1000"})
        public int ended;

        @SuppressWarnings("NullAway.Init") // created by the setup of the trial
        private LoadBenchmarkCluster cluster;

        private List<Event> events = List.of();

        @Setup(Level.Trial)
        public void build() {
            cluster = new LoadBenchmarkCluster(waiting);
        }

        @Setup(Level.Invocation)
        public void end() {
            cluster.started(events);
            cluster.end(ended);
        }
    }

    /** One cycle. */
    @Benchmark
    public int cycle(Busy state) {
        state.events = state.cluster.cycle();
        return state.events.size();
    }
}
