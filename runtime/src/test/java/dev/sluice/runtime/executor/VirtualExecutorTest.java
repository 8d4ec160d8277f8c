package dev.sluice.runtime.executor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.core.application.RunRef;
import dev.sluice.core.application.TaskRef;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Order and speed of virtual runs. */
final class VirtualExecutorTest {

    private final List<String> reports = new ArrayList<>();
    private final VirtualExecutor executor =
            new VirtualExecutor(new Recorder(), start -> start.run().task().index() % 3, 0);

    private final class Recorder implements ExecutorListener {
        @Override
        public void started(RunRef run) {
            reports.add("+" + run.task().index());
        }

        @Override
        public void ended(RunRef run, RunExit exit) {
            reports.add((exit.isSuccess() ? "-" : "x") + run.task().index());
        }

        @Override
        public void lost(RunRef run, String reason) {
            reports.add("?" + run.task().index());
        }

        @Override
        public void notStarted(RunRef run, String reason) {
            throw new AssertionError(reason);
        }
    }

    private static RunRef run(int index) {
        return new RunRef(new TaskRef("p", "a", "t", index), 1);
    }

    private void start(int index, long allocation) {
        executor.start(new RunStart(run(index), "n", allocation, null));
    }

    @Test
    void ends_atOneInstant_areOrderedByAllocation() {
        executor.recover(List.of(), List.of());
        start(5, 1); // ends at 2
        start(1, 3); // ends at 1
        start(4, 2); // ends at 1
        start(7, 4); // ends at 1, but is stopped
        executor.stop(run(7));
        assertThat(executor.nextEndMillis()).isEqualTo(1);
        assertThatThrownBy(() -> {
                    executor.advance(1);
                    executor.endNext();
                })
                .isInstanceOf(IllegalStateException.class);
        while (executor.deliverNext()) {
            assertThat(executor.unfinishedCount()).isPositive();
        }
        assertThat(reports).containsExactly("+5", "+1", "+4", "+7", "x7");
        reports.clear();
        while (executor.endNext()) {
            assertThat(executor.unfinishedCount()).isPositive();
        }
        assertThat(reports).containsExactly("-4", "-1");
        assertThat(executor.nextEndMillis()).isEqualTo(2);
        executor.advance(5);
        assertThat(executor.endNext()).isTrue();
        assertThat(executor.endNext()).isFalse();
        assertThat(executor.nextEndMillis()).isEqualTo(Long.MAX_VALUE);
        assertThatThrownBy(() -> executor.advance(4)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void manyRuns_endedAndForgotten_leaveNothing() {
        executor.recover(List.of(), List.of());
        int count = 100_000;
        int ended = 0;
        for (int i = 0; i < count; i++) {
            start(i, i);
            boolean unused = executor.deliverNext();
            executor.advance(3L * (i + 1));
            ended += executor.endNext() ? 1 : 0;
            executor.forget(run(i));
        }
        assertThat(ended).isEqualTo(count);
        assertThat(executor.endNext()).isFalse();
        assertThat(executor.unfinishedCount()).isZero();
        assertThat(reports).hasSize(2 * count);
    }
}
