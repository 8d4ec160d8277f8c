package dev.sluice.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.core.application.ApplicationState;
import dev.sluice.core.application.TaskSpec;
import dev.sluice.core.configuration.NodeSortPolicy;
import dev.sluice.core.configuration.PartitionConfiguration;
import dev.sluice.core.resource.Resources;
import dev.sluice.core.testing.ClusterUnderTest;
import dev.sluice.core.testing.QueueTreeText;
import dev.sluice.core.testing.SchedulerExtension;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Examples and statements of the source documents, one test each. */
@ExtendWith(SchedulerExtension.class)
class DocumentExamplesTest {

    private static final Resources CORE = Resources.parse("vcore", "1");

    /** "Example run" of "Batch Workloads Ordering with StateAware Policy", step by step. */
    @Test
    void stateaware_exampleRun_placesD1E11E12D2E21(ClusterUnderTest cluster) {
        cluster.queues(QueueTreeText.of("""
                root
                └─ spark   stateaware
                """));
        cluster.node("n", "vcore", "8");
        List<String> placed = new ArrayList<>();
        // 1: both are accepted and wait for their first allocation
        cluster.submit("app1", "root.spark", TaskSpec.single("D1", CORE)).advance(Duration.ofSeconds(1));
        cluster.submit("app2", "root.spark", TaskSpec.single("D2", CORE));
        checkStates(cluster, ApplicationState.ACCEPTED, ApplicationState.ACCEPTED);
        // 2: one accepted application is admitted, although both drivers would fit
        placed.addAll(cluster.cycle());
        placed.addAll(cluster.cycle());
        checkStates(cluster, ApplicationState.STARTING, ApplicationState.ACCEPTED);
        // 3: the executors make it running; 4: now App2 is admitted
        cluster.add("app1", TaskSpec.single("E11", CORE), TaskSpec.single("E12", CORE));
        placed.addAll(cluster.cycle());
        checkStates(cluster, ApplicationState.RUNNING, ApplicationState.STARTING);
        // 5
        cluster.add("app2", TaskSpec.single("E21", CORE));
        placed.addAll(cluster.cycle());
        checkStates(cluster, ApplicationState.RUNNING, ApplicationState.RUNNING);

        assertThat(placed)
                .containsExactly("app1/D1 -> n", "app1/E11 -> n", "app1/E12 -> n", "app2/D2 -> n", "app2/E21 -> n");
    }

    private static void checkStates(ClusterUnderTest cluster, ApplicationState first, ApplicationState second) {
        assertThat(List.of(cluster.state("app1"), cluster.state("app2"))).containsExactly(first, second);
    }

    /** "The application in the starting state does not have to have pending requests." */
    @Test
    void stateaware_startingWithoutPendingTasks_blocksForFiveMinutes(ClusterUnderTest cluster) {
        cluster.queues(QueueTreeText.of("""
                root
                └─ spark   stateaware
                """));
        cluster.node("n", "vcore", "8");
        cluster.submit("first", "root.spark", TaskSpec.single("driver", CORE));
        cluster.submit("second", "root.spark", TaskSpec.single("driver", CORE));
        cluster.submit("third", "root.spark", TaskSpec.single("driver", CORE));
        assertThat(cluster.cycle()).containsExactly("first/driver -> n");

        assertThat(cluster.cycle()).isEmpty();
        cluster.advance(Duration.ofMinutes(5).minusNanos(1));
        assertThat(cluster.cycle()).isEmpty();

        cluster.advance(Duration.ofNanos(1));
        assertThat(cluster.cycle()).containsExactly("second/driver -> n");
        assertThat(cluster.state("first")).isEqualTo(ApplicationState.RUNNING);
    }

