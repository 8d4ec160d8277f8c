package dev.sluice.runtime.detached;

import dev.sluice.runtime.executor.RunExit;
import dev.sluice.runtime.machine.Cgroups;
import dev.sluice.runtime.machine.Enforcement;
import dev.sluice.runtime.machine.ProcessUsage;
import dev.sluice.runtime.machine.RunRequest;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/** Enforces the limits of runs, finds out which runs ended because of them, and measures what runs use. */
final class RunLimits {

    /** Enters a group, then executes the command. */
    private static final String ENTER = "echo $$ >\"$1\" || exit 126; shift; exec \"$@\"";

    private final @Nullable Cgroups groups;
    private final @Nullable ProcessUsage usage;
    private final boolean limiting;
    private final boolean attached;
    private final RunMeter meter;

    /**
     * Creates the limits of a runner.
     *
     * @param attached whether there are no records
     * @throws IllegalStateException if its control group cannot be created
     */
    RunLimits(Enforcement enforcement, String mark, boolean attached) {
        this.attached = attached;
        this.usage = enforcement.usage();
        this.limiting = enforcement.limiting();
        try {
            Cgroups all = enforcement.cgroups();
            this.groups = all == null ? null : all.ofRunner(mark);
        } catch (IOException e) {
            throw new IllegalStateException("cannot use cgroup v2: " + e.getMessage(), e);
        }
        this.meter = new RunMeter(groups, attached);
    }

    /** Returns the words that precede the command of a run so that its limits hold; creates its group. */
    List<String> prefix(RunFolder folder, RunRequest request) throws IOException {
        return groups == null
                ? List.of()
                : List.of(
                        "/bin/sh",
                        "-c",
                        ENTER,
                        "sluice-task",
                        groups.create(folder.name(), request).toString());
    }

    /** Returns how a run ended, with the limit that it exceeded if it did not succeed. */
    RunExit explained(DetachedRun run, RunExit exit) {
        if (exit.isSuccess() || !exit.started()) {
            return exit;
        }
        if (run.exceeded == null && groups != null) {
            String reason = groups.exceeded(run.folder.name(), run.request);
            if (reason != null) {
                record(run, reason);
            }
        }
        return run.exceeded == null ? exit : new RunExit(exit.code(), true, run.exceeded);
    }

    /** Records which limit a run has exceeded. */
    void record(DetachedRun run, String reason) {
        run.exceeded = reason;
        if (!attached) {
            run.folder.writeExceeded(reason);
        }
    }

    /** Returns what measures runs. */
    RunMeter meter() {
        return meter;
    }

    /** Returns whether {@link #check} has an effect. */
    boolean areWatched() {
        return usage != null || groups != null;
    }

    /**
     * Measures these running runs, and calls {@code onExceeded} with each that exceeds a limit that is watched, and the
     * reason.
     */
    void check(List<DetachedRun> running, BiConsumer<DetachedRun, String> onExceeded) {
        Map<Long, DetachedRun> runs = new LinkedHashMap<>();
        for (DetachedRun run : running) {
            if (run.leader != null) {
                runs.put(run.leader.pid(), run);
            }
        }
        Map<Long, ProcessUsage.Session> used = usage == null || runs.isEmpty() ? Map.of() : usage.of(runs.keySet());
        meter.sample(running, used);
        if (!limiting) {
            return;
        }
        runs.forEach((session, run) -> {
            ProcessUsage.Session own = used.get(session);
            String reason =
                    own == null ? null : run.request.exceededBy(own.memory(run.request.memory()), own.processes());
            if (reason != null) {
                onExceeded.accept(run, reason);
            }
        });
    }

    /** Called when nothing of a run is alive. */
    void gone(DetachedRun run) {
        if (groups != null) {
            groups.remove(run.folder.name());
        }
    }

    /** Called when all expected runs were recovered. */
    void recovered() {
        if (groups != null) {
            groups.removeEmpty();
        }
    }

    /**
     * Called when the runner is closed. Groups of detached runs stay, because processes that have just been started
     * enter them later; the next runner removes those that are empty.
     */
    void close() {
        if (groups != null && attached) {
            groups.removeAll();
        }
    }
}
