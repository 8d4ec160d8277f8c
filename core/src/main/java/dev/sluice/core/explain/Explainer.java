package dev.sluice.core.explain;

import dev.sluice.core.application.ApplicationState;
import dev.sluice.core.application.TaskCondition;
import dev.sluice.core.application.TaskKind;
import dev.sluice.core.configuration.ApplicationSortPolicy;
import dev.sluice.core.configuration.SharePolicyKind;
import dev.sluice.core.resource.Amount;
import dev.sluice.core.resource.Resources;
import dev.sluice.core.state.Application;
import dev.sluice.core.state.Node;
import dev.sluice.core.state.NodeState;
import dev.sluice.core.state.Partition;
import dev.sluice.core.state.Queue;
import dev.sluice.core.state.Task;
import dev.sluice.core.state.TaskGroup;
import dev.sluice.core.state.Vectors;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Says why tasks wait, from the state as it is.
 *
 * <p>The checks are those of the cycle, in its order: what the application waits for, its queue's order, the limits above it, the
 * nodes. An explainer remembers what it found out about nodes, so it is good for one instant; make a new one after the state has
 * changed.
 */
public final class Explainer {

    private final Partition partition;
    private final Map<Fit, WaitReason> fits = new HashMap<>();
    private final Map<Fit, Boolean> holdable = new HashMap<>();
    private final Map<Queue, List<Application>> newcomers = new HashMap<>();

    /** An explainer of what waits in this partition now. */
    public Explainer(Partition partition) {
        this.partition = partition;
    }

    /** Everything that waits in the partition, in the order of submission. */
    public List<Waiting> explainAll() {
        List<Waiting> all = new ArrayList<>();
        for (Application application : partition.applications()) {
            if (application.unplaced() + application.leaving() > 0) {
                all.addAll(explain(application));
            }
        }
        return all;
    }

    /** What of this application waits, with one entry per reason, in the order of the first task concerned. */
    public List<Waiting> explain(Application application) {
        Map<WaitReason, List<TaskGroup>> groups = new LinkedHashMap<>();
        for (TaskGroup group : application.groups()) {
            if (group.unplaced() > 0) {
                groups.computeIfAbsent(explain(group), reason -> new ArrayList<>())
                        .add(group);
            }
        }
        List<Waiting> waiting = new ArrayList<>();
        if (application.leaving() > 0) {
            waiting.add(makingWay(application));
        }
        groups.forEach((reason, alike) -> waiting.add(new Waiting(
                application,
                alike,
                alike.stream().mapToLong(TaskGroup::unplaced).sum(),
                reason)));
        return waiting;
    }

    private static Waiting makingWay(Application application) {
        List<TaskGroup> groups = application.groups().stream()
                .filter(group -> group.placed().stream().anyMatch(Task::isLeaving))
                .toList();
        String notServed = application.hasQueue() ? notServedClass(application.queue()) : null;
        return new Waiting(application, groups, application.leaving(), new WaitReason.MakingWay(notServed));
    }

    /** Why those tasks of this group wait that hold no place; there must be some. */
    public WaitReason explain(TaskGroup group) {
        Application application = group.application();
        for (Map.Entry<String, TaskCondition> after : group.kind().after().entrySet()) {
            TaskGroup awaited = application.group(after.getKey());
            if (awaited == null || !awaited.has(after.getValue())) {
                return new WaitReason.AfterTask(after.getKey(), after.getValue());
            }
        }
        String notServed = notServedClass(application.queue());
        WaitReason reason = notServed == null ? null : new WaitReason.ClassNotServed(notServed);
        if (reason == null) {
            reason = behind(application);
        }
        if (reason == null && partition.throttleRoom() == 0) {
            reason = new WaitReason.Throttled(partition.throttle());
        }
        if (reason == null) {
            reason = limit(application, group);
        }
        return reason == null ? fits.computeIfAbsent(Fit.of(group), fit -> place(group)) : reason;
    }

    /** The path of the class at 0 % that a queue is or is in, or null. */
    private static @Nullable String notServedClass(Queue leaf) {
        Queue queue = leaf;
        for (Queue parent = queue.parent(); parent != null; queue = parent, parent = queue.parent()) {
            int percent = queue.configuration().properties().load().percentOrZero();
            if (parent.sharePolicy() == SharePolicyKind.LOAD && percent == 0) {
                return queue.path();
            }
        }
        return null;
    }

