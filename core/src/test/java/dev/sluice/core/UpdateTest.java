package dev.sluice.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.core.application.ApplicationState;
import dev.sluice.core.application.ApplicationUpdate;
import dev.sluice.core.application.NodeAffinity;
import dev.sluice.core.application.NodePreference;
import dev.sluice.core.application.NodeSelectorRequirement;
import dev.sluice.core.application.NodeSelectorTerm;
import dev.sluice.core.application.Retries;
import dev.sluice.core.application.TaskSpec;
import dev.sluice.core.command.Command;
import dev.sluice.core.command.Refusal;
import dev.sluice.core.configuration.QueueConfiguration;
import dev.sluice.core.configuration.QueueProperties;
import dev.sluice.core.resource.Resources;
import dev.sluice.core.state.TaskEvent;
import dev.sluice.core.testing.ClusterUnderTest;
import dev.sluice.core.testing.SchedulerExtension;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Changes of applications that have not ended. */
@ExtendWith(SchedulerExtension.class)
class UpdateTest {

    private static final Resources CORE = Resources.parse("vcore", "1");
    private static final Resources TWO_CORES = Resources.parse("vcore", "2");

    /**
     * <pre>
     * root
     * ├── a
     * ├── b (at most one running application)
     * └── c
     *     └── d
     * </pre>
     */
    private static ClusterUnderTest ready(ClusterUnderTest cluster) {
        return cluster.queues(QueueConfiguration.parent(
                        "root",
                        QueueConfiguration.leaf("a"),
                        QueueConfiguration.of(
                                "b", Resources.NONE, Resources.NONE, 1, QueueProperties.DEFAULTS, List.of()),
                        QueueConfiguration.parent("c", QueueConfiguration.leaf("d"))))
                .node("n", "vcore", "4");
    }

    private static Refusal refusal(ClusterUnderTest cluster, String application, ApplicationUpdate update) {
        return cluster.refusal(new Command.UpdateApplication(cluster.partition().name(), application, update));
    }

    @Test
    void priority_raised_startsBeforeOthers(ClusterUnderTest cluster) {
        ready(cluster)
                .submit("x", "root.a", TaskSpec.of("t", 3, CORE))
                .submit("y", "root.a", TaskSpec.of("t", 3, CORE));

        cluster.update("y", ApplicationUpdate.ofPriority(5));

        assertThat(cluster.cycle()).containsExactly("y/t-0 -> n", "y/t-1 -> n", "y/t-2 -> n", "x/t-0 -> n");
    }

    @Test
    void nodeAffinity_changed_holdsForPendingTasksOnly(ClusterUnderTest cluster) {
        ready(cluster).node("m", "vcore", "4").submit("x", "root.a", TaskSpec.of("t", 6, CORE));
        NodeSelectorRequirement byName = new NodeSelectorRequirement(
                NodeSelectorRequirement.NAME_FIELD, NodeSelectorRequirement.Operator.IN, List.of("m"));
        NodeAffinity onM = new NodeAffinity(List.of(new NodeSelectorTerm(List.of(), List.of(byName))), List.of());
        NodeAffinity nowhere = new NodeAffinity(List.of(new NodeSelectorTerm(List.of(), List.of())), List.of());

        cluster.update("x", ApplicationUpdate.ofNodeAffinity(nowhere));
        assertThat(cluster.cycle()).isEmpty();
        cluster.update("x", ApplicationUpdate.ofNodeAffinity(onM).withTask("t"));
        assertThat(cluster.cycle()).containsExactly("x/t-0 -> m", "x/t-1 -> m", "x/t-2 -> m", "x/t-3 -> m");
        cluster.update("x", ApplicationUpdate.ofNodeAffinity(NodeAffinity.NONE));
        assertThat(cluster.events()).hasSize(1);
        assertThat(cluster.node("m").tasks()).hasSize(4);
        assertThat(cluster.cycle()).containsExactly("x/t-4 -> n", "x/t-5 -> n");
    }

    @Test
    void nodeAffinity_withTooManyPreferences_isRefused(ClusterUnderTest cluster) {
        ready(cluster).submit("x", "root.a", TaskSpec.of("t", 6, CORE));
        NodePreference preference = new NodePreference(1, new NodeSelectorTerm(List.of(), List.of()));
        NodeAffinity many = new NodeAffinity(List.of(), Collections.nCopies(101, preference));
        assertThat(refusal(cluster, "x", ApplicationUpdate.ofNodeAffinity(many)).message())
                .endsWith("has 101 preferences: at most 100 are allowed");
    }

    @Test
    void resources_changed_holdForPendingTasksOnly(ClusterUnderTest cluster) {
        ready(cluster).submit("x", "root.a", TaskSpec.of("t", 6, CORE).withRetries(Retries.of(1)));
        assertThat(cluster.cycle()).hasSize(4);

        cluster.update("x", ApplicationUpdate.ofResources(TWO_CORES));

        assertThat(cluster.allocated("root.a")).hasToString("slots 4, vcore 4");
        cluster.succeed("x/t-0").fail("x/t-1");
        assertThat(cluster.events().stream()
                        .filter(TaskEvent.Ended.class::isInstance)
                        .map(event -> ((TaskEvent.Ended) event).held()))
                .containsExactly(CORE);
        assertThat(cluster.cycle()).as("with two cores").containsExactly("x/t-1 -> n");
        assertThat(cluster.allocated("root.a")).hasToString("slots 3, vcore 4");
        cluster.succeedAll("x");
        assertThat(cluster.cycle()).containsExactly("x/t-4 -> n", "x/t-5 -> n");
    }

