package dev.sluice.core.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.core.application.ApplicationState;
import dev.sluice.core.application.TaskSpec;
import dev.sluice.core.command.Command;
import dev.sluice.core.command.Refusal;
import dev.sluice.core.configuration.PartitionConfiguration;
import dev.sluice.core.configuration.QueueConfiguration;
import dev.sluice.core.resource.Resources;
import dev.sluice.core.state.TaskEvent;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(SchedulerExtension.class)
class ClusterUnderTestTest {

    private static final Resources CORE = Resources.parse("vcore", "1");

    @Test
    void cluster_scripted_reportsPlacementsAndStates(ClusterUnderTest cluster) {
        cluster.queues(QueueConfiguration.parent("root", QueueConfiguration.leaf("a")));
        cluster.nodes("n", 2, "vcore", "1");
        cluster.submitSealed("app", "root.a", TaskSpec.of("t", 3, CORE));

        assertThat(cluster.cycle()).containsExactly("app/t-0 -> n-0", "app/t-1 -> n-1");
        assertThat(cluster.state("app")).isEqualTo(ApplicationState.RUNNING);
        assertThat(cluster.allocated("root.a")).isEqualTo(Resources.parse("slots", "2", "vcore", "2"));
        assertThat(cluster.pending("root")).isEqualTo(Resources.parse("slots", "1", "vcore", "1"));

        cluster.startAll().advance(Duration.ofMinutes(1)).succeed("app/t-0").lose("app/t-1");
        assertThat(cluster.cycle()).containsExactly("app/t-1 -> n-0", "app/t-2 -> n-1");
        cluster.succeedAll("app");
        assertThat(cluster.state("app")).isEqualTo(ApplicationState.COMPLETED);
    }

    @Test
    void refusal_ofUnknownApplication_isNotFound(ClusterUnderTest cluster) {
        cluster.configure(PartitionConfiguration.simplest());

        Refusal refusal = cluster.refusal(new Command.SealApplication("default", "nobody"));

        assertThat(refusal.code()).isEqualTo(Refusal.Code.NOT_FOUND);
    }

    @Test
    void check_withEventMissingInJournal_fails() {
        CheckedScheduler scheduler = new CheckedScheduler();
        ClusterUnderTest cluster = new ClusterUnderTest(scheduler);
        cluster.configure(PartitionConfiguration.simplest()).node("n", "vcore", "4");
        cluster.submit("app", null, TaskSpec.single("t", CORE));
        scheduler.check();

        scheduler
                .scheduler()
                .restore(List.of(
                        new TaskEvent.Placed(TaskRefs.allocation("default", "app", "t", "n", cluster.now()), false)));

        assertThatThrownBy(() -> Invariants.check(scheduler.state()))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("app: expected a state that follows from its tasks, not ACCEPTED");
        assertThatThrownBy(scheduler::check).isInstanceOf(AssertionError.class);
    }

    @Test
    void checkCycle_queueOverMaximum_fails() {
        CheckedScheduler scheduler = new CheckedScheduler();
        ClusterUnderTest cluster = new ClusterUnderTest(scheduler);
        QueueConfiguration leaf = QueueConfiguration.leaf("a");
        cluster.queues(QueueConfiguration.parent(
                "root",
                QueueConfiguration.of(
                        "a", Resources.NONE, Resources.parse("vcore", "500m"), 0, leaf.properties(), List.of())));
        cluster.node("n", "vcore", "4").submit("app", "root.a", TaskSpec.single("t", CORE));
        Invariants.Allocations before = Invariants.allocations(cluster.partition());
        assertThat(cluster.cycle()).isEmpty();

        scheduler
                .scheduler()
                .restore(List.of(
                        new TaskEvent.Placed(TaskRefs.allocation("default", "app", "t", "n", cluster.now()), false)));

        assertThatThrownBy(() -> Invariants.checkCycle(before, cluster.partition()))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("root.a exceeds its maximum of vcore");
    }
}
