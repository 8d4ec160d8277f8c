package dev.sluice.runtime.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.sluice.core.application.ApplicationSpec;
import dev.sluice.core.application.TaskSpec;
import dev.sluice.core.command.Command;
import dev.sluice.core.command.CommandResult;
import dev.sluice.core.configuration.PartitionConfiguration;
import dev.sluice.core.engine.Scheduler;
import dev.sluice.core.resource.Resources;
import dev.sluice.core.state.Event;
import dev.sluice.core.state.NodeHealth;
import dev.sluice.core.state.Partition;
import dev.sluice.core.state.SchedulerLimits;
import dev.sluice.core.state.SchedulerState;
import dev.sluice.core.testing.TaskRefs;
import dev.sluice.runtime.journal.Cause;
import dev.sluice.runtime.journal.HistoryRecord;
import dev.sluice.runtime.journal.JournalEntry;
import dev.sluice.runtime.journal.StoreException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@Timeout(60)
final class EngineHostTest {

    private static final Instant START = Instant.parse("2026-01-01T12:00:00Z");
    private static final Cause CAUSE = new Cause("test", "tester");
    private static final String PARTITION = PartitionConfiguration.DEFAULT_NAME;

    private final List<String> order = new CopyOnWriteArrayList<>();
    private final FakeLog log = new FakeLog();
    private final AtomicReference<Instant> clock = new AtomicReference<>(START);
    private final Listener listener = new Listener();
    private volatile boolean failRecorder;
    private volatile boolean failProjection;
    private EngineHost host = host(new HostLimits(1000, 100, 2, Duration.ofMillis(60)));

    /** Counts writes, and blocks or fails on demand. */
    private final class FakeLog implements BatchLog {

        private final Semaphore gate = new Semaphore(1);
        private final List<Integer> batches = new CopyOnWriteArrayList<>();
        private final List<Instant> times = new CopyOnWriteArrayList<>();
        private final List<HistoryRecord> historyRecords = new CopyOnWriteArrayList<>();
        private volatile StoreException.@Nullable Kind failure;
        private final AtomicInteger tries = new AtomicInteger();
        private final AtomicLong last = new AtomicLong();

        @Override
        public long nextSequence() {
            return last.get() + 1;
        }

        @Override
        public void append(List<JournalEntry> entries, List<HistoryRecord> historyRecords, Instant at)
                throws StoreException {
            attempt();
            int events = 0;
            for (JournalEntry entry : entries) {
                events += entry.events().size();
            }
            last.addAndGet(events);
            batches.add(entries.size());
            times.add(at);
            this.historyRecords.addAll(historyRecords);
            order.add("written");
        }

        @Override
        public void appendHistory(List<HistoryRecord> historyRecords) throws StoreException {
            attempt();
            this.historyRecords.addAll(historyRecords);
        }

        private void attempt() throws StoreException {
            tries.incrementAndGet();
            gate.acquireUninterruptibly();
            gate.release();
            StoreException.Kind kind = failure;
            if (kind != null) {
                throw new StoreException(kind, "injected failure");
            }
        }
    }

    /** Records the calls. */
    private static final class Listener implements HostListener {

        private final List<String> calls = new CopyOnWriteArrayList<>();
        private volatile @Nullable Throwable failure;

        @Override
        public void stalled(StoreException reason) {
            calls.add("stalled");
        }

        @Override
        public void resumed() {
            calls.add("resumed");
        }

        @Override
        public void batchCompleted(int transactions, int events, long decideNanos, long commitNanos) {}

        @Override
        public void failed(Throwable reason) {
            failure = reason;
        }
    }

    private EngineHost host(HostLimits limits) {
        return host(limits, clock::get);
    }

    private EngineHost host(HostLimits limits, InstantSource time) {
        return new EngineHost(new HostParts(
                new Scheduler(),
                START,
                time,
                log,
                new Recorder(),
                List.of(this::first, (first, entries) -> order.add("second")),
                listener,
                limits));
    }

    private void first(long first, List<JournalEntry> entries) {
        if (failProjection) {
            throw new IllegalStateException("injected failure");
        }
        order.add("first");
    }

    /** Records nothing, and fails on demand. */
    private final class Recorder implements HistoryRecorder {

