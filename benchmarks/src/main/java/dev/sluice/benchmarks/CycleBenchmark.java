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

/** Measures the cost of a placement, in cycles that place 100,000 tasks, and of a cycle in which no task fits. */
@BenchmarkMode(Mode.AverageTime)
@Fork(1)
@Warmup(iterations = 10, time = 1)
@Measurement(iterations = 10, time = 1)
public class CycleBenchmark {

    /** The number of tasks placed by a measured cycle. */
    static final int PLACEMENTS = 100_000;

    /** An empty cluster with {@link #PLACEMENTS} pending tasks, created for every cycle. */
    @State(Scope.Thread)
    public static class Empty {

        /** The number of nodes. */
        @Param({"1000", "10000"})
        public int nodes;

        /** The node sort policy. */
        @Param({"FAIR", "BIN_PACKING"})
        public NodeSortPolicy nodeOrder = NodeSortPolicy.FAIR;

        /** The application sort policy. */
        @Param({"FIFO", "FAIR", "STATE_AWARE"})
        public ApplicationSortPolicy sortPolicy = ApplicationSortPolicy.FIFO;

        private BenchmarkCluster cluster = new BenchmarkCluster(0, NodeSortPolicy.FAIR, ApplicationSortPolicy.FIFO);

        @Setup(Level.Invocation)
        public void build() {
            cluster = new BenchmarkCluster(nodes, nodeOrder, sortPolicy);
            cluster.submit("app-", PLACEMENTS / 1000, 1);
        }
    }

    /** A cluster with no free core and 1,000,000 pending tasks. */
    @State(Scope.Benchmark)
    public static class Full {

        private BenchmarkCluster cluster = new BenchmarkCluster(0, NodeSortPolicy.FAIR, ApplicationSortPolicy.FIFO);

        @Setup(Level.Trial)
        public void build() {
            cluster = new BenchmarkCluster(1000, NodeSortPolicy.BIN_PACKING, ApplicationSortPolicy.FIFO);
            cluster.submit("running-", 100, 1);
            cluster.cycle();
            cluster.submit("pending-", 1000, 1);
            cluster.cycle();
        }
    }

    /** One placement, including its event. */
    @Benchmark
    @BenchmarkMode(Mode.SingleShotTime)
    @OutputTimeUnit(TimeUnit.NANOSECONDS)
    @OperationsPerInvocation(PLACEMENTS)
    public int placement(Empty state) {
        return state.cluster.cycle().size();
    }

    /** One cycle in which no task fits. */
    @Benchmark
    @OutputTimeUnit(TimeUnit.MICROSECONDS)
    public int fullCluster(Full state) {
        return state.cluster.cycle().size();
    }
}
