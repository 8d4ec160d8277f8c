package dev.sluice.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.core.application.ApplicationSpec;
import dev.sluice.core.application.ApplicationState;
import dev.sluice.core.application.Constraints;
import dev.sluice.core.application.Gang;
import dev.sluice.core.application.HostPort;
import dev.sluice.core.application.LabelSelector;
import dev.sluice.core.application.TaskAffinity;
import dev.sluice.core.application.TaskCondition;
import dev.sluice.core.application.TaskConstraints;
import dev.sluice.core.application.TaskSpec;
import dev.sluice.core.application.TaskTerm;
import dev.sluice.core.application.Topology;
import dev.sluice.core.configuration.PartitionConfiguration;
import dev.sluice.core.configuration.QueueConfiguration;
import dev.sluice.core.resource.Resources;
import dev.sluice.core.testing.ClusterUnderTest;
import dev.sluice.core.testing.QueueTreeText;
import dev.sluice.core.testing.SchedulerExtension;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Which applications a queue with sort policy {@code stateaware} admits, and when the starting phase ends. */
@ExtendWith(SchedulerExtension.class)
class StateAwareTest {

    private static final Resources CORE = Resources.parse("vcore", "1");
    private static final TaskSpec DRIVER = TaskSpec.single("driver", CORE).withAttempts(3, null);

    @Test
    void driverRetry_placedAgain_isNotSecondAllocation(ClusterUnderTest cluster) {
        ready(cluster).submit("first", "root.a", DRIVER).submit("second", "root.a", DRIVER);
        assertThat(cluster.cycle()).containsExactly("first/driver -> n");
        cluster.start("first/driver").fail("first/driver");

        assertThat(cluster.cycle()).containsExactly("first/driver -> n");

        assertThat(cluster.state("first")).isEqualTo(ApplicationState.STARTING);
        assertThat(cluster.state("second")).isEqualTo(ApplicationState.ACCEPTED);
    }

    @Test
    void secondTask_afterDriverRetry_makesApplicationRunning(ClusterUnderTest cluster) {
        ready(cluster).submit("first", "root.a", DRIVER).submit("second", "root.a", DRIVER);
        cluster.cycle();
        cluster.start("first/driver").fail("first/driver");
        cluster.cycle();

        cluster.add("first", TaskSpec.single("executor", CORE));

        assertThat(cluster.cycle()).containsExactly("first/executor -> n", "second/driver -> n");
        assertThat(cluster.state("first")).isEqualTo(ApplicationState.RUNNING);
    }

    @Test
    void otherTask_afterDriverEnded_isSecondAllocation(ClusterUnderTest cluster) {
        ready(cluster).submit("first", "root.a", DRIVER).cycle();
        cluster.add("first", TaskSpec.single("other", CORE).withAfter(Map.of("driver", succeeded())));
        cluster.start("first/driver").succeed("first/driver").cycle();

        assertThat(cluster.state("first")).isEqualTo(ApplicationState.RUNNING);
    }

    @Test
    void acceptedApplication_tooLargeForEveryNode_doesNotBlock(ClusterUnderTest cluster) {
        ready(cluster)
                .submit("huge", "root.a", TaskSpec.single("t", Resources.parse("vcore", "9")))
                .submit("gpu", "root.a", TaskSpec.single("t", Resources.parse("gpu", "1")))
                .submit("ssd", "root.a", TaskSpec.single("t", CORE).withConstraints(Map.of("disk", "ssd"), null))
                .submit("there", "root.a", TaskSpec.single("t", CORE).withConstraints(Map.of(), "away"))
                .submit("next", "root.a", DRIVER);

        assertThat(cluster.cycle()).containsExactly("next/driver -> n");
    }

    /** The largest node is offline: it may come back, so the application keeps its position. */
    @Test
    void acceptedApplication_fittingOfflineNode_keepsItsPosition(ClusterUnderTest cluster) {
        ready(cluster).node("large", "vcore", "64").offline("large");
        cluster.submit("huge", "root.a", TaskSpec.single("t", Resources.parse("vcore", "9")))
                .submit("next", "root.a", DRIVER);

        assertThat(cluster.cycle()).isEmpty();

        cluster.removeNode("large");
        assertThat(cluster.cycle()).containsExactly("next/driver -> n");
    }

