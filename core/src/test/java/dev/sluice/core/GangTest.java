package dev.sluice.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.core.application.ApplicationSpec;
import dev.sluice.core.application.ApplicationState;
import dev.sluice.core.application.Gang;
import dev.sluice.core.application.StopReason;
import dev.sluice.core.application.TaskCondition;
import dev.sluice.core.application.TaskSpec;
import dev.sluice.core.command.Command;
import dev.sluice.core.configuration.PartitionConfiguration;
import dev.sluice.core.explain.Explainer;
import dev.sluice.core.explain.WaitReason;
import dev.sluice.core.resource.Resources;
import dev.sluice.core.state.ApplicationEvent;
import dev.sluice.core.state.Event;
import dev.sluice.core.state.TaskEvent;
import dev.sluice.core.testing.ClusterUnderTest;
import dev.sluice.core.testing.QueueTreeText;
import dev.sluice.core.testing.SchedulerExtension;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Applications whose tasks start together or not at all. */
@ExtendWith(SchedulerExtension.class)
class GangTest {

    private static final Resources CORE = Resources.parse("vcore", "1");

    private static ApplicationSpec workers(String id, int count, int minimum) {
        return ApplicationSpec.sealed(id, null, TaskSpec.of("w", count, CORE)).withGang(Gang.of(Map.of("w", minimum)));
    }

    private static ClusterUnderTest cores(ClusterUnderTest cluster, int cores) {
        return cluster.configure(PartitionConfiguration.simplest()).node("n", "vcore", Integer.toString(cores));
    }

    private static <E extends Event> List<E> eventsOf(ClusterUnderTest cluster, Class<E> type) {
        return cluster.events().stream()
                .filter(type::isInstance)
                .map(type::cast)
                .toList();
    }

    @Test
    void gang_thatFits_startsInOneCycle(ClusterUnderTest cluster) {
        cores(cluster, 3).submit(workers("a", 3, 3));

        assertThat(cluster.cycle()).containsExactly("a/w-0 -> n", "a/w-1 -> n", "a/w-2 -> n");
        assertThat(eventsOf(cluster, ApplicationEvent.GangStarted.class))
                .singleElement()
                .satisfies(event -> assertThat(event.members()).isEqualTo(3));
        assertThat(cluster.state("a")).isEqualTo(ApplicationState.RUNNING);
    }

    @Test
    void gang_thatDoesNotFit_leavesEverythingToOthers(ClusterUnderTest cluster) {
        cores(cluster, 3).submit(workers("a", 4, 4)).submitSealed("b", null, TaskSpec.of("t", 2, CORE));

        assertThat(cluster.cycle()).containsExactly("b/t-0 -> n", "b/t-1 -> n");
        assertThat(cluster.application("a").allocations()).isZero();
    }

    /** A limit keeps its other task from running, whose priority counts for the application nevertheless. */
    @Test
    void gang_startsAgainWithOtherTaskBeyondLimit_goesByItsHighestPriority(ClusterUnderTest cluster) {
        cluster.configure(PartitionConfiguration.of("default", QueueTreeText.of("""
                root
                └─ q    user(amy: vcore 1)
                """)))
                .node("n", "vcore", "3");
        TaskSpec member = TaskSpec.of("w", 1, CORE).withAttempts(1, null);
        TaskSpec other = TaskSpec.single("other", Resources.parse("vcore", "2")).withPriority(2);
        cluster.submit(ApplicationSpec.sealed("a", "root.q", member, other)
                .withUser("amy")
                .withGang(Gang.of(Map.of("w", 1)).withOnLoss(Gang.OnLoss.RESTART)));
        cluster.submitSealed(
                "b",
                "root.q",
                TaskSpec.single("t", Resources.parse("vcore", "3")).withPriority(1));
        assertThat(cluster.cycle()).containsExactly("a/w-0 -> n");

        assertThat(cluster.fail("a/w-0").cycle()).containsExactly("a/w-0 -> n");
    }

    @Test
    void gangs_thatFitAloneButNotTogether_startOneAfterTheOther(ClusterUnderTest cluster) {
        cores(cluster, 4).submit(workers("a", 3, 3)).submit(workers("b", 3, 3));

        assertThat(cluster.cycle()).containsExactly("a/w-0 -> n", "a/w-1 -> n", "a/w-2 -> n");
        assertThat(cluster.succeed("a/w-0").cycle()).isEmpty();
        assertThat(cluster.succeed("a/w-1").cycle()).containsExactly("b/w-0 -> n", "b/w-1 -> n", "b/w-2 -> n");
    }

