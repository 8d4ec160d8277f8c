package dev.sluice.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.core.application.TaskSpec;
import dev.sluice.core.configuration.PartitionConfiguration;
import dev.sluice.core.resource.Resources;
import dev.sluice.core.testing.ClusterUnderTest;
import dev.sluice.core.testing.SchedulerExtension;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * The order of one application's tasks: priority, then longest expected duration, then creation; returned tasks go
 * first.
 */
@ExtendWith(SchedulerExtension.class)
class TaskOrderTest {

    private static final Resources CORE = Resources.parse("vcore", "1");

    @Test
    void tasks_ofDifferentPriority_higherGoesFirst(ClusterUnderTest cluster) {
        check(cluster, "a@0 b@5 c@-5 d@5", "b d a c");
    }

    @Test
    void tasks_ofMinimumPriority_goLast(ClusterUnderTest cluster) {
        check(cluster, "a@-2147483648 b@0 c@2147483647 d@-2147483647", "c b d a");
    }

    @Test
    void tasks_ofEqualPriority_longestExpectedGoesFirst(ClusterUnderTest cluster) {
        check(cluster, "a@0~10 b@0~60 c@0 d@1~1", "d b a c");
    }

    @Test
    void tasks_ofEqualDuration_keepCreationOrder(ClusterUnderTest cluster) {
        check(cluster, "z@0~5 y@0~5 x@0~5", "z y x");
    }

    @Test
    void groupTasks_ofOneGroup_goTogetherByIndex(ClusterUnderTest cluster) {
        check(cluster, "t×3 s@0 u×2", "t-0 t-1 t-2 s u-0 u-1");
    }

    @Test
    void groupTasks_amongOtherDurations_keepOrder(ClusterUnderTest cluster) {
        check(cluster, "t×2~5 s@0~9 u×2~7", "s u-0 u-1 t-0 t-1");
    }

    @Test
    void tasks_ofDifferentSizes_keepOrder(ClusterUnderTest cluster) {
        cluster.configure(PartitionConfiguration.simplest()).node("n", "vcore", "100");
        cluster.submit(
                "app",
                null,
                TaskSpec.single("a", Resources.parse("vcore", "2")),
                TaskSpec.single("b", Resources.parse("vcore", "9")),
                TaskSpec.single("c", Resources.parse("vcore", "2")),
                TaskSpec.single("d", Resources.parse("vcore", "9")).withExpectedDuration(Duration.ofSeconds(1)));

        assertThat(cluster.cycle()).containsExactly("app/d -> n", "app/a -> n", "app/b -> n", "app/c -> n");
    }

    @Test
    void tasks_addedLater_areOrdered(ClusterUnderTest cluster) {
        cluster.configure(PartitionConfiguration.simplest()).node("n", "vcore", "2");
        cluster.submit("app", null, TaskSpec.of("t", 4, CORE)).cycle();

        cluster.add("app", TaskSpec.single("urgent", CORE).withPriority(1));
        cluster.add("app", TaskSpec.single("long", CORE).withExpectedDuration(Duration.ofHours(1)));
        cluster.updateNode("n", "vcore", "6");

        assertThat(cluster.cycle()).containsExactly("app/urgent -> n", "app/long -> n", "app/t-2 -> n", "app/t-3 -> n");
    }

    @Test
    void returnedTasks_ofGroup_precedeNewOnes(ClusterUnderTest cluster) {
        cluster.configure(PartitionConfiguration.simplest()).node("n", "vcore", "3");
        cluster.submit("app", null, TaskSpec.of("t", 6, CORE)).cycle();

        cluster.lose("app/t-2").lose("app/t-1");

        assertThat(cluster.cycle()).containsExactly("app/t-1 -> n", "app/t-2 -> n");
        cluster.succeed("app/t-0");
        assertThat(cluster.cycle()).containsExactly("app/t-3 -> n");
    }

    @Test
    void returnedTask_ofEarlierGroup_precedesLaterGroup(ClusterUnderTest cluster) {
        cluster.configure(PartitionConfiguration.simplest()).node("n", "vcore", "2");
        cluster.submit("app", null, TaskSpec.of("t", 2, CORE), TaskSpec.of("u", 2, CORE))
                .cycle();

        cluster.succeed("app/t-0").lose("app/t-1");

        assertThat(cluster.cycle()).containsExactly("app/t-1 -> n", "app/u-0 -> n");
    }

    /**
     * Checks the order of tasks. {@code a@5~60} is a task with priority 5 and an expected duration of 60 seconds,
     * {@code t×3} three tasks.
     */
    private static void check(ClusterUnderTest cluster, String tasks, String order) {
        cluster.configure(PartitionConfiguration.simplest()).node("n", "vcore", "100");
        List<TaskSpec> specs = new ArrayList<>();
        for (String task : tasks.split(" ", -1)) {
            String name = task.substring(0, 1);
            int count = number(task, '×');
            specs.add(TaskSpec.of(name, count, CORE)
                    .withPriority(number(task, '@'))
                    .withExpectedDuration(Duration.ofSeconds(number(task, '~'))));
        }
        cluster.submit("app", null, specs.toArray(TaskSpec[]::new));
        List<String> placed = new ArrayList<>();

        for (String placement : cluster.cycle()) {
            placed.add(placement.substring("app/".length(), placement.indexOf(' ')));
        }

        assertThat(String.join(" ", placed)).isEqualTo(order);
    }

    private static int number(String task, char sign) {
        int start = task.indexOf(sign);
        return start < 0 ? 0 : Integer.parseInt(task.substring(start + 1).replaceAll("[^-0-9].*", ""));
    }
}
