package dev.sluice.core.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.core.application.ApplicationSpec;
import dev.sluice.core.application.ApplicationState;
import dev.sluice.core.application.Gang;
import dev.sluice.core.application.StopReason;
import dev.sluice.core.application.TaskCondition;
import dev.sluice.core.application.TaskSpec;
import dev.sluice.core.application.TaskState;
import dev.sluice.core.command.Command;
import dev.sluice.core.configuration.PartitionConfiguration;
import dev.sluice.core.engine.Scheduler;
import dev.sluice.core.resource.Resources;
import dev.sluice.core.state.ApplicationProgress.Part;
import dev.sluice.core.state.ApplicationProgress.Run;
import dev.sluice.core.testing.Invariants;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Builds a state without events. */
final class StateRestorerTest {

    private static final Instant AT = Instant.parse("2026-01-01T12:00:00Z");
    private static final Resources CORE = Resources.parse("vcore", "1");
    private static final List<Part> PENDING = List.of();

    private final Scheduler scheduler = new Scheduler();
    private final StateRestorer restorer;

    StateRestorerTest() {
        handle(new Command.ApplyConfiguration(List.of(PartitionConfiguration.simplest())));
        handle(new Command.RegisterNode("default", "n", Resources.parse("vcore", "4"), Collections.emptySortedMap()));
        restorer = new StateRestorer(scheduler.state(), "default");
    }

    private void handle(Command command) {
        assertThat(scheduler.handle(command, AT).refusal()).isNull();
    }

    private void submit(String id, TaskSpec... tasks) {
        handle(new Command.AdoptApplication("default", ApplicationSpec.open(id, "root.default", tasks)));
    }

    /** Returns the progress of an application with one group. */
    private static ApplicationProgress progress(ApplicationState state, Part... parts) {
        return progress(state, List.of(List.of(parts)));
    }

    private static ApplicationProgress progress(ApplicationState state, List<List<Part>> groups) {
        return new ApplicationProgress(state, AT, false, 2, groups);
    }

    private static Part ended(TaskState state, int first, int end) {
        return new Part(first, end, state, null);
    }

    private static Part running(int index, long sequence) {
        return allocated(index, sequence, TaskState.RUNNING, AT, null);
    }

    private static Part allocated(
            int index, long sequence, TaskState state, @Nullable Instant started, @Nullable StopReason stopReason) {
        return new Part(index, index + 1, state, new Run("n", sequence, AT, started, stopReason));
    }

    private Partition partition() {
        return Objects.requireNonNull(scheduler.state().partition("default"));
    }

    private TaskGroup group(String application, String name) {
        return Objects.requireNonNull(partition().existing(application).group(name));
    }

    private void finish(long placements) {
        restorer.finish(placements);
        Invariants.check(scheduler.state());
    }

    @Test
    void tasks_ofGroup_areCountedAndOrdered() {
        submit("a", TaskSpec.of("t", 10, CORE));

        restorer.restore(
                "a",
                progress(
                        ApplicationState.RUNNING,
                        ended(TaskState.SUCCEEDED, 0, 1),
                        ended(TaskState.FAILED, 3, 4),
                        ended(TaskState.STOPPED, 4, 6),
                        running(2, 0)));
        finish(3);

        Application application = partition().existing("a");
        assertThat(application.placed()).isEqualTo(1);
        assertThat(application.pending()).isEqualTo(5);
        assertThat(application.succeeded()).isEqualTo(1);
        assertThat(application.failed()).isEqualTo(1);
        assertThat(application.stopped()).isEqualTo(2);
        assertThat(application.isActive()).isTrue();
        assertThat(group("a", "t").unallocatedIndexes()).hasToString("{1, 6, 7, 8, 9}");
        assertThat(partition().placements()).isEqualTo(3);
        assertThat(scheduler.cycle("default", AT))
                .extracting(event ->
                        event instanceof TaskEvent.Placed placed ? placed.task().index() : -1)
                .containsExactly(1, 6, 7);
    }

    @Test
    void dependents_ofRestoredTasks_waitForUnmetConditions() {
        submit(
                "a",
                TaskSpec.single("done", CORE),
                TaskSpec.single("runs", CORE),
                after("x", "done", TaskCondition.SUCCEEDED),
                after("y", "runs", TaskCondition.STARTED),
                after("z", "runs", TaskCondition.SUCCEEDED));

        restorer.restore(
                "a",
                progress(
                        ApplicationState.RUNNING,
                        List.of(
                                List.of(ended(TaskState.SUCCEEDED, 0, 1)),
                                List.of(running(0, 0)),
                                PENDING,
                                PENDING,
                                PENDING)));
        finish(2);

        assertThat(group("a", "x").isWaiting()).isFalse();
        assertThat(group("a", "y").isWaiting()).isFalse();
        assertThat(group("a", "z").isWaiting()).isTrue();
        assertThat(partition().existing("a").pending()).isEqualTo(2);
    }

    private static TaskSpec after(String name, String awaited, TaskCondition condition) {
        return TaskSpec.single(name, CORE).withAfter(Map.of(awaited, condition));
    }

    @Test
    void tasks_ofNode_areInOrderOfAllocation() {
        submit("a", TaskSpec.of("t", 2, CORE));
        submit("b", TaskSpec.of("t", 2, CORE));

        restorer.restore("a", progress(ApplicationState.RUNNING, running(0, 3), running(1, 1)));
        restorer.restore("b", progress(ApplicationState.RUNNING, running(0, 2), running(1, 0)));
        finish(4);

        assertThat(partition().nodes().iterator().next().tasks())
                .extracting(Task::toString)
                .containsExactly("b/t-1", "a/t-1", "b/t-0", "a/t-0");
        assertThat(partition().existing("a").isFirstAllocated(group("a", "t"), 1))
                .isTrue();
    }