    /**
     * "An application that is newly added … will only get resources if applications in the later stages do not need
     * any."
     */
    @Test
    void stateaware_runningApplicationRequestsMore_precedesNewOne(ClusterUnderTest cluster) {
        cluster.queues(QueueTreeText.of("""
                root
                └─ spark   stateaware
                """));
        cluster.node("n", "vcore", "3");
        cluster.submit("running", "root.spark", TaskSpec.of("t", 2, CORE));
        cluster.cycle();

        cluster.advance(Duration.ofSeconds(1)).submit("new", "root.spark", TaskSpec.single("driver", CORE));
        cluster.add("running", TaskSpec.of("u", 2, CORE));

        assertThat(cluster.cycle()).containsExactly("running/u-0 -> n");
        cluster.succeed("running/t-0").succeed("running/t-1");
        assertThat(cluster.cycle()).containsExactly("running/u-1 -> n", "new/driver -> n");
    }

    /**
     * "Younger applications will be given resources when all the current requests of older applications have been
     * fulfilled."
     */
    @Test
    void fifo_olderApplication_isServedFirst(ClusterUnderTest cluster) {
        cluster.queues(QueueTreeText.of("""
                root
                └─ sandbox   fifo
                """));
        cluster.submit("older", "root.sandbox", TaskSpec.of("t", 3, CORE)).advance(Duration.ofSeconds(1));
        cluster.submit("younger", "root.sandbox", TaskSpec.of("t", 3, CORE));

        cluster.node("n", "vcore", "2");
        assertThat(cluster.cycle()).containsExactly("older/t-0 -> n", "older/t-1 -> n");
        cluster.add("older", TaskSpec.single("late", CORE)).updateNode("n", "vcore", "5");
        assertThat(cluster.cycle()).containsExactly("older/t-2 -> n", "older/late -> n", "younger/t-0 -> n");
    }

    /**
     * "All applications that have pending resource requests can and will be scheduled": several run in parallel under
     * fifo.
     */
    @Test
    void fifo_olderApplicationDoesNotFit_youngerRuns(ClusterUnderTest cluster) {
        cluster.queues(QueueTreeText.of("""
                root
                └─ sandbox   fifo
                """));
        cluster.node("n", "vcore", "2");
        cluster.submit("older", "root.sandbox", TaskSpec.of("large", 2, Resources.parse("vcore", "2")));
        cluster.submit("younger", "root.sandbox", TaskSpec.of("small", 2, CORE));
        assertThat(cluster.cycle()).containsExactly("older/large-0 -> n");

        cluster.node("m", "vcore", "1");

        assertThat(cluster.cycle()).containsExactly("younger/small-0 -> m");
    }

    /** "The resources available are spread equally over all applications that request resources." */
    @Test
    void fair_threeApplications_areServedEqually(ClusterUnderTest cluster) {
        cluster.queues(QueueTreeText.of("""
                root
                └─ sandbox   fair
                """));
        cluster.node("n", "vcore", "8", "memory", "8Gi");
        cluster.submit("a", "root.sandbox", TaskSpec.of("t", 8, CORE)).advance(Duration.ofSeconds(1));
        cluster.submit("b", "root.sandbox", TaskSpec.of("t", 8, CORE)).advance(Duration.ofSeconds(1));
        cluster.submit("c", "root.sandbox", TaskSpec.of("t", 8, Resources.parse("memory", "2Gi")));

        assertThat(cluster.cycle())
                .containsExactly(
                        "a/t-0 -> n",
                        "b/t-0 -> n",
                        "c/t-0 -> n",
                        "a/t-1 -> n",
                        "b/t-1 -> n",
                        "a/t-2 -> n",
                        "b/t-2 -> n",
                        "c/t-1 -> n",
                        "a/t-3 -> n",
                        "b/t-3 -> n",
                        "c/t-2 -> n",
                        "c/t-3 -> n");
    }

