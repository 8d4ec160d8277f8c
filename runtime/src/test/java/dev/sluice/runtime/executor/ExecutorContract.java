package dev.sluice.runtime.executor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.core.application.ApplicationRef;
import dev.sluice.core.application.RunRef;
import dev.sluice.core.application.TaskRef;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The guarantees of {@link Executor}, one test each or more. Every run lasts until {@link #finish}. */
@Timeout(120)
public abstract class ExecutorContract {

    protected static final List<ApplicationRef> ACTIVE = List.of(new ApplicationRef("default", "a"));

    private static final TaskRef TASK = new TaskRef("default", "a", "t", 0);
    protected static final RunRef RUN = new RunRef(TASK, 1);
    private static final RunRef NEXT = new RunRef(TASK, 2);
    private static final RunRef OTHER = new RunRef(new TaskRef("default", "a", "u", TaskRef.SINGLE), 1);

    private @Nullable Executor current;

    /** The reports of the current executor, by run; earlier executors have other maps. */
    private Map<RunRef, List<String>> reports = new ConcurrentHashMap<>();

    /** Creates an executor on the same directories as earlier ones. */
    protected abstract Executor create(ExecutorListener listener);

    /** Returns whether runs survive their executor. */
    protected abstract boolean isDetached();

    /** Returns a run that lasts until {@link #finish}, and takes its time to end when it is stopped. */
    protected abstract RunStart lasting(RunRef run, long allocation);

    /** Lets a lasting run end with success. */
    protected abstract void finish(RunRef run);

    /** Lets the rest of a run pass that was to {@link #finish} while it was suspended. */
    protected abstract void finishResumed(RunRef run);

    /** Returns the runs whose command began and ended, such as {@code start 1} and {@code end 1}, in order. */
    protected abstract List<String> witnessed(TaskRef task);

    /** Returns whether all processes of a suspended run are halted. */
    protected abstract boolean isHalted(RunRef run);

    /** Waits until the condition holds; fails after a while. */
    protected abstract void await(BooleanSupplier condition);

    /** Waits long enough that what could happen has most likely happened. */
    protected abstract void settle();

    /** Collects reports. */
    private record Recorder(Map<RunRef, List<String>> reports) implements ExecutorListener {

        @Override
        public void started(RunRef run) {
            add(run, "started");
        }

        @Override
        public void ended(RunRef run, RunExit exit) {
            add(run, exit.isSuccess() ? "succeeded" : exit.started() ? "failed" : "prevented");
        }

        @Override
        public void lost(RunRef run, String reason) {
            add(run, "lost");
        }

        @Override
        public void notStarted(RunRef run, String reason) {
            add(run, "not started");
        }

        private void add(RunRef run, String report) {
            reports.computeIfAbsent(run, each -> new CopyOnWriteArrayList<>()).add(report);
        }
    }

    protected final Executor executor() {
        if (current == null) {
            restart();
        }
        return Objects.requireNonNull(current);
    }

    /** Replaces the executor as after a crash; these runs are allocated. */
    protected final void restart(RunStart... allocated) {
        if (current != null) {
            current.close();
        }
        reports = new ConcurrentHashMap<>();
        current = create(new Recorder(reports));
        current.recover(Arrays.asList(allocated), ACTIVE);
    }

    @AfterEach
    final void end() {
        if (current != null) {
            assertThat(current.stopAll()).isTrue();
            current.close();
        }
    }

    private List<String> reports(RunRef run) {
        return List.copyOf(reports.getOrDefault(run, List.of()));
    }

    private void awaitReports(RunRef run, String... expected) {
        await(() -> reports(run).size() >= expected.length);
        settle();
        assertThat(reports(run)).containsExactly(expected);
    }

    private RunStart startLasting(RunRef run, long allocation) {
        RunStart start = lasting(run, allocation);
        executor().start(start);
        await(() -> reports(run).contains("started") && witnessed(run.task()).contains("start " + run.attempt()));
        return start;
    }

    private static List<String> starts(List<String> witnessed) {
        return witnessed.stream().filter(line -> line.startsWith("start")).toList();
    }

    @Test
    public final void run_ending_isReportedStartedThenEnded() {
        startLasting(RUN, 1);
        assertThat(executor().unfinishedCount()).isOne();
        finish(RUN);
        awaitReports(RUN, "started", "succeeded");
        assertThat(executor().unfinishedCount()).isZero();
    }

    @Test
    public final void run_startedTwice_isRefused() {
        RunStart start = startLasting(RUN, 1);
        assertThatThrownBy(() -> executor().start(start)).isInstanceOf(IllegalStateException.class);
        finish(RUN);
        awaitReports(RUN, "started", "succeeded");
        assertThatThrownBy(() -> executor().start(start)).isInstanceOf(IllegalStateException.class);
        assertThat(starts(witnessed(TASK))).containsExactly("start 1");
    }

    @Test
    public final void start_beforeRecovery_isRefused() {
        Executor fresh = create(new Recorder(reports));
        assertThatThrownBy(() -> fresh.start(lasting(RUN, 1))).isInstanceOf(IllegalStateException.class);
        fresh.recover(List.of(), ACTIVE);
        assertThatThrownBy(() -> fresh.recover(List.of(), ACTIVE)).isInstanceOf(IllegalStateException.class);
        fresh.close();
    }

    @Test
    public final void stop_ofAliveRun_endsItOnce() {
        startLasting(RUN, 1);
        executor().stop(RUN);
        executor().stop(RUN);
        awaitReports(RUN, "started", "failed");
        executor().stop(RUN);
        settle();
        assertThat(reports(RUN)).containsExactly("started", "failed");
    }

    @Test
    public final void stop_beforeStart_preventsIt() {
        executor().stop(RUN);
        executor().stop(RUN);
        executor().start(lasting(RUN, 1));
        awaitReports(RUN, "prevented");
        assertThat(witnessed(TASK)).isEmpty();
    }

    @Test
    public final void stop_afterEnd_hasNoEffect() {
        startLasting(RUN, 1);
        finish(RUN);
        awaitReports(RUN, "started", "succeeded");
        executor().stop(RUN);
        executor().forget(RUN);
        startLasting(NEXT, 2);
        finish(NEXT);
        awaitReports(NEXT, "started", "succeeded");
        assertThat(reports(RUN)).containsExactly("started", "succeeded");
    }

    @Test
    public final void stop_ofForgottenRun_doesNotAffectNext() {
        executor().stop(RUN);
        executor().forget(RUN);
        startLasting(RUN, 1);
    }

    @Test
    public final void reference_ofForgottenRun_canBeUsedAgain() {
        startLasting(RUN, 1);
        finish(RUN);
        awaitReports(RUN, "started", "succeeded");
        executor().forget(RUN);
        executor().start(lasting(RUN, 2));
        finish(RUN);
        awaitReports(RUN, "started", "succeeded", "started", "succeeded");
    }

    @Test
    public final void run_aliveAtRestart_isFollowedOrLost() {
        RunStart start = startLasting(RUN, 1);
        restart(start);
        if (isDetached()) {
            await(() -> reports(RUN).contains("started"));
            finish(RUN);
            awaitReports(RUN, "started", "succeeded");
        } else {
            awaitReports(RUN, "lost");
        }
        assertThat(starts(witnessed(TASK))).containsExactly("start 1");
    }

    @Test
    public final void run_aliveAtRepeatedRestarts_isExecutedAndReportedOnce() {
        RunStart start = startLasting(RUN, 1);
        for (int i = 0; i < 3; i++) {
            restart(start);
        }
        finish(RUN);
        String last = isDetached() ? "succeeded" : "lost";
        await(() -> reports(RUN).contains(last));
        settle();
        assertThat(reports(RUN)).containsOnlyOnce(last).endsWith(last);
        assertThat(starts(witnessed(TASK))).containsExactly("start 1");
    }

    @Test
    public final void finalReport_notDurable_isRepeatedAfterRestart() {
        RunStart start = startLasting(RUN, 1);
        finish(RUN);
        awaitReports(RUN, "started", "succeeded");
        restart(start);
        awaitReports(RUN, isDetached() ? "succeeded" : "lost");
        assertThat(starts(witnessed(TASK))).containsExactly("start 1");
    }

    @Test
    public final void run_neverBegun_isLostAfterRestart() {
        restart(lasting(RUN, 1));
        awaitReports(RUN, "lost");
        assertThat(witnessed(TASK)).isEmpty();
    }

    @Test
    public final void run_stoppedAfterRestart_ends() {
        RunStart start = startLasting(RUN, 1);
        restart(start);
        executor().stop(RUN);
        String last = isDetached() ? "failed" : "lost";
        await(() -> reports(RUN).contains(last));
        settle();
        assertThat(reports(RUN)).containsOnlyOnce(last).endsWith(last);
    }

    @Test
    public final void run_notAllocatedAtRestart_isStoppedWithoutReport() {
        startLasting(RUN, 1);
        startLasting(OTHER, 2);
        restart(lasting(OTHER, 2));
        await(() -> witnessed(TASK).contains("end 1"));
        settle();
        assertThat(reports(RUN)).isEmpty();
        if (isDetached()) {
            assertThat(reports(OTHER)).containsExactly("started");
        }
    }

    @Test
    public final void run_forgottenWhileAlive_isStoppedWithoutReport() {
        startLasting(RUN, 1);
        executor().forget(RUN);
        await(() -> witnessed(TASK).contains("end 1"));
        settle();
        assertThat(reports(RUN)).containsExactly("started");
        await(() -> executor().unfinishedCount() == 0);
    }

    @Test
    public final void nextRun_ofTask_startsAfterEndOfForgottenRun() {
        startLasting(RUN, 1);
        executor().forget(RUN);
        startLasting(NEXT, 2);
        assertThat(witnessed(TASK)).containsExactly("start 1", "end 1", "start 2");
    }

    @Test
    public final void nextRun_forgottenBeforeItStarts_neverStarts() {
        startLasting(RUN, 1);
        executor().forget(RUN);
        RunRef third = new RunRef(TASK, 3);
        executor().start(lasting(NEXT, 2));
        executor().forget(NEXT);
        startLasting(third, 3);
        assertThat(witnessed(TASK)).startsWith("start 1", "end 1").endsWith("start 3");
        if (isDetached()) {
            assertThat(witnessed(TASK)).doesNotContain("start 2");
        }
    }

    @Test
    public final void nextRun_stoppedBeforeItStarts_neverStarts() {
        startLasting(RUN, 1);
        executor().forget(RUN);
        executor().stop(NEXT);
        executor().start(lasting(NEXT, 2));
        awaitReports(NEXT, "prevented");
        assertThat(witnessed(TASK)).containsExactly("start 1", "end 1");
    }

    @Test
    public final void nextRun_afterRestart_startsAfterEndOfUnknownRun() {
        startLasting(RUN, 1);
        restart();
        startLasting(NEXT, 2);
        assertThat(witnessed(TASK)).containsExactly("start 1", "end 1", "start 2");
    }

    @Test
    public final void close_withAliveRun_deliversNothingMore() {
        RunStart start = startLasting(RUN, 1);
        Map<RunRef, List<String>> before = reports;
        restart(start);
        finish(RUN);
        settle();
        assertThat(before.get(RUN)).containsExactly("started");
    }

    @Test
    public final void stopAll_withAliveRuns_endsAndLosesThem() {
        startLasting(RUN, 1);
        startLasting(OTHER, 2);
        assertThat(executor().stopAll()).isTrue();
        assertThat(reports(RUN)).containsExactly("started", "lost");
        assertThat(reports(OTHER)).containsExactly("started", "lost");
        assertThat(witnessed(TASK)).containsExactly("start 1", "end 1");
        assertThat(executor().unfinishedCount()).isZero();
    }

    @Test
    public final void start_afterStopAll_isLeftToNextExecutor() {
        assertThat(executor().stopAll()).isTrue();
        RunStart start = lasting(RUN, 1);
        executor().start(start);
        settle();
        assertThat(reports(RUN)).isEmpty();
        restart(start);
        awaitReports(RUN, "lost");
        assertThat(witnessed(TASK)).isEmpty();
    }

    private RunStart startSuspended() {
        RunStart start = startLasting(RUN, 1);
        executor().suspend(RUN);
        executor().suspend(RUN);
        await(() -> isHalted(RUN));
        return start;
    }

    private void resumeAndAwaitEnd() {
        settle();
        assertThat(reports(RUN)).containsExactly("started");
        executor().resume(RUN);
        executor().resume(RUN);
        finishResumed(RUN);
        awaitReports(RUN, "started", "succeeded");
    }

    @Test
    public final void suspend_ofAliveRun_haltsItUntilResumed() {
        startSuspended();
        finish(RUN);
        resumeAndAwaitEnd();
    }

    @Test
    public final void suspend_whileRunStarts_haltsItUntilResumed() {
        executor().start(lasting(RUN, 1));
        executor().suspend(RUN);
        await(() -> reports(RUN).contains("started") && isHalted(RUN));
        finish(RUN);
        resumeAndAwaitEnd();
    }

    @Test
    public final void suspend_ofNextRun_haltsItAfterEndOfForgottenRun() {
        startLasting(RUN, 1);
        executor().forget(RUN);
        executor().start(lasting(NEXT, 2));
        executor().suspend(NEXT);
        await(() -> reports(NEXT).contains("started") && isHalted(NEXT));
        finish(NEXT);
        settle();
        assertThat(reports(NEXT)).containsExactly("started");
        executor().resume(NEXT);
        finishResumed(NEXT);
        awaitReports(NEXT, "started", "succeeded");
    }

    @Test
    public final void suspend_ofEndedOrUnknownRun_hasNoEffect() {
        executor().suspend(RUN);
        executor().resume(RUN);
        startLasting(RUN, 1);
        finish(RUN);
        awaitReports(RUN, "started", "succeeded");
        executor().suspend(RUN);
        executor().resume(RUN);
        executor().forget(RUN);
        startLasting(NEXT, 2);
        finish(NEXT);
        awaitReports(NEXT, "started", "succeeded");
    }

    @Test
    public final void run_suspendedAtRestart_staysSoUntilResumed() {
        RunStart start = startSuspended();
        restart(start);
        if (!isDetached()) {
            awaitReports(RUN, "lost");
            return;
        }
        await(() -> reports(RUN).contains("started"));
        executor().suspend(RUN);
        assertThat(isHalted(RUN)).isTrue();
        finish(RUN);
        resumeAndAwaitEnd();
    }

    @Test
    public final void run_suspendedBeforeRestart_isResumedAfter() {
        RunStart start = startSuspended();
        finish(RUN);
        restart(start);
        if (isDetached()) {
            await(() -> reports(RUN).contains("started"));
            resumeAndAwaitEnd();
        } else {
            awaitReports(RUN, "lost");
        }
    }

    @Test
    public final void suspendedRun_stopped_ends() {
        startSuspended();
        executor().stop(RUN);
        awaitReports(RUN, "started", "failed");
        executor().suspend(RUN);
        settle();
        assertThat(executor().unfinishedCount()).isZero();
    }

    @Test
    public final void suspendedRun_forgotten_isStopped() {
        startSuspended();
        executor().forget(RUN);
        startLasting(NEXT, 2);
        assertThat(witnessed(TASK)).containsExactly("start 1", "end 1", "start 2");
    }

    @Test
    public final void suspendedRun_afterStopAll_isNotAlive() {
        startSuspended();
        assertThat(executor().stopAll()).isTrue();
        assertThat(reports(RUN)).containsExactly("started", "lost");
    }

    @Test
    public final void signal_toRunningRunOnly_isSent() {
        assertThat(executor().signal(RUN, TaskSignal.KILL)).isFalse();
        startLasting(RUN, 1);
        assertThat(executor().signal(NEXT, TaskSignal.KILL)).isFalse();
        assertThat(executor().signal(RUN, TaskSignal.KILL)).isTrue();
        awaitReports(RUN, "started", "failed");
        assertThat(executor().signal(RUN, TaskSignal.KILL)).isFalse();
    }

    @Test
    public final void manyRuns_stoppedAndForgottenAtRandom_haveOneFinalReport() {
        Random random = new Random(11);
        List<RunRef> kept = new ArrayList<>();
        for (int i = 0; i < 40; i++) {
            RunRef run = new RunRef(new TaskRef("default", "a", "m", i), 1);
            executor().start(lasting(run, i + 1));
            if (random.nextInt(3) == 0) {
                executor().stop(run);
            }
            if (random.nextInt(3) == 0) {
                executor().forget(run);
            } else {
                kept.add(run);
            }
        }
        kept.forEach(this::finish);
        await(() -> executor().unfinishedCount() == 0);
        settle();
        for (RunRef run : kept) {
            List<String> last = new ArrayList<>(reports(run));
            last.remove("started");
            assertThat(last).as("%s", run).hasSize(1);
        }
    }
}
