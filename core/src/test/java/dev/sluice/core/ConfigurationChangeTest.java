package dev.sluice.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.core.application.ApplicationState;
import dev.sluice.core.application.TaskSpec;
import dev.sluice.core.command.Command;
import dev.sluice.core.command.Refusal;
import dev.sluice.core.configuration.ApplicationSortPolicy;
import dev.sluice.core.configuration.NodeSortPolicy;
import dev.sluice.core.configuration.PartitionConfiguration;
import dev.sluice.core.configuration.PlacementRule;
import dev.sluice.core.configuration.QueueConfiguration;
import dev.sluice.core.configuration.RuleFilter;
import dev.sluice.core.resource.Resources;
import dev.sluice.core.testing.ClusterUnderTest;
import dev.sluice.core.testing.QueueTreeText;
import dev.sluice.core.testing.SchedulerExtension;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Configuration changes at run time: draining queues, queues that are configured again, refused changes. */
@ExtendWith(SchedulerExtension.class)
class ConfigurationChangeTest {

    private static final TaskSpec TASK = TaskSpec.single("t", Resources.parse("vcore", "1"));
    private static final String A_AND_B = """
            root
            ├─ a
            └─ b
            """;
    private static final String ONLY_B = """
            root
            └─ b
            """;

    @Test
    void queue_removedWithApplication_drainsUntilItEnds(ClusterUnderTest cluster) {
        cluster.queues(QueueTreeText.of(A_AND_B)).node("n", "vcore", "1");
        cluster.submitSealed("app", "root.a", TaskSpec.of("t", 2, Resources.parse("vcore", "1")));
        cluster.cycle();

        cluster.queues(QueueTreeText.of(ONLY_B));

        assertThat(cluster.queue("root.a").isDraining()).isTrue();
        cluster.submit("late", "root.a", TASK);
        assertThat(cluster.state("late")).isEqualTo(ApplicationState.REJECTED);
        assertThat(cluster.application("late").stateReason()).isEqualTo("queue root.a is draining");
        cluster.succeed("app/t-0");
        assertThat(cluster.cycle()).as("its applications still run").containsExactly("app/t-1 -> n");
        cluster.succeed("app/t-1");
        assertThat(cluster.partition().queues().find("root.a")).isNull();
        assertThat(cluster.state("app")).isEqualTo(ApplicationState.COMPLETED);
    }

    @Test
    void emptyQueue_removed_isGoneAtOnce(ClusterUnderTest cluster) {
        cluster.queues(QueueTreeText.of(A_AND_B)).queues(QueueTreeText.of(ONLY_B));

        assertThat(cluster.partition().queues().find("root.a")).isNull();
    }

    @Test
    void drainingQueue_configuredAgain_acceptsApplications(ClusterUnderTest cluster) {
        cluster.queues(QueueTreeText.of(A_AND_B)).node("n", "vcore", "4").submitSealed("app", "root.a", TASK);
        cluster.cycle();
        cluster.queues(QueueTreeText.of(ONLY_B)).queues(QueueTreeText.of(A_AND_B));

        cluster.submitSealed("next", "root.a", TASK).succeed("app/t");

        assertThat(cluster.queue("root.a").isDraining()).isFalse();
        assertThat(cluster.cycle()).containsExactly("next/t -> n");
        cluster.succeed("next/t");
        assertThat(cluster.partition().queues().find("root.a")).isNotNull();
    }

    @Test
    void parent_removed_isGoneWithItsLastChild(ClusterUnderTest cluster) {
        cluster.queues(QueueTreeText.of("""
                root
                ├─ p
                │  ├─ x
                │  └─ y
                └─ b
                """)).node("n", "vcore", "4");
        cluster.submitSealed("in-x", "root.p.x", TASK).submitSealed("in-y", "root.p.y", TASK);
        cluster.cycle();
        cluster.queues(QueueTreeText.of(ONLY_B));

        cluster.succeed("in-x/t");
        assertThat(cluster.partition().queues().find("root.p.x")).isNull();
        assertThat(cluster.partition().queues().find("root.p")).isNotNull();
        cluster.succeed("in-y/t");
        assertThat(cluster.partition().queues().find("root.p")).isNull();
    }

    @Test
    void leafWithApplications_changedToParent_isRefused(ClusterUnderTest cluster) {
        cluster.queues(QueueTreeText.of(A_AND_B)).submit("app", "root.a", TASK);

        Refusal refusal = refusal(cluster, """
                root
                ├─ a
                │  └─ x
                └─ b
                """);

        assertThat(refusal.code()).isEqualTo(Refusal.Code.CONFLICT);
        assertThat(refusal.message()).isEqualTo("queue root.a cannot become a parent while it contains applications");
        assertThat(cluster.partition().queues().find("root.a.x")).isNull();
    }

    @Test
    void leafWithEndedApplications_changedToParent_isAccepted(ClusterUnderTest cluster) {
        cluster.queues(QueueTreeText.of(A_AND_B)).submit("app", "root.a", TASK).cancel("app");

        cluster.queues(QueueTreeText.of("""
                root
                └─ a
                   └─ x
                """));

        assertThat(cluster.queue("root.a").isLeaf()).isFalse();
        assertThat(cluster.queue("root.a.x").isLeaf()).isTrue();
    }

    @Test
    void parentWithApplications_changedToLeaf_isRefused(ClusterUnderTest cluster) {
        cluster.queues(QueueTreeText.of("""
                root
                └─ a
                   └─ x
                      └─ y
                """)).submit("app", "root.a.x.y", TASK);

        Refusal refusal = refusal(cluster, """
                root
                └─ a
                """);

        assertThat(refusal.code()).isEqualTo(Refusal.Code.CONFLICT);
        assertThat(refusal.message())
                .isEqualTo("queue root.a cannot become a leaf while the queues below it contain applications");
    }

