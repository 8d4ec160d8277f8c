package dev.sluice.core.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.core.application.ApplicationSpec;
import dev.sluice.core.application.Retries;
import dev.sluice.core.application.TaskCondition;
import dev.sluice.core.application.TaskSpec;
import dev.sluice.core.command.Command;
import dev.sluice.core.configuration.ApplicationSortPolicy;
import dev.sluice.core.configuration.PartitionConfiguration;
import dev.sluice.core.configuration.QueueConfiguration;
import dev.sluice.core.configuration.SharePolicyKind;
import dev.sluice.core.engine.Scheduler;
import dev.sluice.core.resource.Resources;
import dev.sluice.core.testing.CheckedScheduler;
import dev.sluice.core.testing.ClusterUnderTest;
import dev.sluice.core.testing.QueueTreeText;
import dev.sluice.core.testing.RecordedCheckpoint;
import dev.sluice.core.testing.SchedulerExtension;
import dev.sluice.core.testing.StateText;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** Checkpoints of special states, and damaged checkpoints. */
@Timeout(120)
@ExtendWith(SchedulerExtension.class)
class StateCheckpointTest {

    private static final Resources CORE = Resources.parse("vcore", "1");

    @Test
    void checkpoint_ofEmptyState_isRead() {
        assertThat(checkpoint(new Scheduler().state()).state().partitions()).isEmpty();
    }

    @Test
    void removedQueue_ofEndedApplications_isKept(ClusterUnderTest cluster) {
        configure(cluster, "a", "b");
        cluster.node("n", "vcore", "1").submitSealed("app", "root.up.a", TaskSpec.single("t", CORE));
        cluster.cycle();
        configure(cluster, "b");
        cluster.succeed("app/t");
        assertThat(cluster.partition().queues().find("root.up.a")).isNull();

        Partition read = read(cluster);

        assertThat(read.existing("app").queue().path()).isEqualTo("root.up.a");
        assertThat(read.existing("app").queue().parent()).isSameAs(read.queues().find("root.up"));
        assertThat(read.existing("app").queue().isDraining()).isTrue();
        assertThat(read.queues().find("root.up.a")).isNull();
    }

    @Test
    void lastNumber_ofForgottenApplication_isRestored(ClusterUnderTest cluster) {
        cluster.configure(PartitionConfiguration.simplest()).node("n", "vcore", "1");
        ApplicationSpec night = ApplicationSpec.sealed("night", null, TaskSpec.single("t", CORE));
        cluster.handle(new Command.SubmitApplication(PartitionConfiguration.DEFAULT_NAME, night, true))
                .cycle();
        cluster.succeed("night-1/t")
                .handle(new Command.ForgetApplication(PartitionConfiguration.DEFAULT_NAME, "night-1"));

        assertThat(read(cluster).nextNumber("night")).isEqualTo(2);
    }

    @Test
    void drainingQueue_restored_keepsItsState(ClusterUnderTest cluster) {
        configure(cluster, "a", "b");
        cluster.submit("app", "root.up.a", TaskSpec.single("t", CORE));
        configure(cluster, "b");

        Queue read = queue(read(cluster), "root.up.a");

        assertThat(read.isDraining()).isTrue();
        assertThat(read.taskTimeout()).isEqualTo(Duration.ofMinutes(1));
        assertThat(read.configuration())
                .isEqualTo(queue(cluster.partition(), "root.up.a").configuration());
        assertThat(queue(read(cluster), "root.up.b").taskTimeout()).isEqualTo(Duration.ofMinutes(2));
    }

    @Test
    void loadClass_inOldCheckpoint_usesCurrentDefault(ClusterUnderTest cluster) {
        cluster.queues(QueueTreeText.of("""
                root       load
                └─ land    percent(100)
                """));
        List<Object> parts = parts(cluster);
        assertThat(parts).contains("FEWEST_RUNNING");
        parts.replaceAll(part -> part.equals("FEWEST_RUNNING") ? "FIFO" : part);

        Partition read = RecordedCheckpoint.of(parts)
                .state()
                .existing(cluster.partition().name());

        assertThat(queue(read, "root.land").sortPolicy()).isEqualTo(ApplicationSortPolicy.FEWEST_RUNNING);
    }

