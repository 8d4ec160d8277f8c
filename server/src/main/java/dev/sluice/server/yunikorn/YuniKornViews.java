package dev.sluice.server.yunikorn;

import dev.sluice.config.field.DurationText;
import dev.sluice.core.application.ApplicationState;
import dev.sluice.core.application.TaskSpec;
import dev.sluice.core.configuration.PartitionConfiguration;
import dev.sluice.core.configuration.PreemptionPolicy;
import dev.sluice.core.configuration.QueueConfiguration;
import dev.sluice.core.resource.ResourceTypes;
import dev.sluice.core.resource.Resources;
import dev.sluice.core.state.Application;
import dev.sluice.core.state.Node;
import dev.sluice.core.state.Partition;
import dev.sluice.core.state.Queue;
import dev.sluice.core.state.Task;
import dev.sluice.core.state.TaskGroup;
import dev.sluice.server.view.Views;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntToLongFunction;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Converts the scheduler's state to the records of YuniKorn's REST interface. */
public final class YuniKornViews {

    /** Maximum number of task groups, tasks or nodes in one view. */
    public static final int LISTED_MAX = 1000;

    /** The name of the cluster. */
    public static final String CLUSTER = "sluice";

    /** The tag of an application that consists of pods. */
    private static final String NAMESPACE = "kubernetes.io/meta/namespace";

    private static final Pattern POD_TASK = Pattern.compile("(.+)\\.[0-9a-f]{8}");
    private static final long NANOS = 1_000_000_000L;

    private YuniKornViews() {}

    /** Returns a time in nanoseconds since 1970. */
    static long nanos(Instant time) {
        return Math.addExact(Math.multiplyExact(time.getEpochSecond(), NANOS), time.getNano());
    }

    /**
     * Returns the view of the program that schedules a partition, with what it has.
     *
     * @param applications the number of its applications in each state
     */
    public static YuniKornCluster cluster(
            Partition partition, Map<ApplicationState, Integer> applications, String version, Instant since) {
        Map<String, String> build = new LinkedHashMap<>();
        build.put("rmId", CLUSTER);
        build.put("buildVersion", version);
        build.put("arch", System.getProperty("os.arch"));
        Queue root = partition.queues().root();
        int nodes = partition.nodes().size();
        return new YuniKornCluster(
                nanos(since),
                List.of(build),
                partition.name(),
                CLUSTER,
                applications.values().stream().mapToInt(Integer::intValue).sum(),
                count(applications, ApplicationState.NEW, ApplicationState.ACCEPTED),
                count(
                        applications,
                        ApplicationState.STARTING,
                        ApplicationState.RUNNING,
                        ApplicationState.COMPLETING,
                        ApplicationState.FAILING,
                        ApplicationState.RESUMING),
                count(applications, ApplicationState.COMPLETED),
                count(applications, ApplicationState.FAILED, ApplicationState.REJECTED),
                root.pendingTasks() + root.allocatedTasks(),
                root.pendingTasks(),
                root.allocatedTasks(),
                0,
                nodes,
                partition.readyNodes(),
                nodes - partition.readyNodes());
    }

    private static int count(Map<ApplicationState, Integer> applications, ApplicationState... states) {
        int count = 0;
        for (ApplicationState state : states) {
            count += applications.getOrDefault(state, 0);
        }
        return count;
    }

    /**
     * Returns the view of a partition.
     *
     * @param applications the number of its applications in each state
     */
    public static YuniKornPartition partition(
            Partition partition, Map<ApplicationState, Integer> applications, Instant since) {
        Map<String, Integer> counts = new LinkedHashMap<>();
        int total = 0;
        for (Map.Entry<ApplicationState, Integer> count : applications.entrySet()) {
            counts.put(count.getKey().wireName(), count.getValue());
            total += count.getValue();
        }
        counts.put("total", total);
        Queue root = partition.queues().root();
        PartitionConfiguration configuration = partition.configuration();
        Map<String, Long> capacity = Views.amounts(partition, partition::total);
        Map<String, Long> used = Views.amounts(partition, root::allocated);
        return new YuniKornPartition(
                CLUSTER,
                partition.name(),
                "Active",
                nanos(since),
                new YuniKornPartition.Capacity(capacity, used, percent(used, capacity)),
                new YuniKornPartition.NodeSorting(
                        configuration.nodeSortPolicy().wireName(), configuration.resourceWeights()),
                partition.nodes().size(),
                root.allocatedTasks(),
                counts);
    }

