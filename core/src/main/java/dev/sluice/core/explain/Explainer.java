package dev.sluice.core.explain;

import dev.sluice.core.application.ApplicationState;
import dev.sluice.core.application.TaskCondition;
import dev.sluice.core.configuration.ApplicationSortPolicy;
import dev.sluice.core.configuration.SharePolicyKind;
import dev.sluice.core.resource.Amount;
import dev.sluice.core.state.Application;
import dev.sluice.core.state.Node;
import dev.sluice.core.state.Partition;
import dev.sluice.core.state.Queue;
import dev.sluice.core.state.TaskGroup;
import dev.sluice.core.state.Vectors;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Says why tasks wait, from the state as it is.
 *
 * <p>The checks are those of the cycle, in its order: what the application waits for, its queue's order, the limits above it, the
 * nodes. An explainer remembers what it found out about nodes and queues, so it is good for one instant; make a new one after the state has
 * changed. One that works {@linkplain #begin piece by piece} may see changes between the pieces or not.
 */
public final class Explainer {

    private final Partition partition;
    private final Map<PlacementRequirements, WaitReason> fits = new HashMap<>();
    private @Nullable StartingApplications startingApplications;
    private @Nullable List<Node> nodes;

    // the nodes that are being looked at, and for what
    private @Nullable NodeSurvey survey;
    private @Nullable PlacementRequirements surveyed;

    // the group whose conditions are being looked at, and those of them that are left
    private @Nullable TaskGroup awaiting;
    private Iterator<Map.Entry<String, TaskCondition>> conditions = Collections.emptyIterator();

    /** An explainer of what waits in this partition now. */
    public Explainer(Partition partition) {
        this.partition = partition;
    }

    /** Everything that waits in the partition, in the order of submission. */
    public List<PendingSummary> explainAll() {
        List<PendingSummary> all = new ArrayList<>();
        for (Application application : partition.applications()) {
            if (application.unallocated() + application.preempting() > 0) {
                all.addAll(explain(application));
            }
        }
        return all;
    }

    /** What of this application waits, with one entry per reason, in the order of the first task concerned. */
    public List<PendingSummary> explain(Application application) {
        Explanation explanation = begin(application);
        if (!explanation.look(StepBudget.unlimited())) {
            throw new IllegalStateException("an unlimited explanation was interrupted");
        }
        return explanation.waiting();
    }

    /** Begins to find out what of this application waits. */
    public Explanation begin(Application application) {
        return new Explanation(this, application);
    }

    /** Why those tasks of this group wait that hold no place; there must be some. */
    public WaitReason explain(TaskGroup group) {
        WaitReason reason = explain(group, StepBudget.unlimited());
        if (reason == null) {
            throw new IllegalStateException("an unlimited explanation was interrupted");
        }
        return reason;
    }

    /** The same, as far as the looks go; null if they do not go far enough: ask again for the same group with further ones. */
    public @Nullable WaitReason explain(TaskGroup group, StepBudget looks) {
        Application application = group.application();
        if (group.isWaiting()) {
            if (group != awaiting) {
                awaiting = group;
                conditions = group.kind().after().entrySet().iterator();
            }
            while (conditions.hasNext()) {
                if (!looks.take()) {
                    return null;
                }
                Map.Entry<String, TaskCondition> after = conditions.next();
                TaskGroup awaited = application.group(after.getKey());
                if (awaited == null || !awaited.has(after.getValue())) {
                    awaiting = null;
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
            if (!known.look(looks)) {
                return null;
            }
            reason = behind(application, known);
        }
        if (reason == null && partition.throttleHeadroom() == 0) {
            reason = new WaitReason.Throttled(partition.throttle());
        }
        if (reason == null) {
            reason = limit(application, group);
        }
        return reason == null ? place(group, looks) : reason;
    }

    /** The path of the class at 0 % that a queue is or is in, or null. */
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
        boolean newcomer =
                application.state() == ApplicationState.ACCEPTED || application.state() == ApplicationState.STARTING;
        return newcomer && application.queue().sortPolicy() == ApplicationSortPolicy.STATE_AWARE;
    }

    private static @Nullable WaitReason behind(Application application, StartingApplications startingApplications) {
        Application first = startingApplications.firstOf(application.queue());
        return first == null || first == application || startingApplications.isSkipped(application)
                ? null
                : new WaitReason.BehindStarting(first.id());
    }

    private @Nullable WaitReason limit(Application application, TaskGroup group) {
        Queue full = application.isActive() ? null : application.queue().firstQueueAtMaxApplications();
        if (full != null) {
            return new WaitReason.ApplicationLimit(full.path(), full.maxApplications());
        }
        Queue over = application.queue().firstQueueOverMax(group.demand());
        if (over == null) {
            return null;
        }
        int type = over.typeOverMax(group.demand());
        long allowed = Vectors.limitAt(over.max(), type);
        long missing = Vectors.at(over.allocated(), type) - allowed + Vectors.at(group.demand(), type);
        return new WaitReason.Quota(over.path(), partition.types().name(type), new Amount(missing));
    }

    private @Nullable WaitReason place(TaskGroup group, StepBudget looks) {
        PlacementRequirements fit = PlacementRequirements.of(group);
        WaitReason known = fits.get(fit);
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
            reason = survey(fit, group, only == null ? nodes() : List.of(only), looks);
        }
        if (reason != null) {
            fits.put(fit, reason);
        }
        return reason;
    }

    /** Goes on with the survey for this, or begins it. */
    private @Nullable WaitReason survey(
            PlacementRequirements fit, TaskGroup group, List<Node> candidates, StepBudget looks) {
        NodeSurvey current = survey;
        if (current == null || !fit.equals(surveyed)) {
            current = new NodeSurvey(partition, group, candidates);
            survey = current;
            surveyed = fit;
        }
        WaitReason reason = current.look(looks);
        if (reason != null) {
            survey = null;
            surveyed = null;
        }
        return reason;
    }

    /** The nodes as they were when they were first asked for. */
    private List<Node> nodes() {
        List<Node> known = nodes;
        if (known == null) {
            known = new ArrayList<>(partition.nodes());
            nodes = known;
        }
        return known;
    }
}