    @Test
    void groups_restored_shareAsBefore(ClusterUnderTest cluster) {
        cluster.configure(PartitionConfiguration.simplest());
        TaskSpec[] tasks = new TaskSpec[300];
        for (int i = 0; i < tasks.length; i++) {
            TaskSpec task = TaskSpec.single("t" + i, Resources.parse("vcore", "" + (1 + i % 2)));
            tasks[i] = i % 3 == 0 ? task.withPriority(i % 4) : task;
        }
        cluster.submit("app", null, tasks);

        Application before = cluster.application("app");
        Application read = read(cluster).existing("app");

        assertThat(countDistinct(before)).isEqualTo(List.of(5, 2, 2));
        assertThat(countDistinct(read)).isEqualTo(countDistinct(before));
        assertThat(read.groups().get(1).expectedDuration())
                .isSameAs(read.groups().get(2).expectedDuration());
    }

    @Test
    void checkpoint_ofOtherVersion_isRefusedWithAdvice(ClusterUnderTest cluster) {
        List<Object> parts = parts(fill(cluster));
        parts.set(0, 5L);

        assertThatThrownBy(() -> RecordedCheckpoint.of(parts).state())
                .isInstanceOf(IllegalStateException.class)
                .hasMessage(
                        "the checkpoint of the state has version 5, but this release of Sluice supports versions 1 to 4: "
                                + "start the release that wrote it, or a later one");
    }

    @Test
    void checkpoint_truncated_isRefused(ClusterUnderTest cluster) {
        List<Object> parts = parts(fill(cluster));

        for (int length = 0; length < parts.size(); length++) {
            RecordedCheckpoint cut = RecordedCheckpoint.of(parts.subList(0, length));
            assertThatThrownBy(cut::state).as("cut at %s", length).isInstanceOf(IllegalStateException.class);
        }
    }

    @Test
    void checkpoint_withInvalidNumber_isRefusedOrRead(ClusterUnderTest cluster) {
        List<Object> parts = parts(fill(cluster));
        int refused = 0;
        for (int i = 0; i < parts.size(); i++) {
            if (parts.get(i) instanceof Long) {
                for (long wrong : new long[] {-2, 0, 7, Integer.MAX_VALUE, Long.MAX_VALUE, Long.MIN_VALUE}) {
                    refused += isRefused(parts, i, wrong) ? 1 : 0;
                }
            }
        }
        assertThat(refused).isGreaterThan(parts.size());
    }

    @Test
    void checkpoint_withInvalidText_isRefusedOrRead(ClusterUnderTest cluster) {
        List<Object> parts = parts(fill(cluster));
        int refused = 0;
        for (int i = 0; i < parts.size(); i++) {
            if (parts.get(i) instanceof String) {
                for (String wrong : List.of("", "x", "RUNNING", "root.a")) {
                    refused += isRefused(parts, i, wrong) ? 1 : 0;
                }
            }
        }
        assertThat(refused).isGreaterThan(100);
    }

    @Test
    void checkpoint_withMissingPart_isRefusedOrRead(ClusterUnderTest cluster) {
        List<Object> parts = parts(fill(cluster));
        int refused = 0;
        for (int i = 0; i < parts.size(); i++) {
            List<Object> fewer = new ArrayList<>(parts);
            fewer.remove(i);
            refused += isRefused(RecordedCheckpoint.of(fewer)) ? 1 : 0;
        }
        assertThat(refused).isGreaterThan(parts.size() * 9 / 10);
    }

    @Test
    void scheduler_restoredFromCheckpoint_appliesLaterEvents(CheckedScheduler scheduler) {
        ClusterUnderTest cluster = fill(new ClusterUnderTest(scheduler));
        RecordedCheckpoint checkpoint = checkpoint(scheduler.state());
        int before = scheduler.journal().size();
        cluster.advance(Duration.ofMinutes(3)).cycle();
        cluster.succeedAll("chain");

        Scheduler restored = Scheduler.fromCheckpoint(checkpoint.source());
        restored.restore(scheduler.journal().subList(before, scheduler.journal().size()));

        assertThat(scheduler.journal().size()).isGreaterThan(before);
        assertThat(StateText.of(restored.state())).isEqualTo(StateText.of(scheduler.state()));
    }

    private static boolean isRefused(List<Object> parts, int position, Object wrong) {
        List<Object> damaged = new ArrayList<>(parts);
        damaged.set(position, wrong);
        return isRefused(RecordedCheckpoint.of(damaged));
    }

