package dev.sluice.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.core.application.ApplicationSpec;
import dev.sluice.core.application.ApplicationState;
import dev.sluice.core.application.FailurePolicy;
import dev.sluice.core.application.TaskCondition;
import dev.sluice.core.application.TaskSpec;
import dev.sluice.core.command.Command;
import dev.sluice.core.command.Refusal;
import dev.sluice.core.configuration.PartitionConfiguration;
import dev.sluice.core.resource.Resources;
import dev.sluice.core.testing.ClusterUnderTest;
import dev.sluice.core.testing.SchedulerExtension;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The eleven application states, their timers and outcomes. */
@ExtendWith(SchedulerExtension.class)
class ApplicationLifecycleTest {

    private static final TaskSpec TASK = TaskSpec.single("t", Resources.parse("vcore", "1"));

    @Test
    void application_withoutTasks_isNewUntilFirstTask(ClusterUnderTest cluster) {
        ready(cluster).submit("app", null);
        assertThat(cluster.state("app")).isEqualTo(ApplicationState.NEW);
        cluster.advance(Duration.ofDays(30)).cycle();
        assertThat(cluster.state("app")).isEqualTo(ApplicationState.NEW);

        cluster.add("app", TASK);

        assertThat(cluster.state("app")).isEqualTo(ApplicationState.ACCEPTED);
    }

    @Test
    void newApplication_sealedWithoutTasks_completesAtOnce(ClusterUnderTest cluster) {
        ready(cluster).submit("app", null).seal("app");

        assertThat(cluster.state("app")).isEqualTo(ApplicationState.COMPLETED);
    }

    @Test
    void application_withoutQueue_isRejectedAndExpires(ClusterUnderTest cluster) {
        ready(cluster).submit("app", "root.nowhere", TASK);
        assertThat(cluster.state("app")).isEqualTo(ApplicationState.REJECTED);
        assertThat(cluster.application("app").stateReason()).isEqualTo("queue root.nowhere not found");

        cluster.advance(Duration.ofDays(3).minusNanos(1)).cycle();
        assertThat(cluster.partition().application("app")).isNotNull();
        cluster.advance(Duration.ofNanos(1)).cycle();
        assertThat(cluster.partition().application("app")).isNull();
    }

    @Test
    void rejectedApplication_resubmitted_isAccepted(ClusterUnderTest cluster) {
        ready(cluster).submit("app", "root.nowhere", TASK).submit("app", "root.default", TASK);

        assertThat(cluster.state("app")).isEqualTo(ApplicationState.ACCEPTED);
        assertThat(cluster.cycle()).containsExactly("app/t -> n");
    }

    @Test
    void rejectedApplication_resubmittedByAnotherUser_staysAsItWas(ClusterUnderTest cluster) {
        ready(cluster).submit("app", "root.nowhere", TASK);

        Refusal refusal = cluster.refusal(new Command.SubmitApplication(
                "default", ApplicationSpec.sealed("app", "root.default", TASK).withUser("bob")));

        assertThat(refusal.message()).startsWith("application app already exists (Rejected): choose another id");
        assertThat(cluster.state("app")).isEqualTo(ApplicationState.REJECTED);
    }

    @Test
    void openApplication_placedTaskByTask_isStartingThenRunning(ClusterUnderTest cluster) {
        ready(cluster).submit("app", null, TASK).cycle();
        assertThat(cluster.state("app")).isEqualTo(ApplicationState.STARTING);

        cluster.add("app", TaskSpec.single("u", Resources.NONE)).cycle();

        assertThat(cluster.state("app")).isEqualTo(ApplicationState.RUNNING);
    }

    @Test
    void sealedSingleTaskApplication_firstAllocation_isRunning(ClusterUnderTest cluster) {
        ready(cluster).submitSealed("app", null, TASK).cycle();

        assertThat(cluster.state("app")).isEqualTo(ApplicationState.RUNNING);
    }

    @Test
    void startingSingleTaskApplication_sealed_isRunning(ClusterUnderTest cluster) {
        ready(cluster).submit("app", null, TASK).cycle();
        assertThat(cluster.state("app")).isEqualTo(ApplicationState.STARTING);

        cluster.seal("app");

        assertThat(cluster.state("app")).isEqualTo(ApplicationState.RUNNING);
    }