    /** Returns how many percent of each whole amount are used, rounded down. */
    static Map<String, Long> percent(Map<String, Long> used, Map<String, Long> whole) {
        Map<String, Long> percent = new LinkedHashMap<>();
        whole.forEach((type, all) -> {
            if (all > 0) {
                percent.put(type, (long) (used.getOrDefault(type, 0L) * 100.0 / all));
            }
        });
        return percent;
    }

    /** Returns the view of a queue without the queues below it. */
    public static YuniKornQueue queue(Partition partition, Queue queue) {
        Queue parent = queue.parent();
        QueueConfiguration configuration = queue.configuration();
        Map<String, Long> max = parent == null && configuration.max().isEmpty()
                ? Views.amounts(partition, partition::total)
                : Views.amounts(configuration.max());
        Map<String, Long> allocated = Views.amounts(partition, queue::allocated);
        String policy = queue.isLeaf()
                ? queue.sortPolicy().wireName()
                : queue.sharePolicy().wireName();
        return new YuniKornQueue(
                queue.path(),
                queue.isDraining() ? "Draining" : "Active",
                partition.name(),
                Views.amounts(partition, queue::pending),
                max,
                Views.amounts(configuration.guaranteed()),
                allocated,
                headroom(partition, queue),
                queue.isLeaf(),
                !queue.isDynamic(),
                properties(queue, policy),
                parent == null ? "" : parent.path(),
                template(configuration.childTemplate()),
                null,
                queue.children().stream().map(Queue::path).toList(),
                percent(allocated, max),
                queue.maxApplications() == Long.MAX_VALUE ? 0 : queue.maxApplications(),
                queue.activeApplications(),
                policy,
                queue.usesPriorities(),
                !queue.isPreemptionDisabled(),
                queue.isPreemptionFence(),
                DurationText.format(queue.preemptionDelay()));
    }

    private static Map<String, Long> headroom(Partition partition, Queue queue) {
        return Views.maxima(partition, type -> {
            long least = Long.MAX_VALUE;
            for (Queue each = queue; each != null; each = each.parent()) {
                if (each.max(type) != Long.MAX_VALUE) {
                    least = Math.min(least, each.max(type) - each.allocated(type));
                }
            }
            return least;
        });
    }

    private static Map<String, String> properties(Queue queue, String policy) {
        Map<String, String> properties = new LinkedHashMap<>();
        properties.put(queue.isLeaf() ? "application.sort.policy" : "queue.share.policy", policy);
        var written = queue.configuration().properties();
        if (written.priorityOffset() != 0) {
            properties.put("priority.offset", Integer.toString(written.priorityOffset()));
        }
        if (written.priorityFence()) {
            properties.put("priority.policy", "fence");
        }
        if (written.preemption().policy() != PreemptionPolicy.DEFAULT) {
            properties.put("preemption.policy", written.preemption().policy().wireName());
        }
        return properties;
    }

    private static YuniKornQueue.@Nullable Template template(QueueConfiguration.@Nullable ChildTemplate template) {
        return template == null
                ? null
                : new YuniKornQueue.Template(
                        Views.amounts(template.max()),
                        Views.amounts(template.guaranteed()),
                        template.maxApplications());
    }

    /** Returns the first of these queues, parents before children, with the others below it. */
    public static YuniKornQueue tree(List<YuniKornQueue> queues) {
        Map<String, Deque<YuniKornQueue>> below = new HashMap<>();
        for (int i = queues.size() - 1; i > 0; i--) { // children before parents
            YuniKornQueue queue = withChildren(queues.get(i), below);
            below.computeIfAbsent(queue.parent(), parent -> new ArrayDeque<>()).addFirst(queue);
        }
        return withChildren(queues.get(0), below);
    }

    private static YuniKornQueue withChildren(YuniKornQueue queue, Map<String, Deque<YuniKornQueue>> below) {
        Deque<YuniKornQueue> children = below.get(queue.queuename());
        return queue.withChildren(children == null ? List.of() : List.copyOf(children));
    }

