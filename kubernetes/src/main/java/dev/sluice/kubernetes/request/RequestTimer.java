package dev.sluice.kubernetes.request;

/** The time, and what is to be executed later; in tests a simulated one. */
public interface RequestTimer {

    /** Returns the time in nanoseconds; only differences have a meaning. */
    long nanos();

    /** Executes a step after a delay, on a thread of the timer. */
    void schedule(Runnable step, long delayNanos);
}