        @Override
        public List<HistoryRecord> record(long sequence, Cause cause, Event event, SchedulerState state) {
            if (failRecorder) {
                throw new IllegalStateException("injected failure");
            }
            return List.of();
        }
    }

    @BeforeEach
    void start() throws Exception {
        host.start();
        host.submit(
                        CAUSE,
                        context -> context.handle(
                                new Command.ApplyConfiguration(List.of(PartitionConfiguration.simplest()))))
                .get();
        await().until(() -> order.contains("second"));
        order.clear();
        log.batches.clear();
        log.times.clear();
    }

    @AfterEach
    void end() {
        log.failure = null;
        if (log.gate.availablePermits() == 0) {
            log.gate.release();
        }
        host.close();
    }

    private static Partition partition(TransactionContext context) {
        return Objects.requireNonNull(context.state().partition(PARTITION));
    }

    private CompletableFuture<Boolean> submit(String id) {
        return host.submit(CAUSE, context -> context.handle(application(id)).refusal() == null);
    }

    private static Command.SubmitApplication application(String id) {
        return new Command.SubmitApplication(
                PARTITION, ApplicationSpec.open(id, "root.default", TaskSpec.single("t", Resources.NONE)));
    }

    private void withLimits(HostLimits limits) throws Exception {
        with(host(limits));
    }

    private void with(EngineHost other) throws Exception {
        host.close();
        log.last.set(0);
        host = other;
        start();
    }

    /** Submits an application and blocks the host during the write. */
    private CompletableFuture<Boolean> submitBlocked(String id) {
        log.gate.acquireUninterruptibly();
        int before = log.tries.get();
        CompletableFuture<Boolean> result = submit(id);
        await().until(() -> log.tries.get() > before);
        return result;
    }

    @Test
    void result_beforeWriteAndProjections_isNotCompleted() throws Exception {
        CompletableFuture<Boolean> result = submitBlocked("a");
        assertThat(result).isNotDone();
        assertThat(order).isEmpty();
        CompletableFuture<Void> completed = result.thenRun(() -> order.add("completed"));
        log.gate.release();
        assertThat(result.get()).isTrue();
        completed.get();
        assertThat(order.subList(0, 4)).containsExactly("written", "first", "second", "completed");
    }

    @Test
    void query_afterUnwrittenChange_waitsForWrite() throws Exception {
        CompletableFuture<Boolean> result = submitBlocked("a");
        CompletableFuture<Integer> question =
                host.submit(CAUSE, context -> partition(context).applications().size());
        assertThat(question).isNotDone();
        log.gate.release();
        assertThat(question.get()).isEqualTo(1);
        assertThat(result.get()).isTrue();
    }

    @Test
    void transactions_duringWrite_formOneBatch() throws Exception {
        CompletableFuture<Boolean> first = submitBlocked("a");
        List<CompletableFuture<Boolean>> rest = new ArrayList<>();
        for (int i = 0; i < 50; i++) {
            rest.add(submit("b" + i));
        }
        log.gate.release();
        first.get();
        for (CompletableFuture<Boolean> each : rest) {
            assertThat(each.get()).isTrue();
        }
        assertThat(log.times).hasSize(2);
        assertThat(log.batches.get(1)).isGreaterThanOrEqualTo(50);
    }

    @Test
    void idleTransaction_submissionsMeanwhile_runsWhenTheyHaveHadTheirCycle() throws Exception {
        AtomicInteger left = new AtomicInteger();
        AtomicInteger idle = new AtomicInteger();
        List<Integer> waiting = new CopyOnWriteArrayList<>();
        EngineHost other = host(new HostLimits(1000, 100, 2, Duration.ofMillis(60)), () -> {
            if (left.getAndUpdate(n -> Math.max(0, n - 1)) > 0) {
                CompletableFuture<Boolean> unused = submit("a" + left.get());
            }
            return START;
        });
        other.onIdle(context -> {
            idle.incrementAndGet();
            int running = partition(context).nodes().stream()
                    .mapToInt(node -> node.tasks().size())
                    .sum();
            waiting.add(partition(context).applications().size() - running);
            return false;
        });
        with(other);
        Resources capacity = Resources.of("slots", 100);
        for (Command command : List.of(
                new Command.RegisterNode(PARTITION, "n", capacity, Collections.emptySortedMap()),
                new Command.ReportNodeReady(PARTITION, "n"),
                // its timer makes the host look at the clock before it waits
                new Command.RegisterNode(PARTITION, "timer", capacity, Collections.emptySortedMap()),
                new Command.ReportNodeReady(PARTITION, "timer"),
                new Command.ReportNodeFlaky(PARTITION, "timer"))) {
            assertThat(host.submit(CAUSE, context -> context.handle(command).refusal() == null)
                            .get())
                    .isTrue();
        }

        int before = idle.get();
        left.set(50);
        submit("first").get();

        await().until(() -> left.get() == 0 && idle.get() > before);
        assertThat(waiting).containsOnly(0);
    }

