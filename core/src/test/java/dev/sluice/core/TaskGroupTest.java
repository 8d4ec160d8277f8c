package dev.sluice.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.core.application.TaskCondition;
import dev.sluice.core.application.TaskSpec;
import dev.sluice.core.configuration.PartitionConfiguration;
import dev.sluice.core.resource.Resources;
import dev.sluice.core.state.Task;
import dev.sluice.core.state.TaskGroup;
import dev.sluice.core.testing.ClusterUnderTest;
import dev.sluice.core.testing.SchedulerExtension;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Which objects the groups of an application share to save memory, and which state is their own. */
@ExtendWith(SchedulerExtension.class)
class TaskGroupTest {

    @Test
    void groups_differingOnlyInName_shareKind(ClusterUnderTest cluster) {
        cluster.configure(PartitionConfiguration.simplest())
                .submit("app", null, full("a"), full("b"))
                .add("app", full("c"));

        TaskGroup a = group(cluster, "a");
        for (String name : List.of("b", "c")) {
            assertThat(group(cluster, name).spec()).isEqualTo(full(name));
            assertThat(group(cluster, name).kind()).isSameAs(a.kind());
            assertThat(group(cluster, name).demand()).isSameAs(a.demand());
            assertThat(group(cluster, name).expectedDuration()).isSameAs(a.expectedDuration());
        }
    }

    @Test
    void groups_withEqualResources_shareDemand(ClusterUnderTest cluster) {
        cluster.configure(PartitionConfiguration.simplest())
                .submit("app", null, full("a"), full("b").withPriority(3), TaskSpec.of("c", 7, large()));

        TaskGroup a = group(cluster, "a");
        for (String name : List.of("b", "c")) {
            assertThat(group(cluster, name).kind()).isNotEqualTo(a.kind());
            assertThat(group(cluster, name).kind().resources())
                    .isSameAs(a.kind().resources());
            assertThat(group(cluster, name).demand()).isSameAs(a.demand());
        }
    }

    /** Many more tasks than are stored together, which end in any order and are pending again. */
    @Test
    void allocatedTasks_duringChurn_areTracked(ClusterUnderTest cluster) {
        long seed = 11;
        Random random = new Random(seed);
        cluster.configure(PartitionConfiguration.simplest())
                .node("n", "vcore", "70")
                .submit("app", null, TaskSpec.of("t", 200, Resources.parse("vcore", "1")));
        TreeSet<Integer> placed = new TreeSet<>();
        TaskGroup group = group(cluster, "t");
        for (int step = 0; step < 60; step++) {
            for (String placement : cluster.cycle()) {
                placed.add(Integer.valueOf(placement.substring("app/t-".length(), placement.indexOf(' '))));
            }
            assertThat(group.placed().stream().map(Task::index).toList())
                    .as("seed %d, step %d", seed, step)
                    .isEqualTo(List.copyOf(placed));
            assertThat(group.allocatedCount()).isEqualTo(placed.size());
            for (int index = -1; index <= 200; index++) {
                Task task = group.placed(index);
                assertThat(task != null && task.index() == index).isEqualTo(placed.contains(index));
            }
            for (int index : List.copyOf(placed)) {
                int dice = random.nextInt(step < 40 ? 6 : 2);
                if (dice == 0) {
                    cluster.succeed("app/t-" + index);
                    placed.remove(index);
                } else if (dice == 1) {
                    cluster.lose("app/t-" + index);
                    placed.remove(index);
                }
            }
        }
    }

    @Test
    void groups_differing_keepTheirSpecification(ClusterUnderTest cluster) {
        List<TaskSpec> different = List.of(
                full("plain"),
                TaskSpec.single("resources", Resources.of("memory", 1)),
                TaskSpec.of("count", 2, large()),
                full("priority").withPriority(2),
                full("duration").withExpectedDuration(Duration.ofSeconds(6)),
                full("key").withDurationKey("other"),
                full("labels").withConstraints(Map.of("disk", "hdd"), "n"),
                full("node").withConstraints(Map.of("disk", "ssd"), "m"),
                full("retries").withAttempts(8, Duration.ofSeconds(9)),
                full("timeout").withAttempts(7, Duration.ofSeconds(8)),
                full("after").withAfter(Map.of("plain", TaskCondition.STARTED)));
        cluster.configure(PartitionConfiguration.simplest()).submit("app", null, different.toArray(TaskSpec[]::new));

        for (TaskSpec task : different) {
            assertThat(group(cluster, task.name()).spec()).isEqualTo(task);
        }
    }

