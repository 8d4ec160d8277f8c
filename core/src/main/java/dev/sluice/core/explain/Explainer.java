package dev.sluice.core.explain;

import dev.sluice.core.application.ApplicationCondition;
import dev.sluice.core.application.ApplicationState;
import dev.sluice.core.application.RunRef;
import dev.sluice.core.application.TaskCondition;
import dev.sluice.core.configuration.ApplicationSortPolicy;
import dev.sluice.core.configuration.SharePolicyKind;
import dev.sluice.core.resource.Amount;
import dev.sluice.core.state.Application;
import dev.sluice.core.state.DelayedTask;
import dev.sluice.core.state.GangProgress;
import dev.sluice.core.state.LimitUsage;
import dev.sluice.core.state.Node;
import dev.sluice.core.state.Partition;
import dev.sluice.core.state.Queue;
import dev.sluice.core.state.Reservation;
import dev.sluice.core.state.Task;
import dev.sluice.core.state.TaskGroup;
import dev.sluice.core.state.Vectors;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Explains why tasks wait, from the current state.
 *
 * <p>It repeats the checks of a cycle, in the same order: dependencies, the order of the queue, limits, nodes. An
 * explainer caches its findings about nodes and queues, so it is valid for one instant; create a new one after the
 * state has changed. An explanation that is computed {@linkplain #begin in steps} may or may not reflect changes
 * between the steps.
 */
public final class Explainer {

    private final Partition partition;
    private final @Nullable Instant now;
    private final Map<PlacementRequirements, WaitReason> reasons = new HashMap<>();
    private final Map<Application, WaitReason> gangReasons = new HashMap<>();
    private final Map<PreemptionRequirements, Optional<PreemptionObstacle>> obstacles = new HashMap<>();
    private @Nullable GangSurvey gangSurvey;
    private @Nullable StartingApplications startingApplications;
    private @Nullable List<Node> nodes;
    private @Nullable List<Task> excluding;
    private @Nullable Set<String> selectedLabels;

    // the current survey of nodes, and its requirements
    private @Nullable NodeSurvey survey;
    private @Nullable PlacementRequirements surveyedRequirements;

    // the current survey of what a group could preempt
    private @Nullable PreemptionSurvey preemptions;

    // the group whose dependencies are being checked, and the dependencies that remain
    private @Nullable TaskGroup waitingGroup;
    private Iterator<Map.Entry<String, TaskCondition>> conditions = Collections.emptyIterator();

    /** Creates an explainer that does not say why tasks have not preempted others. */
    public Explainer(Partition partition) {
        this(partition, null);
    }

    /** Creates an explainer that also says why tasks have not preempted others at this time, unless it is null. */
    public Explainer(Partition partition, @Nullable Instant now) {
        this.partition = partition;
        this.now = now;
    }

    /** Returns all waiting tasks of the partition, in submission order. */
    public List<PendingSummary> explainAll() {
        List<PendingSummary> all = new ArrayList<>();
        for (Application application : partition.applications()) {
            if (application.unallocated() + application.preempting() > 0) {
                all.addAll(explain(application));
            }
        }
        return all;
    }

    /**
     * Returns the waiting tasks of this application, one entry per reason, in the order of the first affected task.
     */
    public List<PendingSummary> explain(Application application) {
        Explanation explanation = begin(application);
        if (!explanation.step(StepBudget.unlimited())) {
            throw new IllegalStateException("an unlimited explanation was interrupted");
        }
        return explanation.waiting();
    }

    /** Starts an explanation that is computed in steps. */
    public Explanation begin(Application application) {
        return new Explanation(this, application);
    }

    /**
     * Returns why the task with this index waits, which must be unallocated, or null if the budget is exhausted: call
     * again for the same task with a new budget.
     */
    public @Nullable WaitReason explain(TaskGroup group, int index, StepBudget budget) {
        DelayedTask delayed = group.isWaiting() ? null : group.delayed(index);
        return delayed == null ? explain(group, budget) : new WaitReason.RetryDelay(delayed.retryAt());
    }

    /**
     * Returns why the tasks of this group that are not allocated wait, except those in a retry delay; there must be at
     * least one.
     */
    public WaitReason explain(TaskGroup group) {
        WaitReason reason = explain(group, StepBudget.unlimited());
        if (reason == null) {
            throw new IllegalStateException("an unlimited explanation was interrupted");
        }
        return reason;
    }

    /**
     * Returns why the tasks of this group wait, or null if the budget is exhausted: call again for the same group with
     * a new budget.
     */
    public @Nullable WaitReason explain(TaskGroup group, StepBudget budget) {
        Application application = group.application();
        if (application.isHeld()) {
            return new WaitReason.Held();
        }
        Instant notBefore = application.notBefore();
        if (notBefore != null) {
            return new WaitReason.NotBefore(notBefore);
        }
        Iterator<Map.Entry<String, ApplicationCondition>> awaited =
                application.awaited().entrySet().iterator();
        if (awaited.hasNext()) {
            Map.Entry<String, ApplicationCondition> first = awaited.next();
            return new WaitReason.AfterApplication(first.getKey(), first.getValue());
        }
        if (group.isWaiting()) {
            if (group != waitingGroup) {
                waitingGroup = group;
                conditions = group.kind().after().entrySet().iterator();
            }
            while (conditions.hasNext()) {
                if (!budget.take()) {
                    return null;
                }
                Map.Entry<String, TaskCondition> after = conditions.next();
                TaskGroup dependency = application.group(after.getKey());
                if (dependency == null || !dependency.has(after.getValue())) {
                    waitingGroup = null;
                    return new WaitReason.AfterTask(after.getKey(), after.getValue());
                }
            }
        }
        String notServed = notServedClass(application.queue());
        WaitReason reason = notServed == null ? null : new WaitReason.ClassNotServed(notServed);
        if (reason == null && mayBeBehind(application)) {
            StartingApplications known =
                    startingApplications == null ? new StartingApplications(partition, nodes()) : startingApplications;
            startingApplications = known;
            if (!known.step(budget)) {
                return null;
            }
            reason = behindStarting(application, known);
        }
        if (reason == null && partition.throttleHeadroom() == 0) {
            reason = new WaitReason.Throttled(partition.throttle());
        }
        if (reason == null) {
            reason = exceededLimit(application, group);
        }
        if (reason == null && application.gang() != null) {
            GangProgress gang = application.gang();
            if (gang.isRestarting()) {
                return new WaitReason.GangRestarting(application.boundTasks());
            }
            if (gang.isWaiting()) {
                WaitReason own = ownReservation(application, null);
                return own != null ? own : gangReason(gang, budget);
            }
        }
        if (reason == null) {
            reason = ownReservation(application, group);
        }
        reason = reason == null ? nodeReason(group, budget) : reason;
        return reason == null ? null : withPreemption(group, reason, budget);
    }

    /** Adds to a reason why the tasks of the group have not preempted others; null if the budget is exhausted. */
    private @Nullable WaitReason withPreemption(TaskGroup group, WaitReason reason, StepBudget budget) {
        boolean mayPreempt = (reason instanceof WaitReason.NoNodeFits || reason instanceof WaitReason.Quota)
                && !reason.isPermanent();
        if (now == null || !mayPreempt) {
            return reason;
        }
        PreemptionSurvey begun = preemptions;
        if (begun == null || begun.group() != group) {
            begun = new PreemptionSurvey(partition, group, nodes(), now);
            preemptions = begun;
        }
        PreemptionObstacle obstacle;
        if (begun.isImmediate()) {
            obstacle = begun.obstacle();
        } else {
            PreemptionRequirements requirements = PreemptionRequirements.of(group, selectedLabels());
            Optional<PreemptionObstacle> known = obstacles.get(requirements);
            if (known == null && !begun.step(budget)) {
                return null;
            }
            obstacle = known == null ? begun.obstacle() : known.orElse(null);
            obstacles.put(requirements, Optional.ofNullable(obstacle));
        }
        preemptions = null;
        return obstacle == null ? reason : new WaitReason.NotPreempting(reason, obstacle);
    }

    /**
     * Returns what is reserved for the tasks of this group, or for others like them of its application, or null.
     *
     * @param group the group, or null for the gang of the application
     */
    private @Nullable WaitReason ownReservation(Application application, @Nullable TaskGroup group) {
        Reservation own = partition.reservations().ofQueue(application.queue().path());
        TaskGroup holder = own == null || !own.task().application().equals(application.id())
                ? null
                : application.group(own.task().task());
        if (own == null
                || holder == null
                || (group != null && holder.kind().priority() != group.kind().priority())
                || (group != null && !PlacementRequirements.of(holder).equals(PlacementRequirements.of(group)))) {
            return null;
        }
        RunRef overrun = own.overrun();
        return new WaitReason.HasReservation(
                own.nodes(),
                own.start(),
                own.delays(),
                overrun == null
                        ? null
                        : overrun.task().application() + "/" + overrun.task().id());
    }

    /** Returns the path of the load class at 0 % that contains this queue or is this queue, or null. */
    static @Nullable String notServedClass(Queue leaf) {
        Queue queue = leaf;
        for (Queue parent = queue.parent(); parent != null; queue = parent, parent = queue.parent()) {
            int percent = queue.configuration().properties().load().percentOrZero();
            if (parent.sharePolicy() == SharePolicyKind.LOAD && percent == 0) {
                return queue.path();
            }
        }
        return null;
    }

    private static boolean mayBeBehind(Application application) {
        boolean notRunning =
                application.state() == ApplicationState.ACCEPTED || application.state() == ApplicationState.STARTING;
        return notRunning && application.queue().sortPolicy() == ApplicationSortPolicy.STATE_AWARE;
    }

    private static @Nullable WaitReason behindStarting(
            Application application, StartingApplications startingApplications) {
        Application first = startingApplications.firstOf(application.queue());
        return first == null || first == application || startingApplications.isSkipped(application)
                ? null
                : new WaitReason.BehindStarting(first.id());
    }

    private @Nullable WaitReason exceededLimit(Application application, TaskGroup group) {
        Queue full = application.isActive() ? null : application.queue().firstQueueAtMaxApplications();
        if (full != null) {
            return new WaitReason.ApplicationLimit(full.path(), full.maxApplications());
        }
        LimitUsage reached =
                application.isActive() ? null : application.limits().firstAtMaxApplications();
        if (reached != null) {
            return limitReached(reached, null, reached.maxApplications(), reached.activeApplications(), 1);
        }
        LimitUsage exceeded = application.limits().firstOverMax(group.demand());
        if (exceeded != null) {
            int type = exceeded.typeOverMax(group.demand());
            long asked = Vectors.at(group.demand(), type);
            return limitReached(
                    exceeded, partition.types().name(type), exceeded.max(type), exceeded.allocated(type), asked);
        }
        Queue over = application.queue().firstQueueOverMax(group.demand());
        if (over == null) {
            return null;
        }
        Queue above = application.queue().firstQueueAboveMax(group.demand());
        if (above != null) {
            int type = above.typeAboveMax(group.demand());
            return quota(above, type, Vectors.at(group.demand(), type), true);
        }
        int type = over.typeOverMax(group.demand());
        return quota(over, type, Vectors.at(over.allocated(), type) + Vectors.at(group.demand(), type), false);
    }

    /** @param needed how much the maximum would have to be */
    private WaitReason quota(Queue queue, int type, long needed, boolean tooLarge) {
        Amount missing = new Amount(needed - Vectors.limitAt(queue.max(), type));
        return new WaitReason.Quota(queue.path(), partition.types().name(type), missing, tooLarge);
    }

    private static WaitReason limitReached(
            LimitUsage usage, @Nullable String resource, long limit, long used, long asked) {
        return new WaitReason.LimitReached(
                usage.subject(),
                usage.name(),
                usage.queue().path(),
                resource,
                new Amount(limit),
                new Amount(used),
                new Amount(asked));
    }

    private @Nullable WaitReason gangReason(GangProgress gang, StepBudget budget) {
        WaitReason known = gangReasons.get(gang.application());
        if (known != null) {
            return known;
        }
        GangSurvey current = gangSurvey == null || !gangSurvey.isOf(gang)
                ? new GangSurvey(partition, gang, nodes(), excluding())
                : gangSurvey;
        gangSurvey = current;
        WaitReason reason = current.step(budget);
        if (reason != null) {
            gangReasons.put(gang.application(), reason);
            gangSurvey = null;
        }
        return reason;
    }

    private @Nullable WaitReason nodeReason(TaskGroup group, StepBudget budget) {
        PlacementRequirements requirements = PlacementRequirements.of(group, selectedLabels());
        WaitReason known = reasons.get(requirements);
        if (known != null) {
            return known;
        }
        String required = group.kind().requiredNode();
        Node only = required == null ? null : partition.node(required);
        WaitReason reason;
        if (required != null && only == null) {
            reason = new WaitReason.NodeUnknown(required);
        } else if (required != null && only != null && !only.isReady()) {
            reason = new WaitReason.NodeOffline(required, only.state());
        } else {
            reason = survey(requirements, group, only == null ? nodes() : List.of(only), budget);
        }
        if (reason != null) {
            reasons.put(requirements, reason);
        }
        return reason;
    }

    /** Continues the survey for these requirements, or starts it. */
    private @Nullable WaitReason survey(
            PlacementRequirements requirements, TaskGroup group, List<Node> candidates, StepBudget budget) {
        NodeSurvey current = survey;
        if (current == null || !requirements.equals(surveyedRequirements)) {
            current = new NodeSurvey(partition, group, candidates, new TaskSurvey(nodes(), excluding(), group));
            survey = current;
            surveyedRequirements = requirements;
        }
        WaitReason reason = current.step(budget);
        if (reason != null) {
            survey = null;
            surveyedRequirements = null;
        }
        return reason;
    }

    /** Returns the tasks that require to be apart from others, as of the first call. */
    private List<Task> excluding() {
        List<Task> known = excluding;
        if (known == null) {
            known = TaskSurvey.excluding(nodes());
            excluding = known;
        }
        return known;
    }

    /** Returns the keys of the labels by which these tasks exclude others. */
    private Set<String> selectedLabels() {
        Set<String> known = selectedLabels;
        if (known == null) {
            known = PlacementRequirements.selectedLabels(excluding());
            selectedLabels = known;
        }
        return known;
    }

    /** Returns the nodes as of the first call. */
    private List<Node> nodes() {
        List<Node> known = nodes;
        if (known == null) {
            known = new ArrayList<>(partition.nodes());
            nodes = known;
        }
        return known;
    }
}
