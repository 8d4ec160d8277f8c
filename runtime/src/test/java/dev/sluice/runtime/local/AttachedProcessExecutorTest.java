package dev.sluice.runtime.local;

import dev.sluice.runtime.executor.Executor;
import dev.sluice.runtime.executor.ExecutorListener;
import org.junit.jupiter.api.Tag;

/** Attached processes keep the contract of executors. */
@Tag("slow")
final class AttachedProcessExecutorTest extends ProcessExecutorContract {

    @Override
    protected Executor create(ExecutorListener listener) {
        return create(
                ProcessSettings.attached(
                        new LogFolder(folder.resolve("logs"), false), Long.MAX_VALUE, GRACE, ProcessSettings.newMark()),
                listener);
    }

    @Override
    protected boolean isDetached() {
        return false;
    }
}
