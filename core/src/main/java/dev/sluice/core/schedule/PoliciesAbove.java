package dev.sluice.core.schedule;

import dev.sluice.core.share.SharePolicy;

/**
 * What the share policies of all queues above a queue require of its schedule.
 *
 * @param countStartableTasks whether one of them {@linkplain SharePolicy#countsStartableTasks counts startable tasks}
 * @param haveBudgetsBelowDemand whether one of them {@linkplain SharePolicy#hasBudgetsBelowDemand has such budgets}
 * @param ignoreSkipOrder whether all of them {@linkplain SharePolicy#ignoresSkipOrder ignore the order of skipped tasks}
 */
record PoliciesAbove(boolean countStartableTasks, boolean haveBudgetsBelowDemand, boolean ignoreSkipOrder) {

    /** There is no queue above root. */
    static final PoliciesAbove ROOT = new PoliciesAbove(false, false, true);

    /** Returns what is required of the children of a parent with this policy. */
    PoliciesAbove and(SharePolicy policy) {
        return new PoliciesAbove(
                countStartableTasks || policy.countsStartableTasks(),
                haveBudgetsBelowDemand || policy.hasBudgetsBelowDemand(),
                ignoreSkipOrder && policy.ignoresSkipOrder());
    }
}