    @Test
    void sealedTwoTaskApplication_firstAllocation_startsForFiveMinutes(ClusterUnderTest cluster) {
        ready(cluster).updateNode("n", "vcore", "1");
        cluster.submitSealed("app", null, TaskSpec.of("t", 2, Resources.parse("vcore", "1")));
        cluster.cycle();
        Instant due = cluster.now().plus(Duration.ofMinutes(5));
        assertThat(cluster.scheduler().scheduler().nextDue("default")).isEqualTo(due);

        cluster.advance(Duration.ofMinutes(5).minusNanos(1)).cycle();
        assertThat(cluster.state("app")).isEqualTo(ApplicationState.STARTING);
        cluster.advance(Duration.ofNanos(1)).cycle();

        assertThat(cluster.state("app")).isEqualTo(ApplicationState.RUNNING);
        assertThat(cluster.application("app").stateReason()).isEqualTo("starting timeout of 5 minutes expired");
    }

    @Test
    void openApplication_withoutTasksLeft_completesAfterThirtySeconds(ClusterUnderTest cluster) {
        ready(cluster).submit("app", null, TASK).cycle();
        cluster.succeed("app/t");
        assertThat(cluster.state("app")).isEqualTo(ApplicationState.COMPLETING);

        cluster.advance(Duration.ofSeconds(30).minusNanos(1)).cycle();
        assertThat(cluster.state("app")).isEqualTo(ApplicationState.COMPLETING);
        cluster.advance(Duration.ofNanos(1)).cycle();

        assertThat(cluster.state("app")).isEqualTo(ApplicationState.COMPLETED);
    }

    @Test
    void completingApplication_newTask_runsAndCompletesAgain(ClusterUnderTest cluster) {
        ready(cluster).submit("app", null, TASK).cycle();
        cluster.succeed("app/t").advance(Duration.ofSeconds(20));

        cluster.add("app", TaskSpec.single("u", Resources.NONE));
        assertThat(cluster.state("app")).isEqualTo(ApplicationState.RUNNING);
        cluster.advance(Duration.ofSeconds(20)).cycle();
        assertThat(cluster.state("app")).isEqualTo(ApplicationState.RUNNING);

        cluster.succeed("app/u").advance(Duration.ofSeconds(20)).cycle();
        assertThat(cluster.state("app")).isEqualTo(ApplicationState.COMPLETING);
        cluster.advance(Duration.ofSeconds(10)).cycle();
        assertThat(cluster.state("app")).isEqualTo(ApplicationState.COMPLETED);
    }

    @Test
    void completingApplication_sealed_completesAtOnce(ClusterUnderTest cluster) {
        ready(cluster).submit("app", null, TASK).cycle();
        cluster.succeed("app/t").seal("app");

        assertThat(cluster.state("app")).isEqualTo(ApplicationState.COMPLETED);
    }

    @Test
    void endedApplication_afterThreeDays_expiresAndFreesId(ClusterUnderTest cluster) {
        ready(cluster).submitSealed("app", null, TASK).cycle();
        cluster.succeed("app/t");

        cluster.advance(Duration.ofDays(3)).cycle();

        assertThat(cluster.partition().applications()).isEmpty();
        assertThat(cluster.partition().timers()).isEmpty();
        cluster.submitSealed("app", null, TASK);
        assertThat(cluster.cycle()).containsExactly("app/t -> n");
    }

    @Test
    void endedApplication_forgotten_freesIdAtOnce(ClusterUnderTest cluster) {
        ready(cluster).submitSealed("app", null, TASK).cycle();
        Command forget = new Command.ForgetApplication(PartitionConfiguration.DEFAULT_NAME, "app");
        assertThat(cluster.refusal(forget).message())
                .isEqualTo("application app has not ended (Running): only ended applications can be forgotten");
        cluster.succeed("app/t");

        cluster.handle(forget);

        assertThat(cluster.partition().applications()).isEmpty();
        assertThat(cluster.partition().timers()).isEmpty();
        cluster.submitSealed("app", null, TASK);
        assertThat(cluster.cycle()).containsExactly("app/t -> n");
    }

    @Test
    void application_withFailedTask_failsWhenOthersEnd(ClusterUnderTest cluster) {
        ready(cluster)
                .submitSealed("app", null, TASK, TaskSpec.single("u", Resources.NONE))
                .cycle();
        cluster.fail("app/t");
        assertThat(cluster.state("app")).isEqualTo(ApplicationState.RUNNING);

        cluster.succeed("app/u");

        assertThat(cluster.state("app")).isEqualTo(ApplicationState.FAILED);
        assertThat(cluster.application("app").stateReason()).isEqualTo("1 of 2 tasks failed");
    }

