package dev.sluice.server.page;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class StarvationTest {

    private static final QueueFixture ROOT =
            QueueFixture.parent("root", "fair").withPending(9, Map.of("vcore", 9_000L, "gpu", 1L));

    private static List<String> starved(QueueFixture... queues) {
        return Starvation.of(Arrays.stream(queues).map(QueueFixture::view).toList()).stream()
                .map(each -> each.queue().path() + " (" + each.leaf() + ") " + each.words())
                .toList();
    }

    private static QueueFixture guaranteed(String path, long cores) {
        return QueueFixture.leaf(path).withQuotas(Map.of("vcore", cores * 1000), Map.of());
    }

    @Test
    void guarantee_ofRequestedResource_isUnmet() {
        assertThat(starved(
                        ROOT,
                        guaranteed("root.a", 4)
                                .withAllocated(1, Map.of("vcore", 1_000L))
                                .withPending(9, Map.of("vcore", 9_000L)),
                        guaranteed("root.met", 1)
                                .withAllocated(1, Map.of("vcore", 1_000L))
                                .withPending(9, Map.of("vcore", 9_000L)),
                        guaranteed("root.other", 4).withPending(1, Map.of("gpu", 1L)),
                        guaranteed("root.idle", 4)))
                .containsExactly("root.a (root.a) uses 1 core of the 4 cores of vcore that it is guaranteed");
    }

    @Test
    void guarantee_atMaximum_isNotUnmet() {
        QueueFixture full = QueueFixture.parent("root.full", "fair")
                .withQuotas(Map.of(), Map.of("vcore", 5_000L))
                .withAllocated(5, Map.of("vcore", 5_000L))
                .withPending(9, Map.of("vcore", 9_000L));
        assertThat(starved(ROOT, full, guaranteed("root.full.a", 4).withPending(9, Map.of("vcore", 9_000L))))
                .isEmpty();
    }

    /** A parent counts with a leaf below that waits, unless a queue below it is starved itself. */
    @Test
    void guarantee_ofParent_namesLeafBelow() {
        QueueFixture parent = QueueFixture.parent("root.p", "fair")
                .withQuotas(Map.of("vcore", 4_000L), Map.of())
                .withPending(3, Map.of("vcore", 3_000L));
        QueueFixture waiting = QueueFixture.leaf("root.p.b").withPending(3, Map.of("vcore", 3_000L));
        assertThat(starved(ROOT, parent, QueueFixture.leaf("root.p.a"), waiting))
                .containsExactly("root.p (root.p.b) uses 0 cores of the 4 cores of vcore that it is guaranteed");
        assertThat(starved(ROOT, parent, waiting.withQuotas(Map.of("vcore", 2_000L), Map.of())))
                .containsExactly("root.p.b (root.p.b) uses 0 cores of the 2 cores of vcore that it is guaranteed");
    }

    @Test
    void loadClass_whileOthersHaveLoans_isBelowEntitlement() {
        QueueFixture root = QueueFixture.parent("root", "load").withPending(9, Map.of());
        QueueFixture borrower = QueueFixture.loadClass("root.a", 50, 5, 8, 4);
        assertThat(starved(root, borrower, QueueFixture.loadClass("root.b", 50, 5, 2, 3)))
                .containsExactly(
                        "root.b (root.b) uses 2 of the 5 workers that it is entitled to, while other classes have"
                                + " 3 on loan");
        assertThat(starved(root, borrower, QueueFixture.loadClass("root.b", 50, 5, 2, 0)))
                .isEmpty();
        assertThat(starved(
                        root,
                        QueueFixture.loadClass("root.a", 50, 5, 5, 4),
                        QueueFixture.loadClass("root.b", 50, 5, 2, 3)))
                .isEmpty();
        assertThat(starved(
                        root,
                        borrower,
                        QueueFixture.loadClass("root.b", 50, 5, 2, 0).withPending(3, Map.of())))
                .as("tasks that could not start on an idle worker")
                .isEmpty();
    }

    @Test
    void usage_takingPartWithoutTasks_hasNothing() {
        QueueFixture root = QueueFixture.parent("root", "usage").withPending(9, Map.of());
        QueueFixture queue = QueueFixture.leaf("root.a")
                .withPending(3, Map.of("vcore", 3_000L))
                .withShare(QueueFixture.usage(0, 0, 1, 0.25, Map.of("vcore", 1_000L), Map.of()));
        assertThat(starved(root, queue))
                .containsExactly("root.a (root.a) has nothing, although its fraction by usage is 25 %");
        assertThat(starved(root, queue.withAllocated(1, Map.of("vcore", 1_000L))))
                .isEmpty();
        assertThat(starved(root, queue.withShare(QueueFixture.usage(0, 0, 1, 0, Map.of(), Map.of()))))
                .isEmpty();
    }
}
