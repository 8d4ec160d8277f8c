package dev.sluice.runtime.loop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.core.engine.Scheduler;
import dev.sluice.core.explain.StepBudget;
import dev.sluice.runtime.journal.Cause;
import dev.sluice.runtime.journal.HistoryRecord;
import dev.sluice.runtime.journal.JournalEntry;
import dev.sluice.runtime.journal.StoreException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
final class IncrementalQueryRunnerTest {

    private static final Cause CAUSE = new Cause("look", "tester");
    private static final Duration TIMEOUT = Duration.ofSeconds(30);

    private final AtomicLong nanos = new AtomicLong();
    private final List<Integer> pieces = new CopyOnWriteArrayList<>();
    private final SchedulerLoop loop = new SchedulerLoop(
            new Scheduler(),
            Instant.EPOCH,
            new NoLog(),
            (sequence, event, state) -> null,
            (first, entries, state) -> {},
            (events, state) -> {},
            new NoListener(),
            InstantSource.fixed(Instant.EPOCH),
            LoopLimits.DEFAULT);

    /** A millisecond goes by whenever somebody reads the clock. */
    private final IncrementalQueryRunner questions =
            new IncrementalQueryRunner(loop, () -> nanos.addAndGet(1_000_000), pieces::add);

    private static final class NoLog implements BatchLog {

        @Override
        public long nextSequence() {
            return 1;
        }

        @Override
        public void append(List<JournalEntry> entries, List<HistoryRecord> historyRecords, Instant at) {}

        @Override
        public void appendHistory(List<HistoryRecord> historyRecords) {}
    }

    private static final class NoListener implements LoopListener {

        @Override
        public void stalled(StoreException reason) {}

        @Override
        public void resumed() {}

        @Override
        public void batchCompleted(int transactions, int events, long decideNanos, long commitNanos) {}

        @Override
        public void failed(Throwable reason) {}
    }

    /** Counts to a number, one look at a time. */
    private static final class Counting implements IncrementalQuery<Integer> {

        private final int to;
        private final AtomicInteger looking;
        private int counted;

        Counting(int to, AtomicInteger looking) {
            this.to = to;
            this.looking = looking;
        }

        @Override
        public boolean step(TransactionContext context, StepBudget looks) {
            assertThat(looking.incrementAndGet()).isEqualTo(1);
            while (counted < to && looks.take()) {
                counted++;
            }
            looking.decrementAndGet();
            return counted == to;
        }

        @Override
        public Integer answer() {
            return counted;
        }
    }

    @BeforeEach
    void start() {
        loop.start();
    }

    @AfterEach
    void end() {
        loop.close();
    }

    private int ask(int to) throws Exception {
        return questions.run(CAUSE, new Counting(to, new AtomicInteger()), TIMEOUT);
    }

    @Test
    void question_ofFewLooks_isAnsweredInOnePiece() throws Exception {
        assertThat(ask(IncrementalQueryRunner.BUDGET)).isEqualTo(IncrementalQueryRunner.BUDGET);
        assertThat(pieces).containsExactly(IncrementalQueryRunner.BUDGET);
    }

    @Test
    void question_ofManyLooks_takesPiecesThatEndByTheClock() throws Exception {
        int looks = 100 * IncrementalQueryRunner.BUDGET;
        assertThat(ask(looks)).isEqualTo(looks);
        assertThat(pieces.get(0)).as("the first millisecond").isEqualTo(IncrementalQueryRunner.BUDGET);
        assertThat(pieces.subList(1, pieces.size() - 1)).as("5 ms each").containsOnly(5 * IncrementalQueryRunner.BUDGET);
        assertThat(pieces.stream().mapToInt(Integer::intValue).sum()).isEqualTo(looks);
    }

    @Test
    void question_thatNeverEnds_isGivenUp() {
        assertThatThrownBy(() -> ask(Integer.MAX_VALUE))
                .isInstanceOfSatisfying(
                        BusyException.class, e -> assertThat(e.kind()).isEqualTo(BusyException.Kind.QUERY_TOO_LARGE));
        assertThat(pieces).hasSize(IncrementalQueryRunner.STEPS_MAX);
    }

    @Test
    void question_thatThrows_tellsWhy() {
        IncrementalQuery<Integer> broken = new IncrementalQuery<>() {
            @Override
            public boolean step(TransactionContext context, StepBudget looks) {
                throw new IllegalArgumentException("the test wants it");
            }

            @Override
            public Integer answer() {
                return 0;
            }
        };
        assertThatThrownBy(() -> questions.run(CAUSE, broken, TIMEOUT))
                .isInstanceOf(ExecutionException.class)
                .hasRootCauseMessage("the test wants it");
    }

    @Test
    void questions_atTheSameTime_areAllAnswered() throws Exception {
        AtomicInteger looking = new AtomicInteger();
        ExecutorService threads = Executors.newFixedThreadPool(8);
        List<Future<Integer>> answers = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            answers.add(threads.submit(
                    () -> questions.run(CAUSE, new Counting(50 * IncrementalQueryRunner.BUDGET, looking), TIMEOUT)));
        }
        for (Future<Integer> answer : answers) {
            assertThat(answer.get()).isEqualTo(50 * IncrementalQueryRunner.BUDGET);
        }
        threads.shutdown();
    }
}
