package dev.sluice.config.queues;

import java.util.List;

/** The names of the properties that a queue may have. */
final class QueuePropertyNames {

    static final String SHARE_POLICY = "queue.share.policy";
    static final String LOAD_PERCENT = "load.percent";
    static final String REBALANCE_THRESHOLD = "load.rebalance.threshold";
    static final String REBALANCE_DURATION = "load.rebalance.minimumduration";
    static final String USAGE_HALFTIME = "usage.priority.halftime";
    static final String USAGE_PROBABILISTIC = "usage.probabilistic.all";
    static final String USAGE_DRAWS = "usage.draws.max";
    static final String USAGE_FACTOR = "usage.priority.factor";
    static final String SORT_POLICY = "application.sort.policy";
    static final String SORT_PRIORITY = "application.sort.priority";
    static final String PRIORITY_OFFSET = "priority.offset";
    static final String PRIORITY_POLICY = "priority.policy";
    static final String TASK_TIMEOUT = "task.timeout";
    static final String ADMISSION_USERS = "admission.maxusers";
    static final String ADMISSION_PER_USER = "admission.maxapplicationsperuser";

    // what YuniKorn knows beyond these; read, checked and warned about: they have no effect here
    static final String PREEMPTION_POLICY = "preemption.policy";
    static final String PREEMPTION_DELAY = "preemption.delay";
    static final String QUOTA_PREEMPTION_DELAY = "quota.preemption.delay";
    static final String BACKOFF = "application.unschedasks.backoff";
    static final String BACKOFF_DELAY = "application.unschedasks.backoff.delay";

    /** Those that only the root queue may have. */
    static final List<String> OF_ROOT = List.of(ADMISSION_USERS, ADMISSION_PER_USER);

    static final List<String> ALL = List.of(
            SHARE_POLICY,
            LOAD_PERCENT,
            REBALANCE_THRESHOLD,
            REBALANCE_DURATION,
            USAGE_HALFTIME,
            USAGE_PROBABILISTIC,
            USAGE_DRAWS,
            USAGE_FACTOR,
            SORT_POLICY,
            SORT_PRIORITY,
            PRIORITY_OFFSET,
            PRIORITY_POLICY,
            TASK_TIMEOUT,
            ADMISSION_USERS,
            ADMISSION_PER_USER,
            PREEMPTION_POLICY,
            PREEMPTION_DELAY,
            QUOTA_PREEMPTION_DELAY,
            BACKOFF,
            BACKOFF_DELAY);

    private QueuePropertyNames() {}
}
