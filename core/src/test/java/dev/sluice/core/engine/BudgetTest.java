package dev.sluice.core.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.core.application.TaskSpec;
import dev.sluice.core.resource.Resources;
import dev.sluice.core.schedule.PartitionSchedule;
import dev.sluice.core.share.Child;
import dev.sluice.core.share.CycleStart;
import dev.sluice.core.share.FairShare;
import dev.sluice.core.share.SharePolicy;
import dev.sluice.core.state.Event;
import dev.sluice.core.state.Partition;
import dev.sluice.core.state.Queue;
import dev.sluice.core.state.TaskEvent;
import dev.sluice.core.state.Vectors;
import dev.sluice.core.testing.ClusterUnderTest;
import dev.sluice.core.testing.Invariants;
import dev.sluice.core.testing.QueueTreeText;
import dev.sluice.core.testing.SchedulerExtension;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * A share policy with budgets: tasks that exceed a child's slice are deferred until the policy requeues them. Shows
 * that the engine accepts such a policy unchanged.
 */
@ExtendWith(SchedulerExtension.class)
class BudgetTest {

    /**
     * Gives each child in turn the tasks that fit its slice of the free cores; then single tasks, fitting or not, while
     * some of the slice is left. A strict policy omits the second phase.
     */
    private static final class SlicePolicy implements SharePolicy {
        private final Map<String, Long> slices;
        private final Map<String, Long> left = new TreeMap<>();
        private final TreeMap<Integer, Child> children = new TreeMap<>();
        private long freeCores;
        private boolean strict;
        private boolean beyond;

        SlicePolicy(Map<String, Long> slices) {
            this.slices = slices;
        }

        @Override
        public void begin(CycleStart start, long[] allowance) {
            freeCores = Vectors.at(start.free(), 1) / 1000;
            left.clear();
            left.putAll(slices);
            beyond = false;
        }

        @Override
        public void update(Child child) {
            children.put(child.position(), child);
        }

        @Override
        public @Nullable Child next() {
            if (!strict && !beyond && children.values().stream().noneMatch(Child::isEligible)) {
                beyond = true;
                List.copyOf(children.values()).forEach(Child::requeue);
            }
            return children.values().stream()
                    .filter(child -> child.isEligible() && (!beyond || leftOf(child) > 0))
                    .findFirst()
                    .orElse(null);
        }

        @Override
        public boolean hasNext() {
            return children.values().stream()
                    .anyMatch(child -> beyond
                            ? child.isEligible() && leftOf(child) > 0
                            : child.isEligible() || (!strict && child.isOverBudget()));
        }

        @Override
        public long[] budget() {
            Child child = next();
            return beyond || child == null
                    ? UNBOUNDED
                    : new long[] {Long.MAX_VALUE, leftOf(child) * 1000, Long.MAX_VALUE};
        }

        @Override
        public void placed(Child child, long[] demand) {
            left.merge(child.queue().name(), -Vectors.at(demand, 1) / 1000, Long::sum);
        }

        private long leftOf(Child child) {
            return left.getOrDefault(child.queue().name(), 0L);
        }
    }

    @Test
    void tasks_exceedingSlice_areDeferredAndRequeued(ClusterUnderTest cluster) {
        cluster.queues(QueueTreeText.of("""
                root
                ├─ a
                └─ b
                """)).node("n", "vcore", "12");
        cluster.submit("in-a", "root.a", large(2, 3), small(2));
        cluster.submit("in-b", "root.b", large(2, 4), small(1));
        SlicePolicy root = new SlicePolicy(Map.of("a", 5L, "b", 6L));

        // a has 5: 3, then not another 3, but 1 and 1; b has 6: 4, then not another 4, but 1, which leaves it 1 to
        // exceed
        assertThat(cycle(cluster, "root", root))
                .containsExactly("in-a/large-0", "in-a/small-0", "in-a/small-1", "in-b/large-0", "in-b/small-0");
        assertThat(root.freeCores).isEqualTo(12);
        cluster.updateNode("n", "vcore", "24");
        root = new SlicePolicy(Map.of("a", 1L, "b", 1L));
        assertThat(cycle(cluster, "root", root)).containsExactly("in-a/large-1", "in-b/large-1");
    }

