package dev.sluice.runtime.local;

import dev.sluice.runtime.detached.RunnerPaths;
import dev.sluice.runtime.executor.Executor;
import dev.sluice.runtime.executor.ExecutorListener;

/** Detached processes keep the contract of executors. */
final class ProcessExecutorTest extends ProcessExecutorContract {

    @Override
    protected Executor create(ExecutorListener listener) {
        RunnerPaths paths = new RunnerPaths(
                folder.resolve("runs"), folder.resolve("work"), folder.resolve("logs"), folder.getFileName() + "-mark");
        LogFolder logs = new LogFolder(folder.resolve("logs"), true);
        return create(ProcessSettings.detached(paths, logs, Long.MAX_VALUE, GRACE), listener);
    }

    @Override
    protected boolean isDetached() {
        return true;
    }
}