    @Test
    void application_stopOnFailure_stopsAndDropsOtherTasks(ClusterUnderTest cluster) {
        ready(cluster).updateNode("n", "vcore", "2");
        cluster.submit(ApplicationSpec.sealed("app", null, TaskSpec.of("t", 4, Resources.parse("vcore", "1")))
                .withOnFailure(FailurePolicy.STOP));
        cluster.cycle();
        cluster.startAll().fail("app/t-0");
        assertThat(cluster.state("app")).isEqualTo(ApplicationState.FAILING);
        assertThat(cluster.placed()).hasToString("[app/t-1]");
        assertThat(cluster.placed().get(0).stopReason()).hasToString("APPLICATION_FAILED");
        assertThat(cluster.cycle()).isEmpty();

        cluster.fail("app/t-1");

        assertThat(cluster.state("app")).isEqualTo(ApplicationState.FAILED);
        assertThat(cluster.application("app").failed()).isEqualTo(1);
        assertThat(cluster.application("app").stopped()).isEqualTo(3);
    }

    @Test
    void application_whoseOnlyDependencyCannotSucceed_fails(ClusterUnderTest cluster) {
        TaskSpec second = TaskSpec.single("second", Resources.NONE).withAfter(Map.of("t", TaskCondition.SUCCEEDED));
        ready(cluster).submitSealed("app", null, TASK, second).cycle();

        cluster.fail("app/t");

        assertThat(cluster.state("app")).isEqualTo(ApplicationState.FAILED);
        assertThat(cluster.application("app").stopped()).isEqualTo(1);
    }

    @Test
    void cancelledApplication_withRunningTask_failsWhenItEnds(ClusterUnderTest cluster) {
        ready(cluster)
                .submit("app", null, TaskSpec.of("t", 10, Resources.parse("vcore", "1")))
                .cycle();
        cluster.startAll();
        assertThat(cluster.placed()).hasSize(8);

        cluster.cancel("app");
        assertThat(cluster.state("app")).isEqualTo(ApplicationState.FAILING);
        assertThat(cluster.application("app").stateReason()).isEqualTo("cancelled by the test");
        assertThat(cluster.application("app").unallocated()).isZero();
        assertThat(cluster.allocated("root")).isEqualTo(Resources.parse("slots", "8", "vcore", "8"));
        cluster.cancel("app");
        assertThat(cluster.events()).isEmpty();

        for (int i = 0; i < 8; i++) {
            assertThat(cluster.state("app")).isEqualTo(ApplicationState.FAILING);
            cluster.fail("app/t-" + i);
        }
        assertThat(cluster.state("app")).isEqualTo(ApplicationState.FAILED);
        assertThat(cluster.allocated("root").isZero()).isTrue();
    }

    @Test
    void acceptedApplication_cancelled_failsAtOnce(ClusterUnderTest cluster) {
        ready(cluster).submit("app", null, TASK).cancel("app");

        assertThat(cluster.state("app")).isEqualTo(ApplicationState.FAILED);
        assertThat(cluster.cycle()).isEmpty();
        assertThat(cluster.pending("root").isZero()).isTrue();
    }

    @Test
    void cancelledApplication_taskSucceeds_failsWithSucceededTask(ClusterUnderTest cluster) {
        ready(cluster).submit("app", null, TASK).cycle();

        cluster.cancel("app").succeed("app/t");

        assertThat(cluster.state("app")).isEqualTo(ApplicationState.FAILED);
        assertThat(cluster.application("app").succeeded()).isEqualTo(1);
    }

    @Test
    void application_losesAllRunningTasks_resumesAsAccepted(ClusterUnderTest cluster) {
        ready(cluster)
                .submit("app", null, TaskSpec.of("t", 3, Resources.parse("vcore", "1")))
                .cycle();
        cluster.startAll().succeed("app/t-0").lose("app/t-1");
        assertThat(cluster.state("app")).isEqualTo(ApplicationState.RUNNING);

        cluster.lose("app/t-2");

        assertThat(cluster.state("app")).isEqualTo(ApplicationState.ACCEPTED);
        assertThat(cluster.events())
                .anySatisfy(event -> assertThat(event.toString())
                        .contains("to=RESUMING")
                        .contains("all its tasks were lost or preempted"));
        assertThat(cluster.application("app").allocations()).isZero();
        assertThat(cluster.cycle()).containsExactly("app/t-1 -> n", "app/t-2 -> n");
        assertThat(cluster.state("app")).isEqualTo(ApplicationState.RUNNING);
    }

    @Test
    void adoptedApplication_outsidePlacementRules_keepsItsQueue(ClusterUnderTest cluster) {
        ready(cluster)
                .handle(new Command.AdoptApplication("default", ApplicationSpec.open("app", "root.default", TASK)));

        assertThat(cluster.application("app").queue().path()).isEqualTo("root.default");
    }

    private static ClusterUnderTest ready(ClusterUnderTest cluster) {
        return cluster.configure(PartitionConfiguration.simplest()).node("n", "vcore", "8");
    }
}
