package dev.sluice.cli.run;

/**
 * Progress of a load class. Tasks beyond the entitlement run on borrowed workers.
 *
 * @param partition its partition
 * @param path path of its queue
 * @param percent load percentage, scaled so that the classes of a parent add up to 100
 * @param entitlement number of workers it is entitled to
 * @param running number of allocated tasks
 * @param started number of started runs
 * @param peakRunning maximum number of allocated tasks
 * @param peakLoaned maximum number of borrowed workers
 * @param preempted number of tasks preempted for entitled classes
 */
public record LoadClassProgress(
        String partition,
        String path,
        int percent,
        int entitlement,
        int running,
        long started,
        int peakRunning,
        int peakLoaned,
        long preempted) {

    /** Returns the number of borrowed workers. */
    int loaned() {
        return Math.max(0, running - entitlement);
    }
}