    @Test
    void groups_withReorderedDependencies_keepTheirOrder(ClusterUnderTest cluster) {
        cluster.configure(PartitionConfiguration.simplest())
                .submit(
                        "app",
                        null,
                        TaskSpec.single("a", large()),
                        TaskSpec.single("b", large()),
                        TaskSpec.single("first", large()).withAfter(after("a", "b")),
                        TaskSpec.single("second", large()).withAfter(after("b", "a")));

        assertThat(group(cluster, "first").spec().after().keySet()).containsExactly("a", "b");
        assertThat(group(cluster, "second").spec().after().keySet()).containsExactly("b", "a");
    }

    @Test
    void groups_withPredictedDuration_shareIt(ClusterUnderTest cluster) {
        TaskSpec task = TaskSpec.single("t", Resources.NONE).withDurationKey("key");
        cluster.configure(PartitionConfiguration.simplest())
                .node("n", "vcore", "1")
                .submit("before", null, task)
                .cycle();
        cluster.startAll().advance(Duration.ofSeconds(5)).succeed("before/t");

        cluster.submit("app", null, task, TaskSpec.single("u", Resources.NONE).withDurationKey("key"));

        assertThat(group(cluster, "t").expectedDuration()).isEqualTo(Duration.ofSeconds(5));
        assertThat(group(cluster, "u").expectedDuration())
                .isSameAs(group(cluster, "t").expectedDuration());
    }

    @Test
    void groups_ofOneKind_progressIndependently(ClusterUnderTest cluster) {
        TaskSpec[] tasks = new TaskSpec[40];
        for (int i = 0; i < tasks.length; i++) {
            tasks[i] = TaskSpec.single("t-" + i, Resources.of("vcore", 1000)).withAttempts(1, null);
        }
        cluster.configure(PartitionConfiguration.simplest())
                .node("n", "vcore", "3")
                .submit("app", null, tasks);
        assertThat(cluster.cycle()).hasSize(3);

        cluster.startAll().succeed("app/t-0").fail("app/t-1").stop("app/t-20");

        assertThat(group(cluster, "t-0").succeeded()).isEqualTo(1);
        assertThat(group(cluster, "t-1").failures(0)).isEqualTo(1);
        assertThat(group(cluster, "t-2").allocatedCount()).isEqualTo(1);
        assertThat(group(cluster, "t-20").stopped()).isEqualTo(1);
        List<TaskGroup> untouched = new ArrayList<>(cluster.application("app").groups());
        untouched.removeIf(group -> List.of("t-0", "t-1", "t-2", "t-20").contains(group.name()));
        assertThat(untouched).hasSize(36).allSatisfy(group -> {
            assertThat(group.unallocated()).isEqualTo(1);
            assertThat(group.attempts(0) + group.failures(0)).isZero();
        });
    }

    private static TaskGroup group(ClusterUnderTest cluster, String name) {
        TaskGroup group = cluster.application("app").group(name);
        assertThat(group).isNotNull();
        return group;
    }

    private static TaskSpec full(String name) {
        return TaskSpec.single(name, large())
                .withPriority(1)
                .withExpectedDuration(Duration.ofSeconds(5))
                .withDurationKey("key")
                .withConstraints(new TreeMap<>(Map.of("disk", "ssd")), "n")
                .withAttempts(7, Duration.ofSeconds(9));
    }

    private static Resources large() {
        return Resources.parse("vcore", "2", "memory", "3Gi");
    }

    private static Map<String, TaskCondition> after(String... names) {
        Map<String, TaskCondition> after = new LinkedHashMap<>();
        for (String name : names) {
            after.put(name, TaskCondition.SUCCEEDED);
        }
        return after;
    }
}
