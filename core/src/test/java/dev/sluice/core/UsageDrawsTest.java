package dev.sluice.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.sluice.core.application.TaskSpec;
import dev.sluice.core.command.Command;
import dev.sluice.core.resource.Resources;
import dev.sluice.core.share.UsageFigures;
import dev.sluice.core.state.TaskEvent;
import dev.sluice.core.testing.CheckedScheduler;
import dev.sluice.core.testing.ClusterUnderTest;
import dev.sluice.core.testing.QueueTreeText;
import dev.sluice.core.testing.SchedulerExtension;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Random draws of parents that share by usage. */
@ExtendWith(SchedulerExtension.class)
class UsageDrawsTest {

    private static ClusterUnderTest cluster(long seed, String drawing) {
        ClusterUnderTest cluster = new ClusterUnderTest(new CheckedScheduler());
        cluster.queues(QueueTreeText.of(drawing)).handle(new Command.SetSeed("default", seed));
        return cluster;
    }

    private static TaskSpec tasks(int count, String... resources) {
        return TaskSpec.of("t", count, Resources.parse(resources));
    }

    private static void use(ClusterUnderTest cluster, String queue, double priority) {
        cluster.handle(new Command.SetUsagePriority("default", queue, priority));
    }

    /** Returns the applications served in a cycle, in order. */
    private static String cycle(ClusterUnderTest cluster) {
        cluster.cycle();
        StringBuilder order = new StringBuilder();
        for (var event : cluster.events()) {
            if (event instanceof TaskEvent.Placed placed) {
                order.append(placed.application());
            }
        }
        return order.toString();
    }

    // root (usage)
    //  ├─ a  used 1: two thirds
    //  └─ b  used 2: one third
    @Test
    void tasks_exceedingEverySlice_areDrawnBySlice() {
        int rounds = 900;
        int first = 0;
        for (long seed = 0; seed < rounds; seed++) {
            ClusterUnderTest cluster = cluster(seed, "root usage\n├─ a\n└─ b").node("n", "vcore", "3");
            use(cluster, "root.a", 1);
            use(cluster, "root.b", 2);
            cluster.submit("a", "root.a", tasks(9, "vcore", "3")).submit("b", "root.b", tasks(9, "vcore", "3"));
            first += cycle(cluster).equals("a") ? 1 : 0;
        }
        // four standard deviations
        assertThat((double) first / rounds).isEqualTo(2.0 / 3, within(4 * Math.sqrt(2.0 / 9 / rounds)));
    }

    @Test
    void cycle_afterReplay_drawsTheSame() {
        Set<String> all = new LinkedHashSet<>();
        for (long seed = 0; seed < 20; seed++) {
            ClusterUnderTest cluster =
                    cluster(seed, "root usage probabilistic\n├─ a\n├─ b\n└─ c").node("n", "vcore", "30");
            for (String queue : List.of("a", "b", "c")) {
                cluster.submit(queue, "root." + queue, tasks(99, "vcore", "1"));
            }
            var replayed = cluster.scheduler().fold();
            String order = cycle(cluster);
            assertThat(replayed.cycle("default", cluster.now())).isEqualTo(cluster.events());
            all.add(order);
            assertThat(order).hasSize(30);
        }
        assertThat(all).as("orders by seed").hasSize(20);
    }

    @Test
    void slices_withoutProbabilisticAll_goFirst() {
        Set<String> slicesFirst = new LinkedHashSet<>();
        Set<String> allDrawn = new LinkedHashSet<>();
        for (long seed = 0; seed < 30; seed++) {
            for (String probabilistic : List.of("", "probabilistic")) {
                ClusterUnderTest cluster = cluster(seed, "root usage " + probabilistic + "\n├─ a\n└─ b");
                cluster.node("n", "vcore", "4")
                        .submit("a", "root.a", tasks(9, "vcore", "1"))
                        .submit("b", "root.b", tasks(9, "vcore", "1"));
                (probabilistic.isEmpty() ? slicesFirst : allDrawn).add(cycle(cluster));
            }
        }
        assertThat(slicesFirst).containsExactly("aabb");
        assertThat(allDrawn).containsExactlyInAnyOrder("aabb", "abab", "abba", "baab", "baba", "bbaa");
    }

