package dev.sluice.server.routes;

import dev.sluice.server.yunikorn.YuniKornViews;

/** Counts the tasks that one response may still list. */
final class YuniKornTaskAllowance {

    /** Maximum number of tasks in one response. */
    static final int TASKS_MAX = 100_000;

    private int left = TASKS_MAX;

    int next() {
        return Math.min(left, YuniKornViews.LISTED_MAX);
    }

    void used(int tasks) {
        left -= tasks;
    }
}
