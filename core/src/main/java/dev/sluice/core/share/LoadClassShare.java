package dev.sluice.core.share;

/**
 * What the load policy worked out for a class when the last cycle began.
 *
 * @param percent its class load %, scaled so that all classes add up to 100
 * @param entitlement how many workers it is entitled to
 * @param loaned how many it had beyond that
 * @param start how many tasks it was to start
 * @param running how many of its tasks held a place
 * @param waiting how many of its pending tasks could start if a worker was idle
 * @param stop how many of its tasks were preempted, so that others get what they are entitled to
 */
public record LoadClassShare(int percent, int entitlement, int loaned, int start, int running, int waiting, int stop) {}