    @Test
    void batch_beyondLimit_isSplit() throws Exception {
        withLimits(new HostLimits(1000, 10, 2, Duration.ofMillis(60)));
        CompletableFuture<Boolean> last = submitBlocked("a");
        for (int i = 0; i < 30; i++) {
            last = submit("b" + i);
        }
        log.gate.release();
        assertThat(last.get()).isTrue();
        assertThat(log.times.size()).isGreaterThanOrEqualTo(4);
    }

    @Test
    void time_clockGoingBackwards_doesNotDecrease() throws Exception {
        clock.set(START.plusSeconds(10));
        submit("a").get();
        clock.set(START.minusSeconds(1000));
        submit("b").get();
        clock.set(START.plusSeconds(20));
        submit("c").get();
        assertThat(log.times).isSorted().contains(START.plusSeconds(10), START.plusSeconds(20));
        assertThat(host.submit(CAUSE, TransactionContext::now).get()).isEqualTo(START.plusSeconds(20));
    }

    @Test
    void timer_afterClockWasAheadForAMinute_expires() throws Exception {
        AtomicLong elapsed = new AtomicLong();
        AtomicLong ahead = new AtomicLong(Duration.ofHours(2).toNanos());
        InstantSource wall = () -> START.plusNanos(elapsed.get() + ahead.get());
        with(host(new HostLimits(1000, 100, 2, Duration.ofMillis(60)), new SteadyClock(wall, elapsed::get, START)));
        elapsed.addAndGet(Duration.ofMinutes(1).toNanos());
        for (Command command : List.of(
                new Command.RegisterNode(PARTITION, "n", Resources.NONE, Collections.emptySortedMap()),
                new Command.ReportNodeReady(PARTITION, "n"),
                new Command.ReportNodeFlaky(PARTITION, "n"))) {
            assertThat(host.submit(CAUSE, context -> context.handle(command).refusal() == null)
                            .get())
                    .isTrue();
        }
        ahead.set(0);
        assertThat(health("n")).isEqualTo(NodeHealth.FLAKY);

        Duration slowed =
                SchedulerLimits.FLAKY_MAX.multipliedBy(10).dividedBy(9).plusSeconds(1);
        elapsed.addAndGet(slowed.toNanos());

        await().until(() -> health("n").equals(NodeHealth.READY));
    }

    private NodeHealth health(String node) throws Exception {
        return host.submit(
                        CAUSE,
                        context -> Objects.requireNonNull(partition(context).node(node))
                                .health())
                .get();
    }

    @Test
    void inbox_full_rejectsAllButReports() throws Exception {
        withLimits(new HostLimits(3, 100, 2, Duration.ofMillis(60)));
        CompletableFuture<Boolean> first = submitBlocked("a");
        CompletableFuture<Boolean> last = first;
        for (int i = 0; i < 3; i++) {
            last = submit("b" + i);
        }
        assertThatThrownBy(() -> submit("too-much")).isInstanceOfSatisfying(BusyException.class, e -> {
            assertThat(e.kind()).isEqualTo(BusyException.Kind.INBOX_FULL);
            assertThat(e.retryAfter()).isPositive();
        });
        int waiting = host.waiting();
        host.report(new Command.ReportTaskStarted(TaskRefs.run(PARTITION, "a", "t", 1)));
        assertThat(host.waiting()).isEqualTo(waiting + 1);
        log.gate.release();
        assertThat(last.get()).isTrue();
        assertThat(submit("again").get()).isTrue();
    }