    @Test
    void acceptedApplication_withOneFittingTask_keepsItsPosition(ClusterUnderTest cluster) {
        ready(cluster).submitSealed("full", "root.a", TaskSpec.single("t", Resources.parse("vcore", "8")));
        cluster.cycle();
        cluster.submit(
                        "half",
                        "root.a",
                        TaskSpec.single("huge", Resources.parse("vcore", "9")),
                        TaskSpec.single("large", Resources.parse("vcore", "8")))
                .submit("next", "root.a", DRIVER);
        cluster.node("small", "vcore", "1");

        assertThat(cluster.cycle()).isEmpty();
    }

    @Test
    void skippedApplication_largeEnoughNodeAdded_isFirstAgain(ClusterUnderTest cluster) {
        ready(cluster)
                .submit("huge", "root.a", TaskSpec.single("t", Resources.parse("vcore", "9")))
                .cycle();

        cluster.node("large", "vcore", "64").submit("next", "root.a", DRIVER);

        assertThat(cluster.cycle()).containsExactly("huge/t -> large");
        assertThat(cluster.state("next")).isEqualTo(ApplicationState.ACCEPTED);
    }

    @Test
    void acceptedApplication_nodeShrunk_blocksNoLonger(ClusterUnderTest cluster) {
        ready(cluster).updateNode("n", "vcore", "2");
        cluster.submitSealed("full", "root.a", TaskSpec.of("t", 1, CORE));
        cluster.cycle();
        cluster.submit("two", "root.a", TaskSpec.single("t", Resources.parse("vcore", "2")))
                .submit("next", "root.a", DRIVER);
        assertThat(cluster.cycle()).isEmpty();

        cluster.updateNode("n", "vcore", "2", "memory", "1Gi");
        assertThat(cluster.cycle()).isEmpty();
        cluster.updateNode("n", "vcore", "1500m");
        cluster.succeedAll("full");

        assertThat(cluster.cycle()).containsExactly("next/driver -> n");
    }

    /** The order is (priority, submission): an older admitted application precedes younger running ones. */
    @Test
    void olderAcceptedApplication_startable_precedesYoungerRunningOne(ClusterUnderTest cluster) {
        ready(cluster).submit("old", "root.a").submit("young", "root.a", DRIVER).cycle();
        cluster.add("young", TaskSpec.single("executor", CORE)).cycle();
        assertThat(cluster.state("young")).isEqualTo(ApplicationState.RUNNING);

        cluster.add("young", TaskSpec.single("more", CORE)).add("old", DRIVER);

        assertThat(cluster.cycle()).containsExactly("old/driver -> n", "young/more -> n");
    }

    @Test
    void acceptedApplication_largerThanMaximum_doesNotBlockUntilItIsRaised(ClusterUnderTest cluster) {
        cluster.queues(QueueTreeText.of("""
                root
                └─ a   stateaware max(vcore 2)
                """)).node("n", "vcore", "8");
        cluster.submit("huge", "root.a", TaskSpec.single("t", Resources.parse("vcore", "3")))
                .submit("next", "root.a", DRIVER);
        assertThat(cluster.cycle()).containsExactly("next/driver -> n");

        cluster.queues(QueueTreeText.of("""
                root
                └─ a   stateaware max(vcore 4)
                """));
        cluster.succeedAll("next").submit("last", "root.a", DRIVER);
        cluster.cancel("next");

        assertThat(cluster.cycle()).contains("huge/t -> n");
    }

    @Test
    void acceptedGang_neverFits_doesNotBlock(ClusterUnderTest cluster) {
        Map<String, String> app = Map.of("app", "x");
        TaskConstraints own = TaskConstraints.NONE.withLabels(app);
        TaskTerm itself = new TaskTerm(LabelSelector.of(app, List.of()), Topology.HOST);
        ready(cluster).node("m", "vcore", "8");
        cluster.submit(gang("many", 17, Constraints.NONE))
                .submit(gang("spread", 3, tasks(own.withPerNode(1))))
                .submit(gang("ports", 3, tasks(own.withPorts(List.of(port())))))
                .submit(gang("apart", 3, tasks(own.withAntiAffinity(new TaskAffinity(List.of(itself), List.of())))))
                .submit(gang("labelled", 1, Constraints.ofSelector(Map.of("disk", "ssd"))))
                .submit("next", "root.a", DRIVER);

        assertThat(cluster.cycle()).containsExactly("next/driver -> m");
    }