    /**
     * Returns the view of an application.
     *
     * @param tasksMax the maximum number of tasks listed
     */
    public static YuniKornApplication application(Partition partition, Application application, int tasksMax) {
        List<YuniKornApplication.Request> requests = new ArrayList<>();
        List<YuniKornAllocation> allocations = new ArrayList<>();
        boolean reserved = false;
        List<TaskGroup> groups = application.groups();
        for (TaskGroup group : groups.subList(0, Math.min(LISTED_MAX, groups.size()))) {
            if (group.pending() > 0) {
                requests.add(request(partition, group));
            }
            for (Task task = group.nextAllocated(0);
                    task != null && allocations.size() < tasksMax;
                    task = group.nextAllocated(task.index() + 1)) {
                reserved |= task.isReserved();
                allocations.add(allocation(partition, task));
            }
        }
        ApplicationState state = application.state();
        return new YuniKornApplication(
                application.id(),
                Views.amounts(partition, application::allocated),
                pending(partition, application),
                partition.name(),
                application.hasQueue() ? application.queue().path() : "",
                nanos(application.submitted()),
                state.isEnded() ? nanos(application.stateSince()) : null,
                requests,
                allocations,
                state.wireName(),
                application.spec().user(),
                application.spec().groups(),
                state == ApplicationState.REJECTED ? application.stateReason() : "",
                List.of(new YuniKornApplication.StateChange(nanos(application.stateSince()), state.wireName())),
                reserved,
                application.highestPriority().orElse(0));
    }

    private static Map<String, Long> pending(Partition partition, Application application) {
        long[] sum = new long[partition.types().size()];
        List<TaskGroup> groups = application.groups();
        for (TaskGroup group : groups.subList(0, Math.min(LISTED_MAX, groups.size()))) {
            for (int type = 0; type < sum.length && group.pending() > 0; type++) {
                sum[type] += group.demand(type) * group.pending();
            }
        }
        IntToLongFunction amounts = type -> sum[type];
        return Views.amounts(partition, amounts);
    }

    private static YuniKornApplication.Request request(Partition partition, TaskGroup group) {
        TaskSpec spec = group.spec();
        Application application = group.application();
        boolean isMember =
                application.gang() != null && application.gang().gang().tasks().containsKey(spec.name());
        String node = spec.requiredNode();
        return new YuniKornApplication.Request(
                spec.name(),
                tags(application, spec.name()),
                nanos(application.submitted()),
                Views.amounts(spec.resources()),
                group.pending(),
                Integer.toString(spec.priority()),
                node == null ? "" : node,
                application.id(),
                partition.name(),
                false,
                isMember ? spec.name() : "");
    }

    /** Returns the view of an allocated task. */
    private static YuniKornAllocation allocation(Partition partition, Task task) {
        Instant submitted = task.application().submitted();
        String allocation = task.id() + "-" + task.attempt();
        return new YuniKornAllocation(
                task.id(),
                tags(task.application(), task.id()),
                nanos(submitted),
                nanos(task.placedAt()),
                Duration.between(submitted, task.placedAt()).toNanos(),
                allocation,
                allocation,
                Views.amounts(task.group().spec().resources()),
                Integer.toString(task.group().spec().priority()),
                task.application().queue().path(),
                task.node().name(),
                task.application().id(),
                partition.name(),
                false,
                false,
                task.isPreempting());
    }

    private static Map<String, String> tags(Application application, String task) {
        Map<String, String> tags = new LinkedHashMap<>();
        application.spec().tags().forEach((tag, value) -> tags.put("kubernetes.io/meta/" + tag, value));
        tags.put("kubernetes.io/meta/podName", tags.containsKey(NAMESPACE) ? podName(task) : task);
        return tags;
    }

    /** The task of a pod is named after the pod and the beginning of its unique id. */
    private static String podName(String task) {
        Matcher ofPod = POD_TASK.matcher(task);
        return ofPod.matches() ? ofPod.group(1) : task;
    }

    /**
     * Returns the view of a node.
     *
     * @param tasksMax the maximum number of tasks listed
     */
    public static YuniKornNode node(Partition partition, Node node, int tasksMax) {
        Map<String, Long> capacity = Views.amounts(node.capacity());
        Resources allocated = partition.types().resources(node::allocated);
        Map<String, Long> used = Views.amounts(allocated);
        if (!node.declaresSlots()) {
            used.remove(ResourceTypes.SLOTS);
        }
        Map<String, Long> available = new LinkedHashMap<>();
        capacity.forEach((type, amount) -> available.put(type, amount - used.getOrDefault(type, 0L)));
        List<Task> tasks = node.tasks();
        return new YuniKornNode(
                node.name(),
                node.name(),
                node.labels().getOrDefault("rack", ""),
                partition.name(),
                node.labels(),
                capacity,
                used,
                Map.of(),
                available,
                percent(used, capacity),
                tasks.subList(0, Math.min(tasksMax, tasks.size())).stream()
                        .map(task -> allocation(partition, task))
                        .toList(),
                node.isReady(),
                !node.reserved().isEmpty(),
                node.reserved().stream()
                        .limit(LISTED_MAX)
                        .map(task -> task.application().id() + "/" + task.id())
                        .toList());
    }
}