    @Test
    void journal_notWritable_stallsUntilWritable() throws Exception {
        log.failure = StoreException.Kind.UNAVAILABLE;
        CompletableFuture<Boolean> result = submit("a");
        await().until(() -> host.stall() != null);
        assertThatThrownBy(() -> submit("b"))
                .isInstanceOfSatisfying(
                        BusyException.class, e -> assertThat(e.kind()).isEqualTo(BusyException.Kind.JOURNAL_STALLED));
        int tries = log.tries.get();
        await().until(() -> log.tries.get() > tries + 2);
        assertThat(result).isNotDone();
        log.failure = null;
        assertThat(result.get()).isTrue();
        await().until(() -> listener.calls.size() == 2);
        assertThat(listener.calls).containsExactly("stalled", "resumed");
        assertThat(submit("c").get()).isTrue();
    }

    @ParameterizedTest
    @EnumSource(names = {"IN_USE", "DAMAGED", "UNUSABLE"})
    void journal_permanentFailure_endsLoop(StoreException.Kind kind) {
        log.failure = kind;
        CompletableFuture<Boolean> result = submit("a");
        assertThatThrownBy(result::get).isInstanceOf(ExecutionException.class).hasCauseInstanceOf(BusyException.class);
        await().until(() -> listener.failure != null);
        assertThat(listener.failure).isInstanceOf(StoreException.class);
        assertThat(host.isAlive()).isFalse();
        assertThatThrownBy(() -> submit("b")).isInstanceOf(BusyException.class);
        assertThat(order).as("listeners are not called before the write").isEmpty();
    }

    @Test
    void close_pendingTransactions_areProcessed() throws Exception {
        CompletableFuture<Boolean> first = submitBlocked("a");
        CompletableFuture<Boolean> second = submit("b");
        Thread closer = new Thread(host::close, "closer");
        closer.start();
        await().until(() -> closer.getState() == Thread.State.WAITING);
        log.gate.release();
        closer.join();
        assertThat(first.get()).isTrue();
        assertThat(second.get()).isTrue();
        assertThatThrownBy(() -> submit("c"))
                .isInstanceOfSatisfying(
                        BusyException.class, e -> assertThat(e.kind()).isEqualTo(BusyException.Kind.SHUTTING_DOWN));
        assertThat(listener.failure).isNull();
    }

    @Test
    void close_whileStalled_rejectsPendingTransactions() {
        log.failure = StoreException.Kind.FULL;
        CompletableFuture<Boolean> result = submit("a");
        await().until(() -> host.stall() != null);
        host.close();
        assertThatThrownBy(result::get).hasCauseInstanceOf(BusyException.class);
        assertThat(listener.failure).isNull();
    }

    @Test
    void transaction_throwing_failsOnlyItsCaller() throws Exception {
        CompletableFuture<Boolean> first = submitBlocked("a");
        CompletableFuture<Boolean> broken = host.submit(CAUSE, context -> {
            throw new IllegalStateException("broken");
        });
        CompletableFuture<Boolean> fine = submit("b");
        log.gate.release();
        assertThat(first.get()).isTrue();
        assertThatThrownBy(broken::get).hasCauseInstanceOf(IllegalStateException.class);
        assertThat(fine.get()).isTrue();
        assertThat(host.isAlive()).isTrue();
    }

    @Test
    void transaction_stackOverflow_failsOnlyItsCaller() throws Exception {
        CompletableFuture<Boolean> first = submitBlocked("a");
        CompletableFuture<Integer> broken = host.submit(CAUSE, context -> {
            context.handle(application("b"));
            return endless(0);
        });
        CompletableFuture<Boolean> wrong = host.submit(CAUSE, context -> {
            throw new AssertionError("wrong");
        });
        CompletableFuture<Boolean> fine = submit("c");
        log.gate.release();
        assertThat(first.get()).isTrue();
        assertThatThrownBy(broken::get).hasCauseInstanceOf(StackOverflowError.class);
        assertThatThrownBy(wrong::get).hasCauseInstanceOf(AssertionError.class);
        assertThat(fine.get()).isTrue();
        assertThat(submit("b").get()).as("already executed").isFalse();
        assertThat(host.isAlive()).isTrue();
    }

