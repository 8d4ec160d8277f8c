package dev.sluice.benchmarks.rounds;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;

/** How many nanoseconds of a processor have been used so far. Only differences mean something. */
public final class CpuTime {

    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

    private CpuTime() {}

    /** By this thread. */
    public static long ofThisThread() {
        return THREADS.getCurrentThreadCpuTime();
    }

    /**
     * By all threads that run Java, for work that is handed to threads of its own. The JVM's threads that collect garbage and
     * compile do not count, as they do not for one thread; nor do threads that have ended.
     */
    public static long ofAllThreads() {
        long sum = 0;
        for (long thread : THREADS.getAllThreadIds()) {
            sum += Math.max(0, THREADS.getThreadCpuTime(thread)); // -1 if it has just ended
        }
        return sum;
    }
}
