package dev.sluice.runtime.detached;

import dev.sluice.runtime.executor.MeasuredUse;
import dev.sluice.runtime.machine.Cgroups;
import dev.sluice.runtime.machine.ProcessUsage;
import java.util.Collection;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Measures what runs use: with control groups exactly, otherwise from samples of their processes and the processor time
 * that the shell of a run records at its end.
 */
final class RunMeter {

    private final @Nullable Cgroups groups;
    private final boolean attached;

    /**
     * Creates a meter.
     *
     * @param groups the control groups of the runs, or null
     * @param attached whether there are no records
     */
    RunMeter(@Nullable Cgroups groups, boolean attached) {
        this.groups = groups;
        this.attached = attached;
    }

    /**
     * Takes a sample of running runs.
     *
     * @param used what their processes use, by session; empty with control groups
     */
    void sample(Collection<DetachedRun> running, Map<Long, ProcessUsage.Session> used) {
        for (DetachedRun run : running) {
            if (groups != null) {
                run.measured = run.measured.with(groups.measured(run.folder.name()));
            } else if (run.leader != null) {
                ProcessUsage.Session own = used.get(run.leader.pid());
                run.measured = own == null ? run.measured : run.measured.with(own.measured());
            }
        }
    }

    /** Takes the final measurement of a run that has ended. */
    void ended(DetachedRun run) {
        MeasuredUse last = groups == null ? MeasuredUse.NONE : groups.measured(run.folder.name());
        if (last.cpuTime() == null && !attached) {
            last = new MeasuredUse(run.folder.cpuTime(), null, last.memoryPeak());
        }
        MeasuredUse all = run.measured.with(last);
        run.measured = new MeasuredUse(all.cpuTime(), null, all.memoryPeak());
    }
}