    @Test
    void dynamicQueue_configuredLater_staysWhenEmpty(ClusterUnderTest cluster) {
        cluster.configure(creating(ONLY_B)).node("n", "vcore", "4").submitSealed("app", "root.a", TASK);
        cluster.cycle();

        cluster.configure(creating(A_AND_B)).succeed("app/t");

        assertThat(cluster.partition().queues().find("root.a")).isNotNull();
        assertThat(cluster.queue("root.a").isDynamic()).isFalse();
    }

    @Test
    void dynamicQueue_configurationChanges_isKept(ClusterUnderTest cluster) {
        cluster.configure(creating(ONLY_B)).node("n", "vcore", "4").submitSealed("app", "root.a", TASK);

        cluster.configure(creating("""
                root
                └─ c
                """)).submitSealed("more", "root.a", TASK);

        assertThat(cluster.queue("root.a").isDraining()).isFalse();
        assertThat(cluster.cycle()).containsExactly("app/t -> n", "more/t -> n");
    }

    @Test
    void dynamicQueues_inheritedPropertiesChange_useNewValues(ClusterUnderTest cluster) {
        cluster.configure(creating("root fifo timeout(PT1M)\n└─ b")).submit("app", "root.a.x.y", TASK);
        assertThat(cluster.queue("root.a.x.y").taskTimeout()).isEqualTo(Duration.ofMinutes(1));

        cluster.configure(creating("root fair timeout(PT2M)\n└─ b"));

        assertThat(cluster.queue("root.a.x.y").taskTimeout()).isEqualTo(Duration.ofMinutes(2));
        assertThat(cluster.queue("root.a.x.y").sortPolicy()).isEqualTo(ApplicationSortPolicy.FAIR);
    }

    @Test
    void queues_belowRemovedParent_acceptNoApplications(ClusterUnderTest cluster) {
        cluster.configure(creating("""
                root
                ├─ p   parent
                └─ b
                """)).submit("app", "root.p.x", TASK).configure(creating(ONLY_B));

        cluster.submit("late", "root.p.x", TASK).submit("other", "root.p.y", TASK);

        assertThat(cluster.application("late").stateReason()).contains("queue root.p is draining");
        assertThat(cluster.application("other").stateReason()).contains("cannot create queues below root.p");
        cluster.cancel("app");
        assertThat(cluster.partition().queues().find("root.p")).isNull();
    }

    @Test
    void sortPolicy_changed_reordersPendingApplications(ClusterUnderTest cluster) {
        cluster.queues(QueueTreeText.of(A_AND_B)).node("n", "vcore", "1");
        cluster.submit("first", "root.a", TASK).advance(Duration.ofSeconds(1)).submit("second", "root.a", TASK);
        cluster.cycle();
        assertThat(cluster.state("first")).isEqualTo(ApplicationState.STARTING);

        cluster.queues(QueueTreeText.of("""
                root
                ├─ a   stateaware
                └─ b
                """)).updateNode("n", "vcore", "4");

        assertThat(cluster.cycle()).as("first blocks second now").isEmpty();
    }

    @Test
    void configuration_appliedTwice_changesNothing(ClusterUnderTest cluster) {
        cluster.queues(QueueTreeText.of(A_AND_B)).queues(QueueTreeText.of(A_AND_B));

        assertThat(cluster.events()).isEmpty();
    }

    @Test
    void partition_withNodesOrLiveApplications_cannotBeRemoved(ClusterUnderTest cluster) {
        cluster.queues(QueueTreeText.of(A_AND_B)).node("n", "vcore", "1").submit("app", "root.a", TASK);
        assertThat(removal(cluster).code()).isEqualTo(Refusal.Code.CONFLICT);
        cluster.removeNode("n");
        assertThat(removal(cluster).message())
                .isEqualTo("cannot remove partition default: it still has nodes or applications");
        cluster.cancel("app");

        cluster.configure(PartitionConfiguration.of("other", QueueTreeText.of(A_AND_B)));

        assertThat(cluster.scheduler().state().partitions())
                .singleElement()
                .satisfies(partition -> assertThat(partition.name()).isEqualTo("other"));
    }

    @Test
    void partition_removedAndCreatedAgain_isEmpty(ClusterUnderTest cluster) {
        cluster.queues(QueueTreeText.of(A_AND_B)).submit("app", "root.a", TASK).cancel("app");
        cluster.cycle();
        cluster.handle(apply()).queues(QueueTreeText.of(A_AND_B)).node("n", "vcore", "1");

        cluster.submit("app", "root.a", TASK);

        assertThat(cluster.cycle()).containsExactly("app/t -> n");
    }

    private static Refusal refusal(ClusterUnderTest cluster, String drawing) {
        return cluster.refusal(
                apply(PartitionConfiguration.of(PartitionConfiguration.DEFAULT_NAME, QueueTreeText.of(drawing))));
    }

    private static Refusal removal(ClusterUnderTest cluster) {
        return cluster.refusal(apply(PartitionConfiguration.of("other", QueueConfiguration.leaf("root"))));
    }

    private static Command apply(PartitionConfiguration... partitions) {
        return new Command.ApplyConfiguration(Arrays.asList(partitions));
    }

    private static PartitionConfiguration creating(String drawing) {
        return new PartitionConfiguration(
                PartitionConfiguration.DEFAULT_NAME,
                QueueTreeText.of(drawing),
                List.of(new PlacementRule(PlacementRule.Kind.PROVIDED, "", true, null, RuleFilter.EVERYBODY)),
                NodeSortPolicy.FAIR,
                PartitionConfiguration.DEFAULT_WEIGHTS,
                false);
    }
}
