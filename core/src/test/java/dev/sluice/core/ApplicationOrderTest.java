package dev.sluice.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.core.application.TaskSpec;
import dev.sluice.core.engine.Scheduler;
import dev.sluice.core.resource.Resources;
import dev.sluice.core.state.Event;
import dev.sluice.core.state.TaskEvent;
import dev.sluice.core.testing.ClusterUnderTest;
import dev.sluice.core.testing.QueueTreeText;
import dev.sluice.core.testing.RecordedCheckpoint;
import dev.sluice.core.testing.SchedulerExtension;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Applications of one leaf that are submitted at the same time are served in submission order, regardless of their ids.
 */
@ExtendWith(SchedulerExtension.class)
class ApplicationOrderTest {

    private static final TaskSpec TASK = TaskSpec.single("t", Resources.parse("vcore", "1"));
    private static final List<String> IDS = List.of("z", "m", "x-10", "x-2", "a");

    @ParameterizedTest
    @ValueSource(strings = {"fifo", "fair", "stateaware", "fewestrunning"})
    void applications_submittedTogether_areServedInSubmissionOrder(String policy, ClusterUnderTest cluster) {
        submitAll(cluster, policy).node("n", "vcore", "9");

        assertThat(placedApplications(cluster.cycle())).isEqualTo(IDS);
    }

    @Test
    void application_resubmitted_isLastInOrder(ClusterUnderTest cluster) {
        cluster.queues(QueueTreeText.of("root\n└─ q"))
                .submit("b", "root.nowhere", TASK)
                .submit("c", "root.q", TASK)
                .submit("b", "root.q", TASK)
                .node("n", "vcore", "9");

        assertThat(placedApplications(cluster.cycle())).containsExactly("c", "b");
    }

    @Test
    void scheduler_replayedOrRestored_keepsSubmissionOrder(ClusterUnderTest cluster) {
        submitAll(cluster, "fifo").cancel("m").submit("b", "root.q", TASK);
        cluster.node("n", "vcore", "9");
        Scheduler folded = cluster.scheduler().fold();
        Scheduler restored = Scheduler.fromCheckpoint(
                RecordedCheckpoint.of(cluster.scheduler().state()).source());

        List<String> expected = List.of("z", "x-10", "x-2", "a", "b");
        assertThat(placedIn(folded, cluster)).isEqualTo(expected);
        assertThat(placedIn(restored, cluster)).isEqualTo(expected);
    }

    private static ClusterUnderTest submitAll(ClusterUnderTest cluster, String policy) {
        cluster.queues(QueueTreeText.of("root\n└─ q   " + policy));
        IDS.forEach(id -> cluster.submitSealed(id, "root.q", TASK));
        return cluster;
    }

    private static List<String> placedIn(Scheduler scheduler, ClusterUnderTest cluster) {
        List<Event> events = scheduler.cycle("default", cluster.now());
        return events.stream()
                .filter(TaskEvent.Placed.class::isInstance)
                .map(event -> ((TaskEvent.Placed) event).application())
                .toList();
    }

    private static List<String> placedApplications(List<String> placed) {
        return placed.stream().map(line -> line.substring(0, line.indexOf('/'))).toList();
    }
}
