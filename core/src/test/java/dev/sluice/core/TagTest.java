package dev.sluice.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.core.application.ApplicationSpec;
import dev.sluice.core.application.ApplicationState;
import dev.sluice.core.application.StopReason;
import dev.sluice.core.application.TaskSpec;
import dev.sluice.core.command.Command;
import dev.sluice.core.command.Refusal;
import dev.sluice.core.configuration.NodeSortPolicy;
import dev.sluice.core.configuration.PartitionConfiguration;
import dev.sluice.core.configuration.PlacementRule;
import dev.sluice.core.configuration.QueueConfiguration;
import dev.sluice.core.configuration.RuleFilter;
import dev.sluice.core.resource.Resources;
import dev.sluice.core.state.ApplicationEvent;
import dev.sluice.core.testing.ClusterUnderTest;
import dev.sluice.core.testing.SchedulerExtension;
import dev.sluice.core.testing.StateText;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Tags and bases: applications that replace others or inherit their priority. */
@ExtendWith(SchedulerExtension.class)
class TagTest {

    private static final TaskSpec TASK = TaskSpec.single("t", Resources.parse("vcore", "1"));

    @Test
    void newTag_sameUserAndBasis_cancelsPreviousApplications(ClusterUnderTest cluster) {
        ready(cluster).submit(of("b", "alice", "v1", "main")).submit(of("a", "alice", "v1", "main"));
        cluster.submit(of("other-user", "bob", "v1", "main"))
                .submit(of("other-basis", "alice", "v1", "side"))
                .submit(of("no-basis", "alice", "v1", null))
                .submit(of("no-tag", "alice", null, null))
                .cycle();

        cluster.submit(of("c", "alice", "v2", "main"));

        assertThat(cluster.events().stream()
                        .filter(ApplicationEvent.StateChanged.class::isInstance)
                        .map(ApplicationEvent.StateChanged.class::cast)
                        .filter(change -> change.to() == ApplicationState.FAILING)
                        .map(ApplicationEvent.StateChanged::application))
                .containsExactly("b", "a");
        assertThat(cluster.application("a").stateReason()).isEqualTo("replaced by application c with tag v2");
        assertThat(cluster.placed().get(0).stopReason()).isEqualTo(StopReason.CANCELLED);
        for (String untouched : List.of("other-user", "other-basis", "no-basis", "no-tag")) {
            assertThat(cluster.state(untouched)).isEqualTo(ApplicationState.RUNNING);
        }
        assertThat(cluster.cycle()).containsExactly("c/t -> n");
    }

    @Test
    void applications_withSameTag_coexist(ClusterUnderTest cluster) {
        ready(cluster).submit(of("a", "alice", "v1", "main")).submit(of("b", "alice", "v1", "main"));

        assertThat(cluster.cycle()).containsExactly("a/t -> n", "b/t -> n");
    }

    @Test
    void failingApplication_replacedByTag_isNotCancelledAgain(ClusterUnderTest cluster) {
        ready(cluster).submit(of("a", "alice", "v1", "main")).cycle();
        cluster.cancel("a");

        cluster.submit(of("b", "alice", "v2", "main"));

        assertThat(cluster.application("a").stateReason()).isEqualTo("cancelled by the test");
    }

    @Test
    void replacedTag_submittedAgain_isRefused(ClusterUnderTest cluster) {
        ready(cluster).submit(of("a", "alice", "v1", "main")).submit(of("b", "alice", "v2", "main"));
        cluster.submit(of("c", "alice", "v3", "main"));
        String before = StateText.of(cluster.partition());

        Refusal refusal = cluster.refusal(submission(of("d", "alice", "v1", "main")));

        assertThat(refusal.code()).isEqualTo(Refusal.Code.CONFLICT);
        assertThat(refusal.message())
                .isEqualTo("tag v1 of user alice and basis main was replaced by tag v2: submit with the current"
                        + " tag v3 or a new tag");
        assertThat(StateText.of(cluster.partition())).isEqualTo(before);
        cluster.submit(of("e", "bob", "v1", "main"))
                .submit(of("f", "alice", "v1", "side"))
                .submit(of("g", "alice", "v1", null))
                .submit(of("h", "alice", "v3", "main"));
    }

    @Test
    void replacedTag_ofEndedApplications_isRefused(ClusterUnderTest cluster) {
        ready(cluster).submit(of("a", "alice", "v1", "main")).cycle();
        cluster.succeed("a/t").submit(of("b", "alice", "v2", "main"));

        assertThat(cluster.refusal(submission(of("c", "alice", "v1", "main"))).code())
                .isEqualTo(Refusal.Code.CONFLICT);
        assertThat(cluster.state("a")).isEqualTo(ApplicationState.COMPLETED);
    }

    @Test
    void rejectedApplication_withTag_replacesNothing(ClusterUnderTest cluster) {
        ready(cluster).submit(of("a", "alice", "v1", "main"));
        ApplicationSpec lost = ApplicationSpec.sealed("lost", "root.nowhere", TASK)
                .withUser("alice")
                .withTag("v2", "main");

        cluster.submit(lost);

        assertThat(cluster.state("lost")).isEqualTo(ApplicationState.REJECTED);
        assertThat(cluster.state("a")).isEqualTo(ApplicationState.ACCEPTED);
        cluster.submit(of("b", "alice", "v1", "main"));
    }