    @Test
    void reserved_besideVictim_staysReserved() {
        submit("a", TaskSpec.of("t", 4, CORE));
        submit("b", TaskSpec.of("t", 4, CORE));

        restorer.restore(
                "a",
                progress(
                        ApplicationState.RUNNING,
                        running(0, 0),
                        running(1, 1),
                        running(2, 2),
                        allocated(3, 3, TaskState.PREEMPTING, AT, StopReason.REBALANCE)));
        restorer.restore("b", progress(ApplicationState.RUNNING, allocated(0, 4, TaskState.RESERVED, null, null)));
        finish(5);
        assertThat(Objects.requireNonNull(group("b", "t").placed(0)).isReserved())
                .isTrue();
    }

    @Test
    void reserved_withoutVictims_areReleased() {
        submit("a", TaskSpec.of("t", 4, CORE));
        restorer.restore("a", progress(ApplicationState.RUNNING, allocated(0, 0, TaskState.RESERVED, null, null)));
        finish(1);
        assertThat(Objects.requireNonNull(group("a", "t").placed(0)).state()).isEqualTo(TaskState.STARTING);
    }

    /** It starts again when its last task has ended, even if that one was preempted before the gang was stopped. */
    @Test
    void gang_startingAgain_waitsForItsTasksOnNodes() {
        Gang gang = Gang.of(Map.of("t", 2)).withOnLoss(Gang.OnLoss.RESTART);
        for (String id : List.of("a", "ended")) {
            handle(new Command.AdoptApplication(
                    "default",
                    ApplicationSpec.open(id, "root.default", TaskSpec.of("t", 2, CORE))
                            .withGang(gang)));
        }
        Part preempting = allocated(0, 0, TaskState.PREEMPTING, AT, StopReason.REBALANCE);
        restorer.restore(
                "a",
                new ApplicationProgress(
                        ApplicationState.RUNNING, AT, false, 2, null, true, List.of(List.of(preempting))));
        restorer.restore(
                "ended",
                new ApplicationProgress(ApplicationState.ACCEPTED, AT, false, 0, null, true, List.of(PENDING)));
        finish(1);

        assertThat(partition().existing("a").gang()).matches(GangProgress::isRestarting);
        assertThat(partition().existing("ended").gang()).matches(progress -> !progress.isRestarting());
    }

    @Test
    void timers_ofTasksAndApplications_areSet() {
        submit("a", TaskSpec.of("t", 2, CORE).withAttempts(0, Duration.ofMinutes(9)));
        restorer.restore(
                "a", new ApplicationProgress(ApplicationState.STARTING, AT, true, 1, List.of(List.of(running(0, 0)))));
        finish(1);

        assertThat(partition().existing("a").isSealed()).isTrue();
        assertThat(partition().timers())
                .extracting(Timer::due)
                .containsExactly(AT.plus(SchedulerLimits.STARTING_MAX), AT.plus(Duration.ofMinutes(9)));
    }

    @Test
    void task_thatReturned_isFirst() {
        submit("a", TaskSpec.of("t", 2, CORE), TaskSpec.of("u", 2, CORE));
        restorer.restore(
                "a",
                new ApplicationProgress(
                        ApplicationState.STARTING,
                        AT,
                        false,
                        1,
                        List.of(PENDING, List.of(new Part(0, 1, TaskState.PENDING, null)))));
        finish(1);

        assertThat(partition().existing("a").isFirstAllocated(group("a", "u"), 0))
                .isTrue();
        assertThat(partition().existing("a").pending()).isEqualTo(4);
    }

    @Test
    void application_ended_leavesItsQueue() {
        submit("a", TaskSpec.single("t", CORE));
        restorer.restore("a", progress(ApplicationState.FAILED, ended(TaskState.STOPPED, 0, 1)));
        finish(0);

        assertThat(partition().users().applications()).isEmpty();
        assertThat(partition().existing("a").isActive()).isFalse();
    }

    @Test
    void progress_impossible_isRefused() {
        submit("a", TaskSpec.of("t", 3, CORE));
        isRefused("has only 3 tasks", progress(ApplicationState.RUNNING, ended(TaskState.FAILED, 2, 4)));
        isRefused("has only 3 tasks", progress(ApplicationState.RUNNING, running(3, 0)));
        isRefused("a has 1", progress(ApplicationState.RUNNING, List.of(PENDING, PENDING)));
        assertThatThrownBy(() -> ended(TaskState.FAILED, 2, 2)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> ended(TaskState.RUNNING, 0, 1)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> allocated(0, 0, TaskState.RUNNING, null, null))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> allocated(0, 0, TaskState.STOPPING, AT, null))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> allocated(0, 0, TaskState.STARTING, AT, null))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> allocated(0, 0, TaskState.PENDING, null, null))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void tasks_inTwoStates_areRefused() {
        submit("a", TaskSpec.of("t", 3, CORE));
        isRefused("two states", progress(ApplicationState.RUNNING, ended(TaskState.FAILED, 0, 2), running(1, 0)));
    }

    private void isRefused(String message, ApplicationProgress progress) {
        assertThatThrownBy(() -> restorer.restore("a", progress))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(message);
    }
}