    @Test
    void members_beyondTheMinimum_startWhenTheyFit(ClusterUnderTest cluster) {
        cores(cluster, 3).submit(workers("a", 5, 2));

        assertThat(cluster.cycle()).containsExactly("a/w-0 -> n", "a/w-1 -> n", "a/w-2 -> n");
        assertThat(cluster.succeed("a/w-0").cycle()).containsExactly("a/w-3 -> n");
    }

    @Test
    void tasks_notInTheGang_startAfterIt(ClusterUnderTest cluster) {
        cores(cluster, 2);
        TaskSpec driver = TaskSpec.single("driver", CORE).withPriority(9);
        cluster.submit(ApplicationSpec.sealed("a", null, driver, TaskSpec.of("w", 3, CORE))
                .withGang(Gang.of(Map.of("w", 3))));
        assertThat(cluster.cycle()).isEmpty();

        cluster.node("m", "vcore", "1");
        assertThat(cluster.cycle()).hasSize(3).noneMatch(start -> start.startsWith("a/driver"));
        assertThat(cluster.node("o", "vcore", "1").cycle()).containsExactly("a/driver -> o");
    }

    @Test
    void softGang_afterItsTimeout_startsSingly(ClusterUnderTest cluster) {
        cores(cluster, 2).submit(workers("a", 3, 3));
        assertThat(cluster.cycle()).isEmpty();
        assertThat(cluster.scheduler().scheduler().nextDue("default"))
                .isEqualTo(cluster.now().plus(Gang.TIMEOUT_DEFAULT));

        assertThat(cluster.advance(Gang.TIMEOUT_DEFAULT).cycle()).containsExactly("a/w-0 -> n", "a/w-1 -> n");
        assertThat(eventsOf(cluster, ApplicationEvent.GangTimedOut.class)).hasSize(1);
    }

    @Test
    void hardGang_afterItsTimeout_failsItsApplication(ClusterUnderTest cluster) {
        cores(cluster, 2);
        ApplicationSpec spec = workers("a", 3, 3);
        cluster.submit(spec.withGang(Gang.of(Map.of("w", 3)).withStyle(Gang.Style.HARD)));

        assertThat(cluster.advance(Gang.TIMEOUT_DEFAULT).cycle()).isEmpty();
        assertThat(cluster.state("a")).isEqualTo(ApplicationState.FAILED);
        assertThat(cluster.application("a").stateReason()).contains("gang did not start within 15m");

        cluster.retry("a", false).node("m", "vcore", "2");
        assertThat(cluster.cycle()).hasSize(3);
    }

    @Test
    void timeout_ofAHeldApplication_beginsWithItsRelease(ClusterUnderTest cluster) {
        cores(cluster, 2).submit(workers("a", 3, 3)).hold("a");
        assertThat(cluster.advance(Duration.ofHours(1)).cycle()).isEmpty();

        cluster.release("a").advance(Duration.ofMinutes(14));
        assertThat(cluster.cycle()).isEmpty();
        assertThat(cluster.advance(Duration.ofMinutes(1)).cycle()).hasSize(2);
    }

    @Test
    void lostMember_withContinue_runsAgainByItself(ClusterUnderTest cluster) {
        cores(cluster, 3).submit(workers("a", 3, 3)).cycle();

        assertThat(cluster.startAll().lose("a/w-1").cycle()).containsExactly("a/w-1 -> n");
    }

    @Test
    void lostMember_withRestart_stopsAllAndStartsTheGangAgain(ClusterUnderTest cluster) {
        cores(cluster, 3).submit(restarting(workers("a", 3, 3))).cycle();

        cluster.startAll().lose("a/w-1");
        assertThat(eventsOf(cluster, TaskEvent.Stopping.class))
                .extracting(TaskEvent.Stopping::reason)
                .containsExactly(StopReason.GANG, StopReason.GANG);
        assertThat(cluster.cycle()).isEmpty();
        assertThat(cluster.fail("a/w-0").cycle()).isEmpty();
        assertThat(cluster.fail("a/w-2").cycle()).containsExactly("a/w-0 -> n", "a/w-1 -> n", "a/w-2 -> n");
        assertThat(eventsOf(cluster, ApplicationEvent.GangStarted.class)).hasSize(1);
    }

