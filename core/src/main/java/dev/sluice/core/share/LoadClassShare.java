package dev.sluice.core.share;

/**
 * What the load policy computed for a class at the start of the last cycle.
 *
 * @param percent its class load %, scaled so that all classes add up to 100
 * @param entitlement the number of workers it is entitled to
 * @param loaned the number of workers it had beyond its entitlement
 * @param start the planned number of tasks to start
 * @param running the number of its allocated tasks
 * @param waiting the number of its pending tasks that could start on an idle worker
 * @param stop the number of its tasks that were preempted for other classes' entitlements
 */
public record LoadClassShare(int percent, int entitlement, int loaned, int start, int running, int waiting, int stop)
        implements ShareFigures {}
