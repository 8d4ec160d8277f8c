package dev.sluice.server.page;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.server.api.PartitionView;
import dev.sluice.server.api.QueueView;
import dev.sluice.server.view.DueResources;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class QueueDueTest {

    private static final PartitionView PARTITION =
            QueueFixture.partition(Map.of("vcore", 9_000L, "slots", 9L, "gpu", 10L));

    /** Armada: a fraction of two thirds of 9 cores, of which the parent may use 6. */
    @Test
    void due_belowUsage_isWhatThePolicyComputed() {
        QueueView queue = QueueFixture.leaf("root.a")
                .withAllocated(1, Map.of("vcore", 1_000L))
                .withShare(QueueFixture.usage(1, 1, 1, 2 / 3.0, Map.of("vcore", 4_000L), Map.of("vcore", 3_000L)))
                .view();
        assertThat(DueResources.of(queue)).isEqualTo(Map.of("vcore", 4_000L));
        Bar bar = QueueDue.bar(queue, PARTITION);
        assertThat(bar.duePosition()).isEqualTo("44.44");
        assertThat(bar.label()).isEqualTo("vcore: 1 core of 9 cores used, 4 cores due");
    }

    @Test
    void due_takingNoPart_hasNoMark() {
        QueueView queue = QueueFixture.leaf("root.a")
                .withAllocated(1, Map.of("vcore", 1_000L))
                .withShare(QueueFixture.usage(1, 1, 1, 0, Map.of(), Map.of()))
                .view();
        assertThat(DueResources.of(queue)).isEmpty();
        assertThat(QueueDue.bar(queue, PARTITION).duePosition()).isEmpty();
    }

    @Test
    void due_ofLoadClass_isItsEntitlementInSlots() {
        QueueView queue = QueueFixture.loadClass("root.a", 60, 6, 2, 0).view();
        assertThat(DueResources.of(queue)).isEqualTo(Map.of("slots", 6L));
        assertThat(QueueDue.bar(queue, PARTITION).label()).startsWith("slots: 0 of 9 used, 6 due");
    }

    /**
     * <pre>
     * root (fair)
     * ├── one: 2 GPUs guaranteed
     * ├── two (fair)
     * │   ├── a: 3
     * │   └── b: 4
     * └── three (usage): 1
     *     └── c: due 5
     * </pre>
     */
    @Test
    void sum_fairRoot_isWhatIsGuaranteed() {
        assertThat(DueResources.sum(List.of(
                        QueueFixture.parent("root", "fair").view(),
                        guaranteed(QueueFixture.leaf("root.one"), 2),
                        QueueFixture.parent("root.two", "fair").view(),
                        guaranteed(QueueFixture.leaf("root.two.a"), 3),
                        guaranteed(QueueFixture.leaf("root.two.b"), 4),
                        guaranteed(QueueFixture.parent("root.three", "usage"), 1),
                        QueueFixture.leaf("root.three.c")
                                .withShare(QueueFixture.usage(0, 0, 1, 1, Map.of("gpu", 5L), Map.of()))
                                .view())))
                .isEqualTo(Map.of("gpu", 10L));
    }

    @Test
    void sum_usageOrLoadRoot_isWhatChildrenAreDue() {
        assertThat(DueResources.sum(List.of(
                        QueueFixture.parent("root", "usage").view(),
                        QueueFixture.leaf("root.a")
                                .withShare(QueueFixture.usage(0, 1, 1, 2 / 3.0, Map.of("vcore", 6_000L), Map.of()))
                                .view(),
                        QueueFixture.leaf("root.b")
                                .withShare(QueueFixture.usage(0, 2, 1, 1 / 3.0, Map.of("vcore", 3_000L), Map.of()))
                                .view())))
                .isEqualTo(Map.of("vcore", 9_000L));
        assertThat(DueResources.sum(List.of(
                        QueueFixture.parent("root", "load").view(),
                        QueueFixture.loadClass("root.a", 60, 6, 0, 0).view(),
                        QueueFixture.loadClass("root.b", 40, 4, 0, 0).view())))
                .isEqualTo(Map.of("slots", 10L));
    }

    private static QueueView guaranteed(QueueFixture queue, long gpus) {
        return queue.withQuotas(Map.of("gpu", gpus), Map.of()).view();
    }
}