    // root (usage)
    //  ├─ a  has 9 of 11 workers: more than it is due
    //  ├─ b
    //  ├─ c
    //  └─ d
    @Test
    void queue_aboveItsFraction_isNotDrawn() {
        for (long seed = 0; seed < 50; seed++) {
            ClusterUnderTest cluster = cluster(seed, "root usage\n├─ a\n├─ b\n├─ c\n└─ d");
            cluster.nodes("w", 11, "slots", "1").submit("a", "root.a", tasks(9)).cycle();
            cluster.add("a", TaskSpec.of("more", 9, Resources.NONE));
            for (String queue : List.of("b", "c", "d")) {
                cluster.submit(queue, "root." + queue, tasks(9));
            }
            // two workers among three queues: a slice is less than one
            assertThat(cycle(cluster)).as("seed %s", seed).hasSize(2).doesNotContain("a");
        }
    }

    // root (usage)
    //  ├─ a
    //  ├─ b
    //  └─ c
    @Test
    void draws_afterSlices_areWeightedByRest() {
        Set<String> last = new LinkedHashSet<>();
        for (long seed = 0; seed < 30; seed++) {
            ClusterUnderTest cluster = cluster(seed, "root usage\n├─ a\n├─ b\n└─ c");
            cluster.nodes("w", 10, "slots", "1");
            // slices of 5.2, 2.6 and 2.2 workers: a has the smallest rest, and of two draws each queue wins one
            use(cluster, "root.a", 1);
            use(cluster, "root.b", 2);
            use(cluster, "root.c", 2.4);
            for (String queue : List.of("a", "b", "c")) {
                cluster.submit(queue, "root." + queue, tasks(99));
            }
            String order = cycle(cluster);
            assertThat(order).startsWith("aaaaabbcc").hasSize(10);
            last.add(order.substring(9));
        }
        assertThat(last).containsExactlyInAnyOrder("a", "b", "c");
    }

    @Test
    void rest_ofOnlyOneQueue_goesToIt() {
        for (long seed = 0; seed < 30; seed++) {
            ClusterUnderTest cluster = cluster(seed, "root usage\n├─ a\n└─ b").nodes("w", 4, "slots", "1");
            cluster.submit("a", "root.a", tasks(2)).cycle();
            // b has nothing and should have 2 of all 4: both free ones are its slice, whatever is drawn
            cluster.add("a", TaskSpec.of("more", 9, Resources.NONE)).submit("b", "root.b", tasks(9));
            assertThat(cycle(cluster)).isEqualTo("bb");
        }
    }

    @Test
    void cluster_slicesUsedUp_isFilledByFraction() {
        int rounds = 600;
        int first = 0;
        for (long seed = 0; seed < rounds; seed++) {
            ClusterUnderTest cluster = cluster(seed, "root usage probabilistic\n├─ a\n└─ b factor(3)")
                    .node("n", "vcore", "4");
            // nothing is free: every slice is used up from the start, but tasks without resources still fit
            cluster.submit("fill", "root.a", tasks(4, "vcore", "1")).cycle();
            cluster.submit("a", "root.a", tasks(1, "vcore", "0")).submit("b", "root.b", tasks(1, "vcore", "0"));
            String order = cycle(cluster);
            assertThat(order).hasSize(2);
            first += order.startsWith("a") ? 1 : 0;
        }
        assertThat((double) first / rounds).isEqualTo(0.75, within(4 * Math.sqrt(3.0 / 16 / rounds)));
    }