    @Test
    void slices_inOneCycle_areExceededByLastTask(ClusterUnderTest cluster) {
        cluster.queues(QueueTreeText.of("""
                root
                ├─ a
                └─ b
                """)).node("n", "vcore", "100");
        cluster.submit("in-a", "root.a", large(3, 3));
        cluster.submit("in-b", "root.b", large(3, 4));

        // first phase: 3 of 5, and 4 of 6; second phase: 3 more with 2 left, 4 more with 2 left; then the slices are
        // used up
        assertThat(cycle(cluster, "root", new SlicePolicy(Map.of("a", 5L, "b", 6L))))
                .containsExactly("in-a/large-0", "in-b/large-0", "in-a/large-1", "in-b/large-1");
    }

    @Test
    void slices_belowFairParent_areKept(ClusterUnderTest cluster) {
        cluster.queues(QueueTreeText.of("""
                root
                ├─ p
                │  ├─ a
                │  └─ b
                │     └─ c
                └─ q
                """)).node("n", "vcore", "100");
        cluster.submit("in-a", "root.p.a", large(2, 3));
        cluster.submit("in-c", "root.p.b.c", large(2, 4), small(2));
        cluster.submit("in-q", "root.q", small(1));

        assertThat(cycle(cluster, "root.p", new SlicePolicy(Map.of("a", 4L, "b", 5L))))
                .containsExactly("in-a/large-0", "in-q/small-0", "in-c/large-0", "in-c/small-0", "in-a/large-1");
    }

    @Test
    void nextCycle_afterDeferredTasks_considersThemAgain(ClusterUnderTest cluster) {
        cluster.queues(QueueTreeText.of("""
                root
                └─ a
                """)).node("n", "vcore", "100");
        cluster.submit("in-a", "root.a", large(3, 3));
        Map<String, Long> slices = new TreeMap<>(Map.of("a", 0L));
        SlicePolicy policy = new SlicePolicy(slices);
        PartitionSchedule schedule = new PartitionSchedule(cluster.partition(), (parent, partition) -> policy);
        policy.strict = true;
        assertThat(cycle(cluster, schedule)).isEmpty();
        assertThat(policy.children.values()).allMatch(Child::isOverBudget);

        slices.put("a", 9L);

        assertThat(cycle(cluster, schedule)).containsExactly("in-a/large-0", "in-a/large-1", "in-a/large-2");
        assertThat(policy.children.values()).noneMatch(Child::isOverBudget);
    }

    private static TaskSpec large(int count, int cores) {
        return TaskSpec.of("large", count, Resources.parse("vcore", "" + cores));
    }

    private static TaskSpec small(int count) {
        return TaskSpec.of("small", count, Resources.parse("vcore", "1"));
    }

    private static List<String> cycle(ClusterUnderTest cluster, String parentWithSlices, SharePolicy policy) {
        return cycle(
                cluster,
                new PartitionSchedule(
                        cluster.partition(),
                        (Queue parent, Partition partition) ->
                                parent.path().equals(parentWithSlices) ? policy : new FairShare(parent, partition)));
    }

    /**
     * Runs one cycle like the scheduler, with the test's own orders; its events are recorded in the journal as if
     * restored.
     */
    private static List<String> cycle(ClusterUnderTest cluster, PartitionSchedule schedule) {
        Partition partition = cluster.partition();
        Invariants.Allocations before = Invariants.allocations(partition);
        Emitter emitter = new Emitter(cluster.scheduler().state());
        new Cycle(partition, schedule, emitter, new Lifecycle(emitter), cluster.now()).run();
        Invariants.checkCycle(before, partition);
        List<Event> events = emitter.take();
        cluster.scheduler().record(events);
        List<String> placed = new ArrayList<>();
        for (Event event : events) {
            if (event instanceof TaskEvent.Placed placement) {
                placed.add(ClusterUnderTest.text(placement).replaceAll(" ->.*", ""));
            }
        }
        return placed;
    }
}
