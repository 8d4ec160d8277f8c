package dev.sluice.runtime.local;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import dev.sluice.core.application.RunRef;
import dev.sluice.core.application.TaskCommand;
import dev.sluice.core.application.TaskRef;
import dev.sluice.runtime.executor.Executor;
import dev.sluice.runtime.executor.ExecutorContract;
import dev.sluice.runtime.executor.ExecutorListener;
import dev.sluice.runtime.executor.RunStart;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.io.TempDir;

/** Runs of a controllable shell script, for every kind of local processes. */
abstract class ProcessExecutorContract extends ExecutorContract {

    static final Duration GRACE = Duration.ofSeconds(60);

    @TempDir
    Path folder;

    final Executor create(ProcessSettings settings, ExecutorListener listener) {
        return new ProcessExecutor(settings, listener, (left, reason) -> {
            throw new AssertionError("not removed: " + left + ": " + reason);
        });
    }

    /** The command takes its time to end when it is stopped, so that a run that starts too early is noticed. */
    @Override
    protected RunStart lasting(RunRef run, long allocation) {
        String script = String.format(
                "trap 'sleep 0.2; echo end %1$d >>%2$s; exit 1' TERM; echo start %1$d >>%2$s;"
                        + " while [ ! -e %3$s ]; do sleep 0.01; done; rm %3$s; echo end %1$d >>%2$s",
                run.attempt(), witness(run.task()), go(run));
        TaskCommand command = new TaskCommand(List.of(script), true, Collections.emptySortedMap(), folder.toString());
        return new RunStart(run, "local", allocation, command);
    }

    private Path witness(TaskRef task) {
        return folder.resolve("witness-" + task.id());
    }

    private Path go(RunRef run) {
        return folder.resolve("go-" + run.task().id() + "-" + run.attempt());
    }

    @Override
    protected void finish(RunRef run) {
        try {
            Files.createFile(go(run));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    protected void finishResumed(RunRef run) {
        // It sees the file of finish.
    }

    @Override
    protected List<String> witnessed(TaskRef task) {
        try {
            return Files.exists(witness(task)) ? Files.readAllLines(witness(task)) : List.of();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    protected boolean isHalted(RunRef run) {
        String mark = "\0SLUICE_ATTEMPT=" + run.attempt() + "\0";
        List<String> states = ProcessHandle.allProcesses()
                .map(process -> state(Path.of("/proc", Long.toString(process.pid())), mark))
                .filter(state -> !state.isEmpty())
                .toList();
        // A shell waits uninterruptibly (D) for a child that was halted before it executed its program.
        return states.contains("T") && List.of("T", "D").containsAll(states);
    }

    /** Returns the state of a process of this test with this text in its environment; otherwise an empty text. */
    private String state(Path process, String mark) {
        try {
            if (!process.resolve("cwd").toRealPath().equals(folder.toRealPath())
                    || !("\0" + Files.readString(process.resolve("environ"), ISO_8859_1)).contains(mark)) {
                return "";
            }
            String stat = Files.readString(process.resolve("stat"), ISO_8859_1);
            return stat.substring(stat.lastIndexOf(')') + 2, stat.lastIndexOf(')') + 3);
        } catch (IOException ended) {
            return "";
        }
    }

    @Override
    protected void await(BooleanSupplier condition) {
        Awaitility.await()
                .atMost(Duration.ofSeconds(30))
                .pollInterval(Duration.ofMillis(2))
                .until(condition::getAsBoolean);
    }

    @Override
    protected void settle() {
        // Longer than the poll interval of the runner.
        Awaitility.await().pollDelay(Duration.ofMillis(250)).until(() -> true);
    }
}
