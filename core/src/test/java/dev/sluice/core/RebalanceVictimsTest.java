package dev.sluice.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.core.application.Constraints;
import dev.sluice.core.application.LabelSelector;
import dev.sluice.core.application.TaskAffinity;
import dev.sluice.core.application.TaskConstraints;
import dev.sluice.core.application.TaskSpec;
import dev.sluice.core.application.TaskTerm;
import dev.sluice.core.application.Topology;
import dev.sluice.core.resource.Resources;
import dev.sluice.core.state.TaskEvent;
import dev.sluice.core.testing.ClusterUnderTest;
import dev.sluice.core.testing.QueueTreeText;
import dev.sluice.core.testing.SchedulerExtension;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which tasks of load classes above their entitlement are preempted for those of classes below theirs. */
@ExtendWith(SchedulerExtension.class)
class RebalanceVictimsTest {

    private static final Duration MINIMUM = Duration.ofMinutes(4);

    private static TaskSpec core() {
        return TaskSpec.of("t", 1, Resources.parse("vcore", "1"));
    }

    private static void fill(ClusterUnderTest cluster, String id, TaskSpec tasks) {
        cluster.submit(id, "root.p.diff", tasks).cycle();
        cluster.startAll().advance(Duration.ofSeconds(1));
    }

    /** Returns the victims of a rebalance for a task of the other class. */
    private static List<String> preemptedFor(ClusterUnderTest cluster, TaskSpec beneficiary) {
        cluster.submit("x", "root.p.land", beneficiary).cycle();
        cluster.advance(MINIMUM).cycle();
        return cluster.events().stream()
                .filter(TaskEvent.Stopping.class::isInstance)
                .map(TaskEvent.Stopping.class::cast)
                .map(event -> event.application() + "/" + event.task().id())
                .toList();
    }

    /** The most recent loan is what the pending task must be beside. */
    @Test
    void loan_thatBeneficiaryMustBeBeside_isSpared(ClusterUnderTest cluster) {
        Map<String, String> db = Map.of("app", "db");
        TaskTerm beside = new TaskTerm(LabelSelector.of(db, List.of()), Topology.HOST);
        TaskConstraints affine = TaskConstraints.NONE.withAffinity(new TaskAffinity(List.of(beside), List.of()));
        cluster.queues(QueueTreeText.of("""
                root
                └─ p          load threshold(20)
                   ├─ land    percent(60)
                   └─ diff    percent(40)
                """)).node("n", "vcore", "2");
        fill(cluster, "other", core());
        fill(cluster, "db", core().withConstraints(Constraints.NONE.withTasks(TaskConstraints.NONE.withLabels(db))));

        assertThat(preemptedFor(cluster, core().withConstraints(Constraints.NONE.withTasks(affine))))
                .containsExactly("other/t-0");
    }

    @ParameterizedTest
    @CsvSource({"1,1", "2,0"})
    void loans_withinGuarantee_areSpared(int guaranteed, int victims, ClusterUnderTest cluster) {
        cluster.queues(QueueTreeText.of("""
                root
                └─ p          load threshold(20)
                   ├─ land    percent(60)
                   └─ diff    percent(40) guaranteed(vcore %d)
                """.formatted(guaranteed))).node("n", "vcore", "2");
        fill(cluster, "one", core());
        fill(cluster, "two", core());

        assertThat(preemptedFor(cluster, core())).hasSize(victims);
    }

    /** The parent exceeds its maximum of memory, which the pending task does not request. */
    @Test
    void maximum_ofWhatBeneficiaryDoesNotRequest_preventsNothing(ClusterUnderTest cluster) {
        String tree = """
                root
                └─ p          load threshold(20)%s
                   ├─ land    percent(60)
                   └─ diff    percent(40)
                """;
        cluster.queues(QueueTreeText.of(tree.formatted(""))).node("n", "vcore", "2", "memory", "8Gi", "gpu", "1");
        fill(
                cluster,
                "memory",
                TaskSpec.of("t", 1, Resources.parse("memory", "4Gi")).withPreemptible(false));
        fill(cluster, "one", core());
        fill(cluster, "two", core());
        cluster.queues(QueueTreeText.of(tree.formatted(" max(memory 1Gi)")));

        assertThat(preemptedFor(cluster, TaskSpec.of("t", 1, Resources.parse("vcore", "1", "gpu", "1"))))
                .containsExactly("two/t-0");
    }
}
