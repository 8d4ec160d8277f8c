package dev.sluice.core.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.core.testing.ClusterUnderTest;
import dev.sluice.core.testing.QueueTreeText;
import dev.sluice.core.testing.SchedulerExtension;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** What it costs to list leaves. */
@ExtendWith(SchedulerExtension.class)
class QueueSchedulesTest {

    @Test
    void leaves_fewOfMany_areComparedAlone(ClusterUnderTest cluster) {
        StringBuilder tree = new StringBuilder("root\n");
        for (int i = 999; i >= 0; i--) {
            tree.append("├─ q").append(1000 + i).append('\n');
        }
        cluster.queues(QueueTreeText.of(tree.toString()));
        QueueSchedules queues = new PartitionSchedule(cluster.partition()).queues();
        AtomicInteger comparisons = new AtomicInteger();
        Comparator<QueueSchedule> counted = (a, b) -> {
            comparisons.incrementAndGet();
            return a.queue().path().compareTo(b.queue().path());
        };

        List<QueueSchedule> found = queues.leaves(leaf -> leaf.queue().name().endsWith("50"), counted);
        assertThat(found)
                .extracting(leaf -> leaf.queue().name())
                .startsWith("q1050", "q1150")
                .hasSize(10);
        assertThat(comparisons.get()).isBetween(9, 40);
    }
}