    @Test
    void acceptedGang_fitsEmptyCluster_keepsItsPosition(ClusterUnderTest cluster) {
        ready(cluster)
                .submitSealed("full", "root.a", TaskSpec.of("t", 2, Resources.parse("vcore", "4")))
                .cycle();
        cluster.submit(gang("all", 8, Constraints.NONE)).submit("next", "root.a", DRIVER);

        assertThat(cluster.cycle()).isEmpty();
    }

    @Test
    void acceptedGang_largerThanMaximumOrDomains_doesNotBlockUntilTheyGrow(ClusterUnderTest cluster) {
        QueueConfiguration root = QueueTreeText.of("""
                root
                └─ a   stateaware max(vcore 10)
                """);
        cluster.configure(PartitionConfiguration.of("default", root).withTopology(List.of("zone")))
                .node("x", Map.of("zone", "x"), "vcore", "8")
                .node("y", Map.of("zone", "y"), "vcore", "8")
                .node("z", "vcore", "16");
        cluster.submit(gang("wide", 11, Constraints.NONE))
                .submit(gang("zonal", 9, Constraints.NONE).withGang(zonal(9)))
                .submit("next", "root.a", DRIVER);
        assertThat(cluster.cycle()).containsExactly("next/driver -> x");

        cluster.node("x2", Map.of("zone", "x"), "vcore", "2").cancel("next");

        assertThat(cluster.cycle()).hasSize(9).allMatch(each -> each.startsWith("zonal/"));
    }

    /** The members of each group fit alone, but not all together. */
    @Test
    void acceptedGang_ofTwoGroupsTooLargeTogether_doesNotBlock(ClusterUnderTest cluster) {
        ready(cluster)
                .submit(ApplicationSpec.open("both", "root.a", TaskSpec.of("v", 5, CORE), TaskSpec.of("w", 5, CORE))
                        .withGang(Gang.of(Map.of("v", 5, "w", 5))))
                .submit("next", "root.a", DRIVER);

        assertThat(cluster.cycle()).containsExactly("next/driver -> n");
    }

    @Test
    void acceptedGang_fittingOfflineNodes_keepsItsPosition(ClusterUnderTest cluster) {
        ready(cluster).node("m", "vcore", "8").offline("m");
        cluster.submit(gang("all", 16, Constraints.NONE)).submit("next", "root.a", DRIVER);

        assertThat(cluster.cycle()).isEmpty();
    }

    @Test
    void acceptedGang_largerThanMaximum_startsWhenItIsRaised(ClusterUnderTest cluster) {
        ready(cluster).queues(QueueTreeText.of("""
                root
                └─ a   stateaware max(vcore 4)
                """));
        cluster.submit(gang("wide", 5, Constraints.NONE));
        assertThat(cluster.cycle()).isEmpty();

        cluster.queues(QueueTreeText.of("""
                root
                └─ a   stateaware max(vcore 5)
                """));

        assertThat(cluster.cycle()).hasSize(5);
    }

    private static Gang zonal(int members) {
        return Gang.of(Map.of("w", members)).withTopology(new Gang.Topology("zone", true));
    }

    private static Constraints tasks(TaskConstraints tasks) {
        return Constraints.NONE.withTasks(tasks);
    }

    private static HostPort port() {
        return new HostPort(80, HostPort.Protocol.TCP, HostPort.ANY_IP);
    }

    private static ApplicationSpec gang(String id, int members, Constraints constraints) {
        return ApplicationSpec.open(
                        id, "root.a", TaskSpec.of("w", members, CORE).withConstraints(constraints))
                .withGang(Gang.of(Map.of("w", members)));
    }

    private static TaskCondition succeeded() {
        return TaskCondition.SUCCEEDED;
    }

    private static ClusterUnderTest ready(ClusterUnderTest cluster) {
        return cluster.queues(QueueTreeText.of("""
                root
                └─ a   stateaware
                """)).node("n", "vcore", "8");
    }
}