    /**
     * "If the node has CPU and memory allocated 90% and 50% it is considered 70% utilised", "… 82% utilised" under 4 :
     * 1. The other node has only cores, and slightly less or more of them allocated: the chosen node tells which one is
     * utilised less.
     */
    @ParameterizedTest
    @CsvSource({
        "1.0, 1.0,  69, other",
        "1.0, 1.0,  71, mixed",
        "4.0, 1.0,  81, other",
        "4.0, 1.0,  83, mixed",
        // "weights {4.0, 1.0} are equivalent to {1.0, 0.25}"
        "1.0, 0.25, 81, other",
        "1.0, 0.25, 83, mixed",
    })
    void fairNodes_cores90Memory50_haveDocumentedUtilisation(
            double vcore, double memory, int otherPercent, String first, ClusterUnderTest cluster) {
        cluster.configure(partition(NodeSortPolicy.FAIR, Map.of("vcore", vcore, "memory", memory)));
        occupy(cluster, "mixed", 90, 50);
        cluster.node("other", "vcore", "100");
        TaskSpec cores = TaskSpec.single("t", Resources.parse("vcore", "" + otherPercent));
        cluster.submit("on-other", "root.a", cores.withConstraints(Map.of(), "other"))
                .cycle();

        cluster.submit("probe", "root.a", TaskSpec.single("t", Resources.parse("vcore", "1m")));

        assertThat(cluster.cycle()).containsExactly("probe/t -> " + first);
    }

    /**
     * "If resourceweights is missing or empty … vcore and memory have equal weights of 1.0; all other types are
     * ignored."
     */
    @Test
    void fairNodes_withoutWeights_ignoreOtherResourceTypes(ClusterUnderTest cluster) {
        cluster.configure(partition(NodeSortPolicy.FAIR, PartitionConfiguration.DEFAULT_WEIGHTS));
        cluster.node("a", "vcore", "10", "memory", "10Gi", "gpu", "1");
        cluster.node("b", "vcore", "10", "memory", "10Gi", "gpu", "1");
        cluster.submit(
                "full",
                "root.a",
                TaskSpec.single("t", Resources.parse("gpu", "1")).withConstraints(Map.of(), "a"));
        cluster.submit(
                "busy",
                "root.a",
                TaskSpec.single("t", Resources.parse("vcore", "1")).withConstraints(Map.of(), "b"));
        cluster.cycle();

        cluster.submit("probe", "root.a", TaskSpec.single("t", Resources.parse("vcore", "1m")));

        assertThat(cluster.cycle()).containsExactly("probe/t -> a");
    }

    /** Fairness: "a node with the lowest utilisation is considered first"; bin packing: "the highest". */
    @ParameterizedTest
    @CsvSource({"FAIR, a/t-0:n-2 a/t-1:n-1 a/t-2:n-2", "BIN_PACKING, a/t-0:n-0 a/t-1:n-0 a/t-2:n-1"})
    void nodes_byUtilisation_followSortPolicy(NodeSortPolicy policy, String placements, ClusterUnderTest cluster) {
        cluster.configure(partition(policy, PartitionConfiguration.DEFAULT_WEIGHTS));
        occupy(cluster, "n-0", 80, 80);
        occupy(cluster, "n-1", 60, 60);
        occupy(cluster, "n-2", 55, 55);

        cluster.submit("a", "root.a", TaskSpec.of("t", 3, Resources.parse("vcore", "10", "memory", "10")));

        assertThat(cluster.cycle())
                .containsExactly(placements.replace(":", " -> ").split(" (?=a)", -1));
    }

    private static PartitionConfiguration partition(NodeSortPolicy policy, Map<String, Double> weights) {
        return new PartitionConfiguration(
                PartitionConfiguration.DEFAULT_NAME,
                QueueTreeText.of("""
                        root
                        └─ a
                        """),
                List.of(),
                policy,
                new TreeMap<>(weights),
                false);
    }

    /** A node with 100 cores and 100 bytes, of which these amounts are allocated. */
    private static void occupy(ClusterUnderTest cluster, String node, int cores, int memory) {
        cluster.node(node, "vcore", "100", "memory", "100");
        Resources resources = Resources.parse("vcore", "" + cores, "memory", "" + memory);
        cluster.submit("on-" + node, "root.a", TaskSpec.single("t", resources).withConstraints(Map.of(), node));
        assertThat(cluster.cycle()).containsExactly("on-" + node + "/t -> " + node);
    }
}