    private @Nullable WaitReason behind(Application application) {
        Queue leaf = application.queue();
        boolean newcomer =
                application.state() == ApplicationState.ACCEPTED || application.state() == ApplicationState.STARTING;
        if (leaf.sortPolicy() != ApplicationSortPolicy.STATE_AWARE || !newcomer) {
            return null;
        }
        if (application.state() == ApplicationState.ACCEPTED && !isHoldable(application)) {
            return null;
        }
        List<Application> order = newcomers.computeIfAbsent(leaf, this::newcomers);
        return order.isEmpty() || order.get(0) == application
                ? null
                : new WaitReason.BehindStarting(order.get(0).id());
    }

    /**
     * The applications that the queue lets in beside the running ones, in their order: the first one is let in. One that no node could ever
     * hold is none of them.
     */
    private List<Application> newcomers(Queue leaf) {
        ApplicationState state =
                leaf.startingApplications() > 0 ? ApplicationState.STARTING : ApplicationState.ACCEPTED;
        Comparator<Application> order = Comparator.comparing((Application application) -> application.pending() == 0);
        if (leaf.priorityCounts()) {
            order = order.thenComparing(Explainer::priority, Comparator.reverseOrder());
        }
        order = order.thenComparing(Application::submitted).thenComparing(Application::sequence);
        return leaf.applications().stream()
                .filter(application -> application.state() == state)
                .filter(application -> state == ApplicationState.STARTING || isHoldable(application))
                .sorted(order)
                .toList();
    }

    /** Whether some node, ready or not, could ever hold one of its pending tasks. */
    private boolean isHoldable(Application application) {
        return application.groups().stream()
                .anyMatch(group ->
                        group.pending() > 0 && holdable.computeIfAbsent(Fit.of(group), fit -> isHoldable(group)));
    }

    private boolean isHoldable(TaskGroup group) {
        String required = group.kind().requiredNode();
        return partition.nodes().stream()
                .filter(node -> required == null || required.equals(node.name()))
                .anyMatch(node -> hasLabels(node, group.kind()) && node.isLargeEnoughFor(group.demand()));
    }

    private static int priority(Application application) {
        return application.groups().stream()
                .filter(group -> group.pending() > 0)
                .mapToInt(group -> group.kind().priority())
                .max()
                .orElse(Integer.MIN_VALUE);
    }

    private @Nullable WaitReason limit(Application application, TaskGroup group) {
        Queue full = application.isActive() ? null : application.queue().fullOfApplications();
        if (full != null) {
            return new WaitReason.ApplicationLimit(full.path(), full.maxApplications());
        }
        Queue over = application.queue().overMax(group.demand());
        if (over == null) {
            return null;
        }
        int type = over.typeOverMax(group.demand());
        long allowed = Vectors.limitAt(over.max(), type);
        long missing = Vectors.at(over.allocated(), type) - allowed + Vectors.at(group.demand(), type);
        return new WaitReason.Quota(over.path(), partition.types().name(type), new Amount(missing));
    }

    private WaitReason place(TaskGroup group) {
        String required = group.kind().requiredNode();
        if (required != null) {
            Node node = partition.node(required);
            if (node == null) {
                return new WaitReason.NodeUnknown(required);
            }
            return node.isReady() ? place(group, List.of(node)) : new WaitReason.NodeOffline(required, node.state());
        }
        return place(group, partition.nodes());
    }

    private WaitReason place(TaskGroup group, Iterable<Node> nodes) {
        int ready = 0;
        SortedMap<NodeState, Integer> notReady = new TreeMap<>();
        int wrongLabels = 0;
        int largeEnough = 0;
        SortedMap<String, Integer> lacking = new TreeMap<>();
        for (Node node : nodes) {
            if (!node.isReady()) {
                notReady.merge(node.state(), 1, Integer::sum);
                continue;
            }
            ready++;
            if (!hasLabels(node, group.kind())) {
                wrongLabels++;
                continue;
            }
            if (node.hasRoomFor(group.demand())) {
                return new WaitReason.NextCycle();
            }
            largeEnough += node.isLargeEnoughFor(group.demand()) ? 1 : 0;
            for (int type = 0; type < group.demand().length; type++) {
                if (group.demand()[type] > node.free(type)) {
                    lacking.merge(partition.types().name(type), 1, Integer::sum);
                }
            }
        }
        return new WaitReason.NoNodeFits(ready, notReady, wrongLabels, lacking, largeEnough);
    }

    private static boolean hasLabels(Node node, TaskKind task) {
        return task.requiredLabels().entrySet().stream()
                .allMatch(label -> label.getValue().equals(node.labels().get(label.getKey())));
    }

    /** What decides on which nodes a task fits. */
    private record Fit(
            Resources resources,
            SortedMap<String, String> labels,
            @Nullable String node) {

        private static Fit of(TaskGroup group) {
            return new Fit(
                    group.kind().resources(),
                    group.kind().requiredLabels(),
                    group.kind().requiredNode());
        }
    }
}
