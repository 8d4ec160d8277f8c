package dev.sluice.core.testing;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.core.application.ApplicationSpec;
import dev.sluice.core.application.ApplicationUpdate;
import dev.sluice.core.application.TaskSpec;
import dev.sluice.core.command.Command;
import dev.sluice.core.configuration.Limit;
import dev.sluice.core.configuration.PartitionConfiguration;
import dev.sluice.core.configuration.QueueConfiguration;
import dev.sluice.core.resource.Resources;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The text of a state shows what only further events would reveal. */
@ExtendWith(SchedulerExtension.class)
class StateTextTest {

    private static final String PARTITION = PartitionConfiguration.DEFAULT_NAME;

    private static final Resources CORE = Resources.parse("vcore", "1");

    private static void check(ClusterUnderTest cluster, String... lines) {
        assertThat(StateText.of(cluster.partition()).lines().map(String::strip)).contains(lines);
    }

    private static ClusterUnderTest ready(ClusterUnderTest cluster) {
        return cluster.configure(PartitionConfiguration.simplest()).node("n", "vcore", "4");
    }

    @Test
    void text_ofNumberedApplication_hasLastNumber(ClusterUnderTest cluster) {
        ready(cluster)
                .handle(new Command.SubmitApplication(
                        PARTITION, ApplicationSpec.sealed("night", null, TaskSpec.single("t", CORE)), true));

        check(cluster, "last numbers {night=1}");
    }

    @Test
    void text_ofUnsuccessfulTasks_hasTheirIndexesAndRuns(ClusterUnderTest cluster) {
        ready(cluster).submitSealed("a", null, TaskSpec.of("t", 3, CORE)).cycle();
        cluster.succeed("a/t-0").fail("a/t-1").fail("a/t-2");
        check(cluster, "unsuccessful {1, 2}", "runs before 0 highest 1");

        cluster.retry("a", false);

        check(cluster, "runs before 1 highest 1");
    }

    @Test
    void text_ofSuspendedAndUpdatedTask_hasSuspensionAndFormerKind(ClusterUnderTest cluster) {
        ready(cluster).submitSealed("a", null, TaskSpec.single("t", CORE)).cycle();
        cluster.start("a/t")
                .suspendTasks("a/t")
                .handle(new Command.UpdateApplication(
                        PARTITION, "a", new ApplicationUpdate(null, null, 3, null, Resources.NONE)));

        assertThat(StateText.of(cluster.partition())).contains("suspension Suspension[", "former kind ");
    }

    @Test
    void text_ofLimitedApplication_hasGroup(ClusterUnderTest cluster) {
        Limit limit = new Limit("staff", List.of(), List.of("staff"), CORE, 0);
        QueueConfiguration leaf = QueueConfiguration.leaf("default").withLimits(List.of(limit));
        cluster.configure(PartitionConfiguration.of(PARTITION, QueueConfiguration.parent("root", leaf)))
                .node("n", "vcore", "4")
                .submit(ApplicationSpec.sealed("a", null, TaskSpec.single("t", CORE))
                        .withGroups(List.of("staff")))
                .cycle();

        check(cluster, "limit group staff");
    }
}
