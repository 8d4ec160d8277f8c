package dev.sluice.cli.run;

/**
 * How a load class stands in a run. What it runs beyond its entitlement is on loan.
 *
 * @param partition the partition it is in
 * @param path the path of its queue
 * @param percent its class load %, scaled so that all classes of its parent add up to 100
 * @param entitlement how many workers it is entitled to
 * @param running how many of its tasks hold a place
 * @param started how many runs of tasks began
 * @param peakRunning the most tasks that held a place at once
 * @param peakLoaned the most workers that it had on loan at once
 * @param preempted how many of its tasks were to stop, so that other classes get what they are entitled to
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

    /** How many workers it has on loan. */
    int loaned() {
        return Math.max(0, running - entitlement);
    }
}