    private static int endless(int depth) {
        return depth < 0 ? depth : endless(depth + 1) + 1;
    }

    @Test
    void transaction_outOfMemory_endsLoop() {
        CompletableFuture<Boolean> result = host.submit(CAUSE, context -> {
            throw new OutOfMemoryError("injected failure");
        });
        assertThatThrownBy(result::get).hasCauseInstanceOf(BusyException.class);
        await().until(() -> listener.failure != null);
        assertThat(listener.failure).isInstanceOf(OutOfMemoryError.class);
    }

    @Test
    @SuppressWarnings("NullAway") // a bug of the caller
    void command_throwingBeforeChanges_failsOnlyItsCaller() throws Exception {
        CompletableFuture<CommandResult> broken = host.submit(CAUSE, context -> context.handle(null));
        assertThatThrownBy(broken::get).hasCauseInstanceOf(NullPointerException.class);
        assertThat(submit("a").get()).isTrue();
    }

    @Test
    void command_partiallyApplied_endsLoopAndDiscardsBatch() throws Exception {
        CompletableFuture<Boolean> first = submitBlocked("a");
        failRecorder = true;
        CompletableFuture<Boolean> unfit = host.submit(CAUSE, context -> {
            try {
                return context.handle(application("b")).refusal() == null;
            } catch (IllegalStateException e) {
                return false; // but the loop must end
            }
        });
        CompletableFuture<Boolean> next = submit("c");
        log.gate.release();
        assertThat(first.get()).isTrue();
        assertThatThrownBy(unfit::get).hasCauseInstanceOf(BusyException.class);
        assertThatThrownBy(next::get).hasCauseInstanceOf(BusyException.class);
        await().until(() -> listener.failure != null);
        assertThat(listener.failure)
                .hasMessageContaining("failed after changing the state")
                .hasMessageContaining("Restart the server");
        assertThat(host.isAlive()).isFalse();
        assertThat(log.times).as("written batches").hasSize(1);
    }

    @Test
    void projection_throwing_endsLoopAfterWrite() throws Exception {
        CompletableFuture<Boolean> first = submitBlocked("a");
        CompletableFuture<Boolean> next = submit("b");
        failProjection = true;
        log.gate.release();
        assertThat(first.get()).as("it is durable").isTrue();
        assertThatThrownBy(next::get).hasCauseInstanceOf(BusyException.class);
        await().until(() -> listener.failure != null);
        assertThat(listener.failure).hasMessage("injected failure");
        assertThat(host.isAlive()).isFalse();
        assertThat(order).containsExactly("written");
    }

    @Test
    void applications_endedBeyondLimit_areForgotten() throws Exception {
        for (int i = 0; i < 5; i++) {
            submit("a" + i).get();
            String id = "a" + i;
            host.submit(CAUSE, context -> context.handle(new Command.CancelApplication(PARTITION, id, "enough")))
                    .get();
        }
        List<String> remaining = host.submit(
                        CAUSE,
                        context -> partition(context).applications().stream()
                                .map(application -> application.id())
                                .toList())
                .get();
        assertThat(remaining).containsExactly("a3", "a4");
    }

    @Test
    void historyRecords_withoutEvents_areWrittenBeforeCompletion() throws Exception {
        HistoryRecord idempotencyRecord = new HistoryRecord.IdempotencyRecord("key", "print", 200, "{}", START);
        log.failure = StoreException.Kind.UNAVAILABLE;
        CompletableFuture<Boolean> result = host.submit(CAUSE, context -> {
            context.addHistoryRecord(idempotencyRecord);
            return true;
        });
        await().until(() -> host.stall() != null);
        assertThat(result).isNotDone();
        log.failure = null;
        assertThat(result.get()).isTrue();
        assertThat(log.historyRecords).containsExactly(idempotencyRecord);
        assertThat(order).as("nothing happened").isEmpty();
        submit("a").get();
        assertThat(log.historyRecords).as("once").containsExactly(idempotencyRecord);
    }
}
