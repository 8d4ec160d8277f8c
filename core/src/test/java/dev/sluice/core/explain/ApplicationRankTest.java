package dev.sluice.core.explain;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.core.application.TaskSpec;
import dev.sluice.core.resource.Resources;
import dev.sluice.core.state.Event;
import dev.sluice.core.state.TaskEvent;
import dev.sluice.core.testing.ClusterUnderTest;
import dev.sluice.core.testing.QueueTreeText;
import dev.sluice.core.testing.SchedulerExtension;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The rank of applications is the order in which a cycle tries them. */
@ExtendWith(SchedulerExtension.class)
class ApplicationRankTest {

    private static TaskSpec task(String id, int count, int priority) {
        return TaskSpec.of(id, count, Resources.parse("vcore", "1")).withPriority(priority);
    }

    private static List<String> ranked(ClusterUnderTest cluster) {
        return StreamSupport.stream(cluster.partition().applications().spliterator(), false)
                .map(application -> ApplicationRank.of(application, cluster.partition(), StepBudget.unlimited()))
                .filter(Objects::nonNull)
                .sorted()
                .map(rank -> rank.application().id())
                .toList();
    }

    private static List<String> tried(ClusterUnderTest cluster) {
        List<Event> events = cluster.scheduler().fold().cycle("default", cluster.now());
        return events.stream()
                .filter(TaskEvent.Placed.class::isInstance)
                .map(event -> ((TaskEvent.Placed) event).application())
                .toList();
    }

    @ParameterizedTest
    @ValueSource(strings = {"fifo", "fair", "fewestrunning"})
    void rank_ofEachPolicy_isOrderOfCycle(String policy, ClusterUnderTest cluster) {
        cluster.queues(QueueTreeText.of("root\n└─ q   " + policy));
        cluster.node("n", "vcore", "3");
        cluster.submit("most", "root.q", task("a", 2, 0)).submit("some", "root.q", task("a", 1, 0));
        cluster.cycle();
        cluster.startAll().advance(Duration.ofSeconds(1));
        cluster.submit("none", "root.q", task("a", 1, 0)).advance(Duration.ofSeconds(1));
        cluster.submit("urgent", "root.q", task("a", 1, 7)).submit("later", "root.q", task("a", 1, 0));
        cluster.submit("held", "root.q", task("a", 1, 0)).hold("held");
        cluster.add("most", task("b", 1, 0)).add("some", task("b", 1, 0));
        cluster.updateNode("n", "vcore", "9");

        assertThat(ranked(cluster))
                .isEqualTo(tried(cluster))
                .isEqualTo(
                        policy.equals("fifo")
                                ? List.of("urgent", "most", "some", "none", "later")
                                : List.of("urgent", "none", "later", "some", "most"));
    }

    @Test
    void rank_stateAware_putsAcceptedLast(ClusterUnderTest cluster) {
        cluster.queues(QueueTreeText.of("root\n└─ q   stateaware"));
        cluster.node("n", "vcore", "2");
        cluster.submit("first", "root.q", task("a", 2, 0));
        cluster.cycle();
        cluster.startAll();
        cluster.submit("urgent", "root.q", task("a", 1, 7)).add("first", task("b", 1, 0));

        assertThat(ranked(cluster)).containsExactly("first", "urgent");
    }
}