    // root (usage, at most 3 random starts per cycle)
    //  ├─ a
    //  └─ b
    @Test
    void draws_perCycle_areLimited(ClusterUnderTest cluster) {
        cluster.queues(QueueTreeText.of("root usage probabilistic draws(3)\n├─ a\n└─ b"))
                .node("n", "vcore", "8");
        cluster.submit("a", "root.a", tasks(9, "vcore", "1")).submit("b", "root.b", tasks(9, "vcore", "1"));
        assertThat(cluster.cycle()).hasSize(3);
        assertThat(cluster.cycle()).hasSize(3);
        assertThat(cluster.cycle()).hasSize(2);
        assertThat(cluster.cycle()).isEmpty();
    }

    // root (usage, at most 1 random starts per cycle)
    //  ├─ a to d  request what no node has
    //  └─ e
    @Test
    void draws_ofBlockedQueues_doNotDelayOthers() {
        for (long seed = 0; seed < 20; seed++) {
            ClusterUnderTest cluster = cluster(seed, "root usage probabilistic draws(1)\n├─ a\n├─ b\n├─ c\n├─ d\n└─ e");
            cluster.node("n", "vcore", "8");
            for (String queue : List.of("a", "b", "c", "d")) {
                cluster.submit(queue, "root." + queue, tasks(9, "vcore", "9"));
            }
            cluster.submit("e", "root.e", tasks(9, "vcore", "1"));
            for (int i = 0; i < 8; i++) {
                assertThat(cycle(cluster)).as("cycle %s, seed %s", i, seed).isEqualTo("e");
            }
        }
    }

    @Test
    void blockedQueue_inDraw_leavesSliceToOthers(ClusterUnderTest cluster) {
        cluster.queues(QueueTreeText.of("root usage\n├─ a\n├─ b\n└─ c")).node("n", "vcore", "9");
        cluster.submit("a", "root.a", tasks(9, "vcore", "10"))
                .submit("b", "root.b", tasks(9, "vcore", "1"))
                .submit("c", "root.c", tasks(2, "vcore", "1"));
        assertThat(cluster.cycle()).hasSize(9);
        assertThat(cluster.queue("root.b").allocatedTasks()).isEqualTo(7);
    }

    // root (usage)
    //  ├─ p (usage)
    //  │  ├─ a
    //  │  └─ b
    //  └─ c
    @Test
    void queue_withoutDeferredTasks_leavesDraw(ClusterUnderTest cluster) {
        cluster.queues(QueueTreeText.of("""
                        root usage
                        ├─ p usage
                        │  ├─ a
                        │  └─ b
                        └─ c
                        """)).node("n", "vcore", "8").handle(new Command.SetThrottle("default", 1));
        use(cluster, "root.c", 5);
        cluster.submit("large", "root.p.a", tasks(1, "vcore", "6")).submit("small", "root.p.b", tasks(2, "vcore", "1"));
        cluster.submit("c", "root.c", tasks(20, "vcore", "1"));
        // the throttle ends the cycle while the large task is deferred because of its slice
        List<String> first = new ArrayList<>(cluster.cycle());
        assertThat(first).containsExactly("small/t-0 -> n");
        cluster.cancel("large")
                .cancel("small")
                .advance(Duration.ofSeconds(1))
                .handle(new Command.SetThrottle("default", -1));

        cluster.cycle();

        assertThat(fraction(cluster, "root.p")).isEqualTo(0);
        assertThat(fraction(cluster, "root.c")).isEqualTo(1);
    }

    private static double fraction(ClusterUnderTest cluster, String queue) {
        return cluster.scheduler().scheduler().figuresOf("default", cluster.queue(queue), cluster.now())
                        instanceof UsageFigures figures
                ? figures.fraction()
                : Double.NaN;
    }

    // root (usage)
    //  ├─ a  (stateaware)
    //  └─ b
    @Test
    void newQueue_taskExceedingSlice_isDrawn(ClusterUnderTest cluster) {
        cluster.queues(QueueTreeText.of("root usage\n├─ a stateaware\n└─ b")).node("n", "vcore", "4");
        cluster.submit("a", "root.a", tasks(1, "vcore", "3")).submit("b", "root.b", tasks(1, "vcore", "1"));
        assertThat(cluster.cycle()).containsExactlyInAnyOrder("a/t-0 -> n", "b/t-0 -> n");
    }
}
