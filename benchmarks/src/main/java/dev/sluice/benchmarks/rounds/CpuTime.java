package dev.sluice.benchmarks.rounds;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;

/** Processor time used so far, in nanoseconds. Only differences are meaningful. */
public final class CpuTime {

    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

    private CpuTime() {}

    /** Returns the processor time of this thread. */
    public static long ofThisThread() {
        return THREADS.getCurrentThreadCpuTime();
    }

    /**
     * Returns the processor time of all Java threads, for work in several threads. Excludes the JVM's garbage collector
     * and compiler threads, and threads that have ended.
     */
    public static long ofAllThreads() {
        long sum = 0;
        for (long thread : THREADS.getAllThreadIds()) {
            sum += Math.max(0, THREADS.getThreadCpuTime(thread)); // -1 if the thread has just ended
        }
        return sum;
    }
}