    @Test
    void elasticMember_lostWithRestart_runsAgainByItself(ClusterUnderTest cluster) {
        cores(cluster, 3).submit(restarting(workers("a", 3, 2))).cycle();

        assertThat(cluster.startAll().lose("a/w-1").cycle()).containsExactly("a/w-1 -> n");
    }

    /** The other members succeed although they were asked to stop; the lost one is all that is left of the gang. */
    @Test
    void gang_restartedWhileMembersSucceed_startsWithTheRest(ClusterUnderTest cluster) {
        cores(cluster, 3).submit(restarting(workers("a", 3, 3))).cycle();

        cluster.startAll().lose("a/w-1").succeed("a/w-0").succeed("a/w-2");
        assertThat(cluster.cycle()).containsExactly("a/w-1 -> n");
        assertThat(eventsOf(cluster, ApplicationEvent.GangStarted.class)).hasSize(1);
    }

    /** The elastic task waits since the submission, the gang only since its restart. */
    @Test
    void timeout_ofAGangThatStartsAgain_beginsAnew(ClusterUnderTest cluster) {
        cores(cluster, 2).submit(restarting(workers("a", 3, 2))).cycle();
        cluster.startAll()
                .advance(Duration.ofMinutes(20))
                .lose("a/w-0")
                .fail("a/w-1")
                .offline("n");

        assertThat(cluster.cycle()).isEmpty();
        assertThat(cluster.application("a").isGangWaiting()).isTrue();
        assertThat(cluster.scheduler().scheduler().nextDue("default"))
                .isEqualTo(cluster.now().plus(Gang.TIMEOUT_DEFAULT));
    }

    private static ApplicationSpec restarting(ApplicationSpec spec) {
        Gang gang = spec.gang();
        return spec.withGang(gang == null ? null : gang.withOnLoss(Gang.OnLoss.RESTART));
    }

    @Test
    void gang_thatDoesNotFit_explainsHowManyMembersDo(ClusterUnderTest cluster) {
        cores(cluster, 5).submit(workers("a", 9, 8)).cycle();

        assertThat(reasonOf(cluster)).isEqualTo(new WaitReason.GangIncomplete(5, 8, null));
        assertThat(reasonOf(cluster).detail()).isEqualTo("5 of 8 members of the gang fit");
        cluster.node("m", "vcore", "3");
        assertThat(reasonOf(cluster)).isEqualTo(new WaitReason.NextCycle());
    }

    @Test
    void gang_thatStartsAgain_explainsWhatItWaitsFor(ClusterUnderTest cluster) {
        cores(cluster, 3).submit(restarting(workers("a", 3, 3))).cycle();

        assertThat(reasonOf(cluster.startAll().lose("a/w-1"))).isEqualTo(new WaitReason.GangRestarting(2));
    }

    private static WaitReason reasonOf(ClusterUnderTest cluster) {
        return new Explainer(cluster.partition())
                .explain(cluster.application("a"))
                .get(0)
                .reason();
    }

    @Test
    void gang_namingWhatItCannotHave_isRefused(ClusterUnderTest cluster) {
        cores(cluster, 3);
        ApplicationSpec spec = ApplicationSpec.sealed(
                "a",
                null,
                TaskSpec.of("w", 2, CORE),
                TaskSpec.single("late", CORE).withAfter(Map.of("w", TaskCondition.SUCCEEDED)));

        assertThat(refusal(cluster, spec.withGang(Gang.of(Map.of("x", 1)))))
                .isEqualTo("the gang of application a names tasks x, which it does not have: submit them together with"
                        + " the gang");
        assertThat(refusal(cluster, spec.withGang(Gang.of(Map.of("w", 3)))))
                .isEqualTo("the gang of application a needs 3 tasks w, but there are only 2: lower the number or raise"
                        + " count");
        assertThat(refusal(cluster, spec.withGang(Gang.of(Map.of("late", 1)))))
                .startsWith("the gang of application a cannot include tasks late, which start after other tasks");
        assertThat(refusal(
                        cluster, spec.withGang(Gang.of(Map.of("w", 2)).withTopology(new Gang.Topology("rack", true)))))
                .isEqualTo("the gang of application a names the topology key rack, which partition default does not"
                        + " have: add topology to its configuration");
    }

    private static String refusal(ClusterUnderTest cluster, ApplicationSpec spec) {
        return cluster.refusal(new Command.SubmitApplication("default", spec)).message();
    }
}
