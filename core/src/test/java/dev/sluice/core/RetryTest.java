package dev.sluice.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.core.application.ApplicationState;
import dev.sluice.core.application.ApplicationUpdate;
import dev.sluice.core.application.TaskCondition;
import dev.sluice.core.application.TaskSpec;
import dev.sluice.core.command.Command;
import dev.sluice.core.command.Refusal;
import dev.sluice.core.configuration.PartitionConfiguration;
import dev.sluice.core.configuration.PlacementRule;
import dev.sluice.core.configuration.RuleFilter;
import dev.sluice.core.resource.Resources;
import dev.sluice.core.state.Queue;
import dev.sluice.core.state.Task;
import dev.sluice.core.testing.ClusterUnderTest;
import dev.sluice.core.testing.SchedulerExtension;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Ended applications whose tasks run again on request. */
@ExtendWith(SchedulerExtension.class)
class RetryTest {

    private static final Resources CORE = Resources.parse("vcore", "1");

    private static ClusterUnderTest ready(ClusterUnderTest cluster) {
        return cluster.configure(PartitionConfiguration.simplest()).node("n", "vcore", "4");
    }

    private static List<Integer> attempts(ClusterUnderTest cluster, String application) {
        return Objects.requireNonNull(cluster.partition().application(application)).groups().stream()
                .flatMap(group -> group.placed().stream())
                .map(Task::attempt)
                .toList();
    }

    @Test
    void application_failed_runsUnsuccessfulTasksAgain(ClusterUnderTest cluster) {
        ready(cluster)
                .submitSealed(
                        "a",
                        null,
                        TaskSpec.of("t", 3, CORE).withAttempts(1, null),
                        TaskSpec.single("last", CORE).withAfter(Map.of("t", TaskCondition.SUCCEEDED)));
        cluster.cycle();
        cluster.startAll().succeed("a/t-0").fail("a/t-1").succeed("a/t-2");
        cluster.cycle();
        cluster.fail("a/t-1");
        assertThat(cluster.state("a")).isEqualTo(ApplicationState.FAILED);

        cluster.retry("a", false);

        assertThat(cluster.state("a")).isEqualTo(ApplicationState.ACCEPTED);
        assertThat(cluster.cycle()).containsExactly("a/t-1 -> n");
        assertThat(attempts(cluster, "a")).containsExactly(3);
        cluster.start("a/t-1").fail("a/t-1");
        assertThat(cluster.cycle()).as("its retry").containsExactly("a/t-1 -> n");
        cluster.succeed("a/t-1");
        assertThat(cluster.cycle()).containsExactly("a/last -> n");
        cluster.succeed("a/last");
        assertThat(cluster.state("a")).isEqualTo(ApplicationState.COMPLETED);
    }

    @Test
    void application_completed_runsAllTasksAgainWithDependencies(ClusterUnderTest cluster) {
        ready(cluster)
                .submitSealed(
                        "a",
                        null,
                        TaskSpec.single("first", CORE),
                        TaskSpec.single("next", CORE).withAfter(Map.of("first", TaskCondition.SUCCEEDED)));
        cluster.cycle();
        cluster.succeed("a/first").cycle();
        cluster.succeed("a/next");

        cluster.retry("a", true);

        assertThat(cluster.cycle()).containsExactly("a/first -> n");
        assertThat(attempts(cluster, "a")).containsExactly(2);
        cluster.succeed("a/first");
        assertThat(cluster.cycle()).containsExactly("a/next -> n");
        cluster.succeed("a/next");
        assertThat(cluster.state("a")).isEqualTo(ApplicationState.COMPLETED);
    }

    @Test
    void application_cancelledBeforeStart_startsAfterRetry(ClusterUnderTest cluster) {
        ready(cluster).submitSealed("a", null, TaskSpec.of("t", 2, CORE)).cancel("a");
        assertThat(cluster.cycle()).isEmpty();

        assertThat(cluster.retry("a", false).cycle()).containsExactly("a/t-0 -> n", "a/t-1 -> n");
    }

