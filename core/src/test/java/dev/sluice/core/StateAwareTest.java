package dev.sluice.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.core.application.ApplicationState;
import dev.sluice.core.application.TaskCondition;
import dev.sluice.core.application.TaskSpec;
import dev.sluice.core.resource.Resources;
import dev.sluice.core.testing.ClusterUnderTest;
import dev.sluice.core.testing.QueueTreeText;
import dev.sluice.core.testing.SchedulerExtension;
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
