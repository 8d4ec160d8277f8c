package dev.sluice.config.queues;

import static dev.sluice.config.field.KeyType.DURATION;
import static dev.sluice.config.field.KeyType.whole;

import dev.sluice.config.field.Key;
import dev.sluice.config.field.KeyType;
import dev.sluice.config.field.Keys;
import dev.sluice.config.field.ReferencePage;
import dev.sluice.core.configuration.ApplicationSortPolicy;
import dev.sluice.core.configuration.SharePolicyKind;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;

/** The properties that a queue may have, with their documentation. */
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

    static final String PREEMPTION_POLICY = "preemption.policy";
    static final String PREEMPTION_DELAY = "preemption.delay";
    static final String PREEMPTION_PRIORITY = "preemption.priority";
    static final String PREEMPTION_MINIMUM_RUNTIME = "preemption.minimumruntime";

    static final String RESERVATION_DELAY = "reservation.delay";
    static final String RESERVATIONS_MAX = "reservations.max";
    static final String RESERVATIONS_DELAYS_MAX = "reservations.delays.max";

    // further properties of YuniKorn: read and checked, but without effect, which is warned about
    static final String QUOTA_PREEMPTION_DELAY = "quota.preemption.delay";
    static final String BACKOFF = "application.unschedasks.backoff";
    static final String BACKOFF_DELAY = "application.unschedasks.backoff.delay";

    /** The properties that only the root queue may have. */
    static final List<String> OF_ROOT =
            List.of(ADMISSION_USERS, ADMISSION_PER_USER, RESERVATIONS_MAX, RESERVATIONS_DELAYS_MAX);

    /** All properties, in the order in which they are documented. */
    static final Keys KEYS = Keys.of(
            "queue properties",
            ReferencePage.QUEUES,
            property(
                            SHARE_POLICY,
                            words(SharePolicyKind.values(), SharePolicyKind::wireName),
                            "How free capacity is divided among the child queues: `fair` (dominant resource fairness),"
                                    + " `load` (fixed percentages) or `usage` (decayed past usage).")
                    .or("fair")
                    .eg("load"),
            property(
                            LOAD_PERCENT,
                            whole(0, 1_000_000),
                            "The percentage of the workers that the queue is entitled to. Percentages that do not add up"
                                    + " to 100 are scaled.")
                    .or("0")
                    .eg("60"),
            property(
                            REBALANCE_THRESHOLD,
                            whole(0, 1_000_000),
                            "The spread, in percentage points, above which loans are reclaimed by preemption; 0 means"
                                    + " never.")
                    .or("0")
                    .eg("50"),
            property(
                            REBALANCE_DURATION,
                            DURATION,
                            "How long the spread must stay above the threshold before loans are reclaimed; more than 0.")
                    .or("4m")
                    .eg("10m"),
            property(USAGE_HALFTIME, DURATION, "The half-life of usage: usage of this age counts half; more than 0.")
                    .or("20m")
                    .eg("12h"),
            property(
                            USAGE_PROBABILISTIC,
                            new KeyType.Words(List.of("true", "false"), false),
                            "Whether all free capacity is given out by random draws instead of in slices.")
                    .or("false")
                    .eg("true"),
            property(
                            USAGE_DRAWS,
                            whole(1, Long.MAX_VALUE),
                            "Maximum number of tasks that one scheduling cycle starts by random draws.")
                    .or("1000000")
                    .eg("5000"),
            property(
                            USAGE_FACTOR,
                            KeyType.NUMBER,
                            "Multiplies the usage priority of the queue; more than 0. A lower factor gets more.")
                    .or("1")
                    .eg("2.5"),
            property(
                            SORT_POLICY,
                            words(ApplicationSortPolicy.values(), ApplicationSortPolicy::wireName),
                            "The order of applications in a leaf queue.")
                    .or("the parent's; at the top `fewestrunning` for a child of a `load` queue, else `fifo`")
                    .eg("fair"),
            property(
                            SORT_PRIORITY,
                            KeyType.wordsIgnoringCase(List.of("enabled", "disabled")),
                            "Whether priorities count in the order of applications and queues.")
                    .or("the parent's; `enabled` at the top")
                    .eg("disabled"),
            property(
                            PRIORITY_OFFSET,
                            whole(Integer.MIN_VALUE, Integer.MAX_VALUE),
                            "Added to the priority of the queue where a parent compares it with others.")
                    .or("0")
                    .eg("10"),
            property(
                            PRIORITY_POLICY,
                            KeyType.wordsIgnoringCase(List.of("default", "fence")),
                            "`fence` hides the priorities inside: the priority of the queue is its offset alone.")
                    .or("default")
                    .eg("fence"),
            property(TASK_TIMEOUT, DURATION, "Maximum run time of tasks without a `timeout` of their own; more than 0.")
                    .or("the parent's; no limit at the top")
                    .eg("12h"),
            property(
                            ADMISSION_USERS,
                            whole(0, Long.MAX_VALUE),
                            "Maximum number of users with applications that have not ended; 0 means no limit. Submissions"
                                    + " beyond it are rejected.")
                    .or("0")
                    .eg("500"),
            property(
                            ADMISSION_PER_USER,
                            whole(0, Long.MAX_VALUE),
                            "Maximum number of applications of one user that have not ended; 0 means no limit."
                                    + " Submissions beyond it are rejected.")
                    .or("0")
                    .eg("100"),
            property(
                            PREEMPTION_POLICY,
                            KeyType.wordsIgnoringCase(List.of("default", "fence", "disabled")),
                            "`fence`: tasks below the queue preempt only tasks below it. `disabled`: they neither preempt"
                                    + " others nor are preempted.")
                    .or("default")
                    .eg("fence"),
            property(
                            PREEMPTION_DELAY,
                            DURATION,
                            "How long an application must have had pending tasks before others are preempted for them; more"
                                    + " than 0.")
                    .or("the parent's; `30s` at the top")
                    .eg("5m"),
            property(
                            PREEMPTION_PRIORITY,
                            KeyType.wordsIgnoringCase(List.of("enabled", "disabled")),
                            "Whether tasks preempt tasks of lower priority of other applications of the same leaf.")
                    .or("the parent's; `disabled` at the top")
                    .eg("enabled"),
            property(
                            PREEMPTION_MINIMUM_RUNTIME,
                            DURATION,
                            "How long a task is protected from preemption after its start.")
                    .or("the parent's; `0s` at the top")
                    .eg("10m"),
            property(
                            RESERVATION_DELAY,
                            DURATION,
                            "How long an application must have had pending tasks before a node is reserved for one that no"
                                    + " node fits, or several for its gang.")
                    .or("the parent's; `30s` at the top")
                    .eg("5m"),
            property(
                            RESERVATIONS_MAX,
                            whole(0, Integer.MAX_VALUE),
                            "Maximum number of reservations in the partition at a time, at most one for each leaf; 0"
                                    + " means none.")
                    .or("10")
                    .eg("50"),
            property(
                            RESERVATIONS_DELAYS_MAX,
                            whole(1, Integer.MAX_VALUE),
                            "How often a reservation is put off, because tasks run longer than expected, until it keeps"
                                    + " its nodes for itself alone.")
                    .or("1000")
                    .eg("20"),
            property(
                            QUOTA_PREEMPTION_DELAY,
                            DURATION,
                            "How long the queue must have used more than its maximum, because that was lowered, before its"
                                    + " tasks are preempted; `0s`: never. Not inherited.")
                    .or("0s")
                    .eg("1h"),
            property(BACKOFF, whole(0, Long.MAX_VALUE), "YuniKorn's number of failed attempts before it backs off.")
                    .eg("3"),
            property(BACKOFF_DELAY, DURATION, "YuniKorn's delay after it backs off; more than 0.")
                    .eg("30s"));

    private QueuePropertyNames() {}

    /** A property, the value of which may be in quotes. */
    private static Key property(String name, KeyType type, String meaning) {
        PropertyScope scope = PropertyScope.TABLE.get(name);
        if (scope == null) {
            throw new IllegalStateException("no scope of " + name);
        }
        return Key.of(name, new KeyType.Quotable(type), meaning).appliesTo(scope.where());
    }

    private static <E> KeyType words(E[] values, Function<E, String> wireName) {
        return KeyType.words(Arrays.stream(values).map(wireName).toList());
    }
}
