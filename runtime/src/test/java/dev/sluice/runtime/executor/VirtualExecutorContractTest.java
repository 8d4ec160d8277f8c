package dev.sluice.runtime.executor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.core.application.RunRef;
import dev.sluice.core.application.TaskRef;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** The virtual executor keeps the contract. */
final class VirtualExecutorContractTest extends ExecutorContract {

    private static final long LONG_MILLIS = 1_000_000;

    private final Map<TaskRef, List<String>> witnessed = new HashMap<>();
    private final Set<RunRef> alive = new HashSet<>();
    private UnaryOperator<Executor> executors = UnaryOperator.identity();
    private UnaryOperator<ExecutorListener> listeners = UnaryOperator.identity();
    private @Nullable VirtualExecutor virtual;
    private long nowMillis;

    @Override
    protected Executor create(ExecutorListener listener) {
        virtual = new VirtualExecutor(listeners.apply(listener), this::duration, nowMillis);
        return executors.apply(virtual);
    }

    /** Replaces executors and listeners by broken ones. */
    void breakWith(UnaryOperator<Executor> otherExecutors, UnaryOperator<ExecutorListener> otherListeners) {
        executors = otherExecutors;
        listeners = otherListeners;
    }

    private long duration(RunStart start) {
        alive.add(start.run());
        list(start.run().task()).add("start " + start.run().attempt());
        return LONG_MILLIS;
    }

    private List<String> list(TaskRef task) {
        return witnessed.computeIfAbsent(task, each -> new ArrayList<>());
    }

    @Override
    protected boolean isDetached() {
        return false;
    }

    @Override
    protected RunStart lasting(RunRef run, long allocation) {
        return new RunStart(run, "node", allocation, null);
    }

    @Override
    protected void finish(RunRef run) {
        nowMillis += LONG_MILLIS;
        Objects.requireNonNull(virtual).advance(nowMillis);
        settle();
    }

    @Override
    protected void finishResumed(RunRef run) {
        finish(run);
    }

    @Override
    protected boolean isHalted(RunRef run) {
        settle();
        return true;
    }

    /** A run is seen to end when it is not alive any more, since nothing is executed. */
    @Override
    protected List<String> witnessed(TaskRef task) {
        alive.removeIf(run -> {
            boolean ended = virtual == null || !virtual.isAlive(run);
            if (ended) {
                list(run.task()).add(list(run.task()).indexOf("start " + run.attempt()) + 1, "end " + run.attempt());
            }
            return ended;
        });
        return list(task);
    }

    @Override
    protected void await(BooleanSupplier condition) {
        settle();
        assertThat(condition.getAsBoolean()).isTrue();
    }

    @Override
    protected void settle() {
        if (virtual != null) {
            while (virtual.deliverNext() || virtual.endNext()) {
                // Delivers all reports that are due.
            }
        }
    }
}
