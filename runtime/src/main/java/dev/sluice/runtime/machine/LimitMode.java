package dev.sluice.runtime.machine;

/** How the limits of tasks are enforced. */
public enum LimitMode {
    /** With cgroup v2 if it may be used, else by watching. */
    AUTO,
    /** With cgroup v2, or not at all. */
    CGROUP,
    /** By watching the processes of every task. */
    WATCH,
    /** Not at all. */
    NONE
}
