package dev.sluice.runtime.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.core.engine.Scheduler;
import dev.sluice.core.explain.StepBudget;
import dev.sluice.runtime.journal.Cause;
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

    private static final Cause CAUSE = new Cause("query", "tester");
    private static final Duration TIMEOUT = Duration.ofSeconds(30);

    private final AtomicLong nanos = new AtomicLong();
    private final List<Integer> steps = new CopyOnWriteArrayList<>();
    private final EngineHost host =
            new EngineHost(HostParts.inMemory(new Scheduler(), InstantSource.fixed(Instant.EPOCH)));

    /** Every reading of the clock advances it by a millisecond. */
    private final IncrementalQueryRunner runner =
            new IncrementalQueryRunner(host, () -> nanos.addAndGet(1_000_000), steps::add);

    /** Counts to a number, one unit of the budget per step. */
    private static final class Counting implements IncrementalQuery<Integer> {

        private final int to;
        private final AtomicInteger active;
        private int counted;

        Counting(int to, AtomicInteger active) {
            this.to = to;
            this.active = active;
        }

        @Override
        public boolean step(TransactionContext context, StepBudget budget) {
            assertThat(active.incrementAndGet()).isEqualTo(1);
            while (counted < to && budget.take()) {
                counted++;
            }
            active.decrementAndGet();
            return counted == to;
        }

        @Override
        public Integer answer() {
            return counted;
        }
    }

    @BeforeEach
    void start() {
        host.start();
    }

    @AfterEach
    void end() {
        host.close();
    }

    private int count(int to) throws Exception {
        return runner.run(CAUSE, new Counting(to, new AtomicInteger()), TIMEOUT);
    }

    @Test
    void query_withinBudget_takesOneStep() throws Exception {
        assertThat(count(IncrementalQueryRunner.BUDGET)).isEqualTo(IncrementalQueryRunner.BUDGET);
        assertThat(steps).containsExactly(IncrementalQueryRunner.BUDGET);
    }

    @Test
    void query_beyondBudget_takesStepsLimitedByClock() throws Exception {
        int to = 100 * IncrementalQueryRunner.BUDGET;
        assertThat(count(to)).isEqualTo(to);
        assertThat(steps.get(0)).as("the first millisecond").isEqualTo(IncrementalQueryRunner.BUDGET);
        assertThat(steps.subList(1, steps.size() - 1)).as("5 ms each").containsOnly(5 * IncrementalQueryRunner.BUDGET);
        assertThat(steps.stream().mapToInt(Integer::intValue).sum()).isEqualTo(to);
    }

    @Test
    void query_endless_isAbandoned() {
        assertThatThrownBy(() -> count(Integer.MAX_VALUE))
                .isInstanceOfSatisfying(
                        BusyException.class, e -> assertThat(e.kind()).isEqualTo(BusyException.Kind.QUERY_TOO_LARGE));
        assertThat(steps).hasSize(IncrementalQueryRunner.STEPS_MAX);
    }

    @Test
    void query_throwing_failsWithItsException() {
        IncrementalQuery<Integer> broken = new IncrementalQuery<>() {
            @Override
            public boolean step(TransactionContext context, StepBudget budget) {
                throw new IllegalArgumentException("injected failure");
            }

            @Override
            public Integer answer() {
                return 0;
            }
        };
        assertThatThrownBy(() -> runner.run(CAUSE, broken, TIMEOUT))
                .isInstanceOf(ExecutionException.class)
                .hasRootCauseMessage("injected failure");
    }

    @Test
    void queries_concurrent_allComplete() throws Exception {
        AtomicInteger active = new AtomicInteger();
        ExecutorService threads = Executors.newFixedThreadPool(8);
        List<Future<Integer>> answers = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            answers.add(threads.submit(
                    () -> runner.run(CAUSE, new Counting(50 * IncrementalQueryRunner.BUDGET, active), TIMEOUT)));
        }
        for (Future<Integer> answer : answers) {
            assertThat(answer.get()).isEqualTo(50 * IncrementalQueryRunner.BUDGET);
        }
        threads.shutdown();
    }
}