    @Test
    void resources_ofOneTask_leaveOthers(ClusterUnderTest cluster) {
        ready(cluster)
                .submit(
                        "x",
                        "root.a",
                        TaskSpec.single("large", Resources.parse("vcore", "9", "memory", "0")),
                        TaskSpec.single("huge", Resources.parse("vcore", "9", "memory", "0")));
        assertThat(cluster.cycle()).isEmpty();

        cluster.update("x", ApplicationUpdate.ofResources(CORE).withTask("huge"));

        assertThat(cluster.cycle()).containsExactly("x/huge -> n");
        assertThat(cluster.application("x").groups().get(1).spec().resources())
                .isEqualTo(Resources.parse("vcore", "1", "memory", "0"));
    }

    @Test
    void timeout_changed_holdsForLaterRuns(ClusterUnderTest cluster) {
        ready(cluster).submit("x", "root.a", TaskSpec.of("t", 5, CORE)).cycle();
        cluster.startAll();

        cluster.update("x", new ApplicationUpdate(null, null, null, Duration.ofMinutes(1), Resources.NONE));

        cluster.succeed("x/t-0").cycle();
        cluster.start("x/t-4");
        assertThat(cluster.application("x").groups().get(0).placed())
                .extracting(task -> String.valueOf(task.timeout()))
                .containsExactly("null", "null", "null", "PT1M");
    }

    @Test
    void queue_ofPendingApplication_changes(ClusterUnderTest cluster) {
        ready(cluster).submit("x", "root.a", TaskSpec.of("t", 2, CORE));

        cluster.update("x", ApplicationUpdate.ofQueue("c.d"));

        assertThat(cluster.pending("root.a").isEmpty()).isTrue();
        assertThat(cluster.application("x").origin().queue()).isEqualTo("root.c.d");
        assertThat(cluster.cycle()).hasSize(2);
        assertThat(cluster.allocated("root.c")).hasToString("slots 2, vcore 2");
    }

    @Test
    void update_withoutChange_isAccepted(ClusterUnderTest cluster) {
        ready(cluster).submit("x", "root.a", TaskSpec.of("t", 2, CORE));

        cluster.update("x", new ApplicationUpdate("root.a", "t", 0, null, CORE));

        assertThat(cluster.events()).isEmpty();
    }

    @Test
    void queue_ofRunningApplication_isRefused(ClusterUnderTest cluster) {
        ready(cluster).submit("x", "root.a", TaskSpec.of("t", 2, CORE)).cycle();

        assertThat(refusal(cluster, "x", ApplicationUpdate.ofQueue("root.b")).message())
                .contains("while tasks are on nodes (2); hold it, wait until they have ended");
        cluster.hold("x").succeed("x/t-0").lose("x/t-1");
        cluster.update("x", ApplicationUpdate.ofQueue("root.b"));
        assertThat(cluster.release("x").cycle()).containsExactly("x/t-1 -> n");
    }

    @Test
    void queue_full_isRefusedForActiveApplication(ClusterUnderTest cluster) {
        TaskSpec delayed = TaskSpec.of("t", 2, CORE).withRetries(new Retries(9, Duration.ofHours(1), 1, List.of()));
        ready(cluster)
                .submit("x", "root.a", delayed)
                .submit("y", "root.b", TaskSpec.single("t", CORE))
                .cycle();
        cluster.fail("x/t-0").fail("x/t-1");
        assertThat(cluster.state("x")).isEqualTo(ApplicationState.RUNNING);

        assertThat(refusal(cluster, "x", ApplicationUpdate.ofQueue("root.b")).message())
                .contains("queue root.b is at its maximum of 1 running applications");
        cluster.update("x", ApplicationUpdate.ofQueue("root.c.d"));
        assertThat(cluster.advance(Duration.ofHours(1)).cycle()).containsExactly("x/t-0 -> n", "x/t-1 -> n");
    }

    @Test
    void update_impossible_isRefused(ClusterUnderTest cluster) {
        ready(cluster)
                .submit("x", "root.a", TaskSpec.single("t", CORE), TaskSpec.single("u", CORE))
                .cycle();
        cluster.succeed("x/t");
        ApplicationUpdate nothing = new ApplicationUpdate(null, null, null, null, Resources.NONE);

        assertThat(refusal(cluster, "x", nothing).message()).contains("nothing is changed");
        assertThat(refusal(cluster, "x", ApplicationUpdate.ofPriority(1).withTask("v"))
                        .code())
                .isEqualTo(Refusal.Code.NOT_FOUND);
        assertThat(refusal(cluster, "x", ApplicationUpdate.ofPriority(1).withTask("t"))
                        .message())
                .contains("task t has ended");
        assertThat(refusal(cluster, "x", ApplicationUpdate.ofQueue("root.a").withTask("u"))
                        .message())
                .contains("a queue is that of the whole application");
        assertThat(refusal(cluster, "x", ApplicationUpdate.ofQueue("root.none")).message())
                .contains("queue root.none not found");
        assertThat(refusal(cluster, "x", ApplicationUpdate.ofQueue("root.c")).message())
                .contains("queue root.c is not a leaf queue");
        assertThat(refusal(cluster, "x", ApplicationUpdate.ofResources(Resources.of("slots", 2)))
                        .message())
                .contains("slots cannot be requested");
        assertThat(refusal(cluster, "x", ApplicationUpdate.ofResources(Resources.of("gpu", 1L << 62)))
                        .code())
                .isEqualTo(Refusal.Code.TOO_MUCH);
    }
}
