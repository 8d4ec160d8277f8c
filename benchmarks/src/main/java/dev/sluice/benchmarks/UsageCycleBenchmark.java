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
 * What a cycle over 1,000 queues that share by usage costs in a full cluster of 40,000 cores, when so many tasks have ended since the
 * last one.
 *
 * <p>The cycle alone is measured. Reports of ends and submissions come before it, in the setup of the invocation; what they leave to
 * be brought up to date is done by the cycle and counts. Every cycle is taken by itself, so that median and percentiles can be
 * told: where other programs want the processor as well, the mean says more about them than about the cycle.
 */
@BenchmarkMode(Mode.SingleShotTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Fork(1)
@Warmup(iterations = 500)
@Measurement(iterations = 200)
public class UsageCycleBenchmark {

    /** A full cluster, in which tasks have ended before every cycle. */
    @State(Scope.Thread)
    public static class Busy {

        /** How many tasks wait. */
        @Param({"50000", "500000"})
        public int waiting;

        /** How many tasks end before every cycle. */
        @Param({"0", "100", "1000"})
        public int ended;

        @SuppressWarnings("NullAway.Init") // made by the setup of the trial
        private UsageBenchmarkCluster cluster;

        private List<Event> events = List.of();

        /** Builds and fills the cluster. */
        @Setup(Level.Trial)
        public void build() {
            cluster = new UsageBenchmarkCluster(waiting);
        }

        /** Ends tasks. */
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
