package dev.sluice.runtime.machine;

import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * How the limits of tasks are enforced on this machine. A task is limited to the memory that it requests, and any task
 * to {@link #PROCESSES_MAX}; with cgroup v2 also to the cores that it requests. Tasks that request no memory have no
 * limit of memory.
 *
 * @param cgroups the parent of the control groups, or null
 * @param usage the usage to watch, or null
 * @param limiting whether a run whose watched usage exceeds its limits is killed; otherwise it is only measured
 * @param description what is enforced, and how
 */
public record Enforcement(
        @Nullable Cgroups cgroups, @Nullable ProcessUsage usage, boolean limiting, String description) {

    /** The maximum number of processes and threads of one task; more are taken for a fork bomb. */
    public static final int PROCESSES_MAX = 8192;

    private static final String UNLIMITED = "none: tasks may exceed their requests";

    /** No limits, and nothing is measured. */
    public static final Enforcement NONE = new Enforcement(null, null, false, UNLIMITED);

    /**
     * Returns the enforcement of this machine.
     *
     * @throws IllegalStateException if this machine does not support the mode
     */
    public static Enforcement of(LimitMode mode) {
        return of(mode, Path.of("/sys/fs/cgroup"), Path.of("/proc"));
    }

    /**
     * Same as {@link #of(LimitMode)} for another machine.
     *
     * @param cgroupRoot where cgroup v2 is mounted
     * @param proc its {@code /proc}
     */
    public static Enforcement of(LimitMode mode, Path cgroupRoot, Path proc) {
        String noCgroups = "";
        if (mode == LimitMode.AUTO || mode == LimitMode.CGROUP) {
            try {
                Cgroups cgroups = Cgroups.open(cgroupRoot, proc);
                return new Enforcement(
                        cgroups,
                        null,
                        false,
                        "memory, " + (cgroups.hasCpu() ? "cores, " : "")
                                + "and number of processes of a task (cgroup v2)");
            } catch (IOException e) {
                noCgroups = String.valueOf(e.getMessage());
            }
            if (mode == LimitMode.CGROUP) {
                throw new IllegalStateException("cannot use cgroup v2: " + noCgroups);
            }
        }
        ProcessUsage usage = ProcessUsage.of(proc);
        if (mode == LimitMode.NONE) {
            return new Enforcement(null, usage, false, UNLIMITED);
        }
        if (usage == null) {
            if (mode == LimitMode.WATCH) {
                throw new IllegalStateException("cannot watch tasks: there is no /proc");
            }
            return new Enforcement(null, null, false, UNLIMITED + " (" + noCgroups + "; there is no /proc)");
        }
        return new Enforcement(
                null,
                usage,
                true,
                "memory and number of processes of a task, checked every few seconds"
                        + (noCgroups.isEmpty() ? "" : " (cgroup v2 is not used: " + noCgroups + ")"));
    }
}