    private static PartitionConfiguration queuesOfUsers() {
        return PartitionConfiguration.simplest()
                .withPlacementRules(
                        List.of(new PlacementRule(PlacementRule.Kind.USER, "", true, null, RuleFilter.EVERYBODY)));
    }

    private static void submitFailing(ClusterUnderTest cluster, String application) {
        cluster.submitSealed(application, null, TaskSpec.of("t", 2, CORE)).cycle();
        cluster.fail(application + "/t-0").succeed(application + "/t-1");
    }

    @Test
    void application_lastOfDynamicQueue_isRetriedInNewQueue(ClusterUnderTest cluster) {
        cluster.configure(queuesOfUsers()).node("n", "vcore", "4");
        submitFailing(cluster, "a");
        String path = Objects.requireNonNull(cluster.partition().application("a"))
                .origin()
                .queue();
        assertThat(cluster.partition().queues().find(path)).isNull();

        cluster.retry("a", false);

        Queue queue = Objects.requireNonNull(cluster.partition().queues().find(path));
        assertThat(queue.applications()).hasSize(1);
        assertThat(queue.pendingTasks()).isEqualTo(1);
        assertThat(cluster.cycle()).containsExactly("a/t-0 -> n");
        assertThat(queue.allocatedTasks()).isEqualTo(1);
        cluster.succeed("a/t-0");
        assertThat(cluster.state("a")).isEqualTo(ApplicationState.COMPLETED);
        assertThat(cluster.partition().queues().find(path)).isNull();
    }

    @Test
    void application_ofQueueCreatedAgain_isRetriedThere(ClusterUnderTest cluster) {
        cluster.configure(queuesOfUsers()).node("n", "vcore", "4");
        submitFailing(cluster, "a");
        cluster.submitSealed("b", null, TaskSpec.single("t", CORE)).cycle();

        assertThat(cluster.retry("a", false).cycle()).containsExactly("a/t-0 -> n");

        assertThat(cluster.application("a").queue())
                .isSameAs(cluster.application("b").queue());
    }

    /** No cycle runs between the end and the retry, so that the schedule still has the application in its old queue. */
    @Test
    void application_retriedBeforeNextCycle_isScheduledInNewQueue(ClusterUnderTest cluster) {
        cluster.configure(queuesOfUsers()).node("n", "vcore", "4");
        submitFailing(cluster, "a");
        cluster.retry("a", true).cancel("a").retry("a", true);

        assertThat(cluster.cycle()).containsExactly("a/t-0 -> n", "a/t-1 -> n");
    }

    @Test
    void application_ofQueueNoRuleCreates_isNotRetried(ClusterUnderTest cluster) {
        cluster.configure(queuesOfUsers()).node("n", "vcore", "4");
        submitFailing(cluster, "a");
        cluster.configure(PartitionConfiguration.simplest());
        String path = cluster.application("a").origin().queue();

        Refusal refusal = cluster.refusal(new Command.RetryApplication(PartitionConfiguration.DEFAULT_NAME, "a", true));

        assertThat(refusal.code()).isEqualTo(Refusal.Code.CONFLICT);
        assertThat(refusal.message())
                .isEqualTo(
                        "cannot retry application a: queue " + path + " not found; submit it again to another queue");
    }

    @Test
    void application_updatedToDynamicQueue_isRetriedThere(ClusterUnderTest cluster) {
        cluster.configure(PartitionConfiguration.simplest()
                        .withPlacementRules(List.of(
                                new PlacementRule(PlacementRule.Kind.PROVIDED, "", true, null, RuleFilter.EVERYBODY))))
                .node("n", "vcore", "4")
                .submitSealed("a", "root.first", TaskSpec.single("t", CORE))
                .handle(new Command.UpdateApplication(
                        PartitionConfiguration.DEFAULT_NAME,
                        "a",
                        new ApplicationUpdate("root.second", null, null, null, Resources.NONE)))
                .cancel("a");

        assertThat(cluster.retry("a", false).cycle()).containsExactly("a/t -> n");

        assertThat(cluster.application("a").queue().path()).isEqualTo("root.second");
    }
}