    @Test
    void application_replacingLastInDynamicQueue_keepsQueue(ClusterUnderTest cluster) {
        PlacementRule rule = new PlacementRule(PlacementRule.Kind.USER, "", true, null, RuleFilter.EVERYBODY);
        cluster.configure(new PartitionConfiguration(
                PartitionConfiguration.DEFAULT_NAME,
                QueueConfiguration.parent("root"),
                List.of(rule),
                NodeSortPolicy.FAIR,
                PartitionConfiguration.DEFAULT_WEIGHTS,
                false));
        cluster.node("n", "vcore", "1").submit(of("a", "alice", "v1", "main"));

        cluster.submit(of("b", "alice", "v2", "main"));

        assertThat(cluster.state("a")).isEqualTo(ApplicationState.FAILED);
        assertThat(cluster.cycle()).containsExactly("b/t -> n");
    }

    @Test
    void application_withLiveTag_inheritsHighestPriority(ClusterUnderTest cluster) {
        ready(cluster)
                .submit(ApplicationSpec.sealed("a", null, TASK.withPriority(3), task("u", 7))
                        .withUser("alice")
                        .withTag("v1", null));
        cluster.submit(ApplicationSpec.open("b", null, task("t", 99), task("u", -1))
                .withUser("alice")
                .withTag("v1", "main"));
        cluster.add("b", task("later", 50));
        cluster.submit(
                ApplicationSpec.open("c", null, task("t", 8)).withUser("bob").withTag("v1", null));

        assertThat(priorities(cluster, "a")).containsExactly(3, 7);
        assertThat(priorities(cluster, "b")).containsExactly(7, 7, 7);
        assertThat(priorities(cluster, "c")).containsExactly(8);
    }

    @Test
    void tasksAdded_toFirstOfTag_raiseTagPriority(ClusterUnderTest cluster) {
        ready(cluster)
                .submit(ApplicationSpec.open("a", null, task("t", 3))
                        .withUser("alice")
                        .withTag("v1", null));

        cluster.add("a", task("u", 9), task("v", 1)).submit(of("b", "alice", "v1", null));

        assertThat(priorities(cluster, "a")).containsExactly(3, 9, 1);
        assertThat(priorities(cluster, "b")).containsExactly(9);
    }

    @Test
    void application_withTagOfSeveral_inheritsFromFirst(ClusterUnderTest cluster) {
        ready(cluster).submit(of("a", "alice", "v1", null));
        cluster.handle(new Command.AdoptApplication(
                "default",
                ApplicationSpec.sealed("b", null, task("t", 9))
                        .withUser("alice")
                        .withTag("v1", null)));
        assertThat(priorities(cluster, "b"))
                .as("adopted applications inherit nothing")
                .containsExactly(9);

        cluster.submit(ApplicationSpec.sealed("c", null, task("t", 5))
                .withUser("alice")
                .withTag("v1", null));
        assertThat(priorities(cluster, "c")).containsExactly(0);

        cluster.cancel("a");
        cluster.submit(ApplicationSpec.sealed("d", null, task("t", 5))
                .withUser("alice")
                .withTag("v1", null));
        assertThat(priorities(cluster, "d")).containsExactly(9);
    }

    @Test
    void adoptedApplications_withTags_areOnlyRecorded(ClusterUnderTest cluster) {
        ready(cluster);
        for (String id : List.of("a v1", "b v2", "c v1")) {
            cluster.handle(
                    new Command.AdoptApplication("default", of(id.substring(0, 1), "alice", id.substring(2), "main")));
        }
        assertThat(cluster.state("a")).isEqualTo(ApplicationState.ACCEPTED);
        assertThat(cluster.state("b")).isEqualTo(ApplicationState.ACCEPTED);
        assertThat(cluster.refusal(submission(of("d", "alice", "v2", "main"))).code())
                .isEqualTo(Refusal.Code.CONFLICT);

        cluster.submit(of("d", "alice", "v1", "main"));

        assertThat(cluster.state("a")).isEqualTo(ApplicationState.ACCEPTED);
        assertThat(cluster.state("b")).isEqualTo(ApplicationState.FAILED);
        assertThat(cluster.state("c")).isEqualTo(ApplicationState.ACCEPTED);
    }

    @Test
    void basis_withoutTag_isRefused() {
        assertThatThrownBy(() -> ApplicationSpec.open("a", null).withTag(null, "main"))
                .hasMessage("an application with a basis must have a tag");
    }

    private static List<Integer> priorities(ClusterUnderTest cluster, String application) {
        return cluster.application(application).groups().stream()
                .map(group -> group.spec().priority())
                .toList();
    }

    private static ClusterUnderTest ready(ClusterUnderTest cluster) {
        return cluster.configure(PartitionConfiguration.simplest()).node("n", "vcore", "8");
    }

    private static TaskSpec task(String name, int priority) {
        return TaskSpec.single(name, TASK.resources()).withPriority(priority);
    }

    private static ApplicationSpec of(String id, String user, @Nullable String tag, @Nullable String basis) {
        return ApplicationSpec.sealed(id, null, TASK).withUser(user).withTag(tag, basis);
    }

    private static Command submission(ApplicationSpec application) {
        return new Command.SubmitApplication("default", application);
    }
}
