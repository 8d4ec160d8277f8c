package dev.sluice.server.page;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.server.api.PartitionView;
import dev.sluice.server.api.QueueView;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class PolicyWordsTest {

    private static final PartitionView PARTITION =
            QueueFixture.partition(Map.of("vcore", 40_000L, "memory", 64L << 30, "gpu", 8L));

    /** Returns the sentences of a queue, without that of its own policy. */
    private static List<String> words(QueueFixture queue, String policy, QueueFixture... siblings) {
        List<String> words = PolicyWords.of(
                queue.view(),
                QueueFixture.parent("root", policy).view(),
                Arrays.stream(siblings).map(QueueFixture::view).toList(),
                PARTITION);
        return words.subList(0, words.size() - 1);
    }

    @Test
    void fair_namesTheDominantResource() {
        QueueFixture queue = QueueFixture.leaf("root.a")
                .withQuotas(Map.of("vcore", 20_000L), Map.of("gpu", 4L))
                .withAllocated(3, Map.of("vcore", 5_000L, "memory", 8L << 30, "gpu", 3L))
                .withDominant(0.75);
        assertThat(words(queue, "fair"))
                .containsExactly("Its dominant share is 75 %: it uses gpu 3, and may use at most 4. Its parent root"
                        + " (share policy fair) serves the child with the smallest dominant share first, among those with"
                        + " pending tasks of the same priority; no sibling with pending tasks has a smaller one.");
        assertThat(words(
                                queue.withAllocated(3, Map.of("vcore", 15_000L)).withDominant(0.75),
                                "fair",
                                QueueFixture.leaf("root.b").withDominant(0.1).withPending(2, Map.of()),
                                QueueFixture.leaf("root.c").withDominant(0),
                                QueueFixture.leaf("root.d").withDominant(0.8).withPending(2, Map.of()))
                        .get(0))
                .contains("it uses vcore 15 cores, and is guaranteed 20 cores", "; root.b (10 %) has a smaller one.");
        assertThat(words(queue.withAllocated(1, Map.of("memory", 16L << 30)).withDominant(0.25), "fair")
                        .get(0))
                .contains("it uses memory 16 GiB, and the partition has 64 GiB");
        assertThat(words(QueueFixture.leaf("root.a").withDominant(0), "fair").get(0))
                .startsWith("Its dominant share is 0 %: it uses nothing.");
    }

    /** Scoot, DESIGN section 6: three workers at 34, 33 and 33 % are one each. */
    @Test
    void load_atEntitlement_saysIt() {
        assertThat(words(
                        QueueFixture.loadClass("root.a", 34, 1, 1, 2),
                        "load",
                        QueueFixture.loadClass("root.b", 33, 1, 1, 0),
                        QueueFixture.loadClass("root.c", 33, 1, 1, 0)))
                .containsExactly(
                        "It is a load class of 34 % below root, which entitles it to 1 of 3 workers. Its tasks use 1; 2"
                                + " are pending.",
                        "It could start 0 tasks in the last cycle.");
    }

    @Test
    void load_onlyBorrower_namesLendersLargestFirst() {
        QueueFixture borrower = QueueFixture.loadClass("root.a", 30, 30, 50, 9);
        QueueFixture few = QueueFixture.loadClass("root.b", 30, 30, 25, 0);
        QueueFixture many = QueueFixture.loadClass("root.c", 40, 40, 25, 0);
        assertThat(words(borrower, "load", few, many))
                .contains("It uses 20 workers more than its entitlement, on loan from root.c (15), root.b (5).");
        assertThat(words(few, "load", borrower, many))
                .contains(
                        "It does not use 5 workers of its entitlement; others use more than theirs: root.a (20 more).");
    }

    @Test
    void load_onlyLender_namesBorrowersLargestFirst() {
        QueueFixture lender = QueueFixture.loadClass("root.a", 60, 60, 30, 0);
        QueueFixture small = QueueFixture.loadClass("root.b", 20, 20, 28, 5);
        QueueFixture large = QueueFixture.loadClass("root.c", 20, 20, 40, 5);
        assertThat(words(lender, "load", small, large))
                .contains("It does not use 30 workers of its entitlement; on loan from it: 20 to root.c, 8 to root.b.");
        assertThat(words(small, "load", lender, large))
                .contains(
                        "It uses 8 workers more than its entitlement, on loan from root.a, which uses 30 fewer than its"
                                + " own.");
    }

    /** With idle workers, or another borrower, no loan can be attributed to one of several lenders. */
    @Test
    void load_severalLendersAndBorrowers_attributesNothing() {
        assertThat(words(
                        QueueFixture.loadClass("root.a", 25, 25, 30, 0),
                        "load",
                        QueueFixture.loadClass("root.b", 25, 25, 35, 0),
                        QueueFixture.loadClass("root.c", 25, 25, 20, 0),
                        QueueFixture.loadClass("root.d", 25, 25, 10, 0)))
                .contains(
                        "It uses 5 workers more than its entitlement, on loan from what other classes do not use: 15 of"
                                + " root.d, 5 of root.c.");
    }

    /** Tasks smaller than a core also start beyond the workers that are counted. */
    @Test
    void load_moreTasksThanWorkers_isNoLoanOfOthers() {
        QueueFixture above = QueueFixture.loadClass("root.a", 50, 2, 6, 0);
        assertThat(words(above, "load", QueueFixture.loadClass("root.b", 50, 2, 1, 0)))
                .contains(
                        "It uses 4 workers more than its entitlement; unused by other classes: 1 of root.b. Tasks also run"
                                + " where nodes have capacity beyond the workers that are counted.");
        assertThat(words(QueueFixture.loadClass("root.b", 50, 2, 1, 0), "load", above))
                .contains("It does not use 1 worker of its entitlement; others use more than theirs: root.a (4 more).");
    }

    /** Armada: priorities 1 and 2, here by a factor, get two thirds and one third of 9 cores. */
    @Test
    void usage_takingPart_explainsFractionAndSlice() {
        QueueFixture one = QueueFixture.leaf("root.a")
                .withPending(20, Map.of("vcore", 20_000L))
                .withShare(QueueFixture.usage(0, 1, 1, 2 / 3.0, Map.of("vcore", 6_000L), Map.of("vcore", 6_000L)));
        QueueFixture two = QueueFixture.leaf("root.b")
                .withPending(20, Map.of("vcore", 20_000L))
                .withShare(QueueFixture.usage(0, 0.2, 4, 1 / 3.0, Map.of("vcore", 3_000L), Map.of("vcore", 3_000L)));
        assertThat(words(two, "usage", one))
                .containsExactly(
                        "Its usage priority is 0.2: its usage, which decays over time, in core equivalents (the whole"
                                + " capacity of any resource counts as much as all cores). Its effective priority is"
                                + " max(0.2, 0.5) × factor 4 = 2; its parent root (share policy usage) serves lower ones"
                                + " first.",
                        "Its fraction is 33 %: the inverse of its effective priority, divided by the sum of these"
                                + " inverses of the 2 children with pending tasks that could start. root.a has 67 % with"
                                + " effective priority 1.",
                        "So it is due vcore 3 cores: this fraction of what was free and what these children used at the"
                                + " start of the last cycle, within the maxima. It used 0 core equivalents then. Its"
                                + " slice of what was free was vcore 3 cores.");
        assertThat(words(one, "usage").get(1))
                .isEqualTo("Its fraction is 67 %: no sibling has pending tasks that could start.");
    }

    @Test
    void usage_withoutSlice_saysWhy() {
        QueueFixture ahead = QueueFixture.leaf("root.a")
                .withPending(1, Map.of("vcore", 1_000L))
                .withShare(QueueFixture.usage(8, 8, 1, 0.2, Map.of("vcore", 2_000L), Map.of()));
        QueueFixture behind = QueueFixture.leaf("root.b")
                .withPending(1, Map.of("vcore", 1_000L))
                .withShare(QueueFixture.usage(0, 2, 1, 0.8, Map.of("vcore", 8_000L), Map.of("vcore", 2_000L)));
        assertThat(words(ahead, "usage", behind).get(2))
                .endsWith("It used 8 core equivalents then. It had no slice, because it used as much as its fraction.");
        assertThat(words(ahead, "usage").get(2)).endsWith("It had no slice, because nothing was free.");
    }

    @Test
    void usage_takingNoPart_saysWhy() {
        QueueFixture queue = QueueFixture.leaf("root.a").withShare(QueueFixture.usage(3, 3, 1, 0, Map.of(), Map.of()));
        assertThat(words(queue, "usage"))
                .hasSize(2)
                .contains("It took no part in the last cycle and is due nothing: it has no pending tasks.");
        assertThat(words(queue.withPending(7, Map.of()), "usage"))
                .contains("It took no part in the last cycle and is due nothing: none of its 7 pending tasks could"
                        + " start.");
    }

    @Test
    void guarantee_belowUsage_isSaid() {
        QueueFixture queue = QueueFixture.leaf("root.a")
                .withQuotas(Map.of("vcore", 4_000L), Map.of())
                .withShare(QueueFixture.usage(3, 3, 1, 0, Map.of(), Map.of()));
        assertThat(words(queue, "usage"))
                .contains(
                        "It is guaranteed vcore 4 cores: tasks of other queues may be preempted for that, if preemption is"
                                + " enabled.");
    }

    @Test
    void figures_beforeTheFirstCycle_areMissing() {
        QueueView root = QueueFixture.parent("root", "fair").view();
        assertThat(words(QueueFixture.leaf("root.a"), "load").get(0)).contains("No figures yet");
        assertThat(words(QueueFixture.leaf("root.a"), "usage").get(0)).contains("No figures yet");
        assertThat(PolicyWords.of(root, null, List.of(), PARTITION))
                .containsExactly("Share policy fair: the child with the smallest dominant share is served first.");
    }

    @Test
    void siblings_many_areCounted() {
        QueueFixture[] siblings = new QueueFixture[8];
        for (int i = 0; i < siblings.length; i++) {
            siblings[i] = QueueFixture.leaf("root.s" + i).withDominant(0.1).withPending(1, Map.of());
        }
        assertThat(words(
                                QueueFixture.leaf("root.a")
                                        .withAllocated(1, Map.of("gpu", 4L))
                                        .withDominant(0.5),
                                "fair",
                                siblings)
                        .get(0))
                .endsWith("root.s4 (10 %) and 3 more have smaller ones.");
    }
}