    /** Whether it is refused, including for data after its end. */
    private static boolean isRefused(RecordedCheckpoint damaged) {
        try {
            damaged.state();
            return false;
        } catch (IllegalStateException | AssertionError e) {
            return true;
        }
    }

    /** Counts the distinct kinds, vectors and amounts of an application's groups. */
    private static List<Integer> countDistinct(Application application) {
        Set<Object> kinds = Collections.newSetFromMap(new IdentityHashMap<>());
        Set<Object> demands = Collections.newSetFromMap(new IdentityHashMap<>());
        Set<Object> resources = Collections.newSetFromMap(new IdentityHashMap<>());
        for (TaskGroup group : application.groups()) {
            kinds.add(group.kind());
            demands.add(group.demand());
            resources.add(group.kind().resources());
        }
        return List.of(kinds.size(), demands.size(), resources.size());
    }

    /** Configures these leaves below root.up, with a task timeout of 3 minutes minus one per leaf. */
    private static void configure(ClusterUnderTest cluster, String... names) {
        List<QueueConfiguration> leaves = new ArrayList<>();
        for (String name : names) {
            leaves.add(QueueConfiguration.leaf(name));
        }
        QueueConfiguration up = QueueConfiguration.parent("up").withChildren(leaves);
        Duration timeout = Duration.ofMinutes(3 - names.length);
        cluster.queues(QueueConfiguration.parent(
                "root", up.withProperties(up.properties().withTaskTimeout(timeout))));
    }

    private static void shareByUsage(ClusterUnderTest cluster, String... names) {
        List<QueueConfiguration> leaves =
                Stream.of(names).map(QueueConfiguration::leaf).toList();
        QueueConfiguration usage = QueueConfiguration.parent("usage").withChildren(leaves);
        cluster.queues(QueueConfiguration.parent(
                "root",
                QueueConfiguration.leaf("x"),
                usage.withProperties(usage.properties().withSharePolicy(SharePolicyKind.USAGE))));
    }

    /** Returns a cluster that contains every kind of object. */
    private static final Retries DELAYED = new Retries(2, Duration.ofHours(1), 1, List.of());

    private static ClusterUnderTest fill(ClusterUnderTest cluster) {
        shareByUsage(cluster, "a", "b", "gone");
        shareByUsage(cluster, "a", "b");
        cluster.nodes("n", 3, "vcore", "4", "gpu", "1").node("lost", Map.of("disk", "ssd"), "vcore", "1");
        cluster.handle(new Command.ReportNodeLost("default", "lost"));
        cluster.handle(new Command.SetThrottle("default", 9)).handle(new Command.SetSeed("default", 42));
        cluster.handle(new Command.SubmitApplication(
                "default",
                ApplicationSpec.sealed("old", "root.x", TaskSpec.single("t", CORE))
                        .withTag("v1", "main")));
        cluster.cycle();
        cluster.succeed("old/t")
                .submit(
                        "chain",
                        "root.x",
                        TaskSpec.of("t", 4, CORE).withAttempts(2, Duration.ofMinutes(5)),
                        TaskSpec.single("u", CORE).withAfter(Map.of("t", TaskCondition.SUCCEEDED)));
        cluster.submit("b", "root.usage.a", TaskSpec.of("t", 3, CORE).withRetries(DELAYED));
        cluster.submit("c", "root.usage.b", TaskSpec.of("t", 30, CORE));
        cluster.cycle();
        cluster.startAll().advance(Duration.ofMinutes(1));
        cluster.fail("chain/t-1")
                .lose("b/t-0")
                .fail("b/t-1")
                .succeed("chain/t-0")
                .stop("c/t-20");
        cluster.hold("chain").cycle();
        return cluster;
    }

    private static Partition read(ClusterUnderTest cluster) {
        SchedulerState state = checkpoint(cluster.scheduler().state()).state();
        return state.existing(cluster.partition().name());
    }

    private static Queue queue(Partition partition, String path) {
        Queue queue = partition.queues().find(path);
        if (queue == null) {
            throw new AssertionError("queue not found: " + path);
        }
        return queue;
    }

    private static RecordedCheckpoint checkpoint(SchedulerState state) {
        return RecordedCheckpoint.of(state);
    }

    private static List<Object> parts(ClusterUnderTest cluster) {
        return new ArrayList<>(checkpoint(cluster.scheduler().state()).parts());
    }
}
