package dev.sluice.benchmarks;

import dev.sluice.core.configuration.ApplicationSortPolicy;
import dev.sluice.core.configuration.NodeSortPolicy;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** What one placement costs, in cycles that place 100,000 tasks; and what a cycle costs that can place nothing. */
@BenchmarkMode(Mode.AverageTime)
@Fork(1)
@Warmup(iterations = 10, time = 1)
@Measurement(iterations = 10, time = 1)
public class CycleBenchmark {

    /** How many tasks one measured cycle places. */
    static final int PLACEMENTS = 100_000;

    /** An empty cluster with {@link #PLACEMENTS} pending tasks, new for every cycle. */
    @State(Scope.Thread)
    public static class Empty {

        /** How many nodes there are. */
        @Param({"1000", "10000"})
        public int nodes;

        /** The order of nodes. */
        @Param({"FAIR", "BIN_PACKING"})
        public NodeSortPolicy nodeOrder = NodeSortPolicy.FAIR;

        /** The order of applications. */
        @Param({"FIFO", "FAIR", "STATE_AWARE"})
        public ApplicationSortPolicy sortPolicy = ApplicationSortPolicy.FIFO;

        private BenchmarkCluster cluster = new BenchmarkCluster(0, NodeSortPolicy.FAIR, ApplicationSortPolicy.FIFO);

        /** Builds the cluster. */
        @Setup(Level.Invocation)
        public void build() {
            cluster = new BenchmarkCluster(nodes, nodeOrder, sortPolicy);
            cluster.submit("app-", PLACEMENTS / 1000, 1);
        }
    }

    /** A cluster whose every core is taken, with 1,000,000 pending tasks. */
    @State(Scope.Benchmark)
    public static class Full {

        private BenchmarkCluster cluster = new BenchmarkCluster(0, NodeSortPolicy.FAIR, ApplicationSortPolicy.FIFO);

        /** Builds and fills the cluster. */
        @Setup(Level.Trial)
        public void build() {
            cluster = new BenchmarkCluster(1000, NodeSortPolicy.BIN_PACKING, ApplicationSortPolicy.FIFO);
            cluster.submit("running-", 100, 1);
            cluster.cycle();
            cluster.submit("pending-", 1000, 1);
            cluster.cycle();
        }
    }

    /** One placement, event included. */
    @Benchmark
    @BenchmarkMode(Mode.SingleShotTime)
    @OutputTimeUnit(TimeUnit.NANOSECONDS)
    @OperationsPerInvocation(PLACEMENTS)
    public int placement(Empty state) {
        return state.cluster.cycle().size();
    }

    /** One cycle in which nothing fits. */
    @Benchmark
    @OutputTimeUnit(TimeUnit.MICROSECONDS)
    public int fullCluster(Full state) {
        return state.cluster.cycle().size();
    }
}
