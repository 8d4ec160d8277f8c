package dev.sluice.core.reference;

import dev.sluice.core.application.ApplicationState;
import dev.sluice.core.configuration.ApplicationSortPolicy;
import dev.sluice.core.configuration.QueueProperties;
import dev.sluice.core.configuration.SharePolicyKind;
import dev.sluice.core.state.Application;
import dev.sluice.core.state.Queue;
import dev.sluice.core.state.Usage;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** One queue with the queues or the applications in it. */
final class ReferenceQueue {

    final String path;
    final @Nullable ReferenceQueue parent;
    final boolean leaf;
    final boolean kept;
    final List<ReferenceQueue> children = new ArrayList<>();
    final List<ReferenceApplication> applications = new ArrayList<>();

    /** What it hands out if it shares by load, once the cycle has begun. */
    @Nullable ReferenceLoad load;

    /** What it hands out if it shares by usage, once the cycle has begun. */
    @Nullable ReferenceUsage usage;

    /** Its decayed usage; 0 where the queue above does not share by it. */
    double usagePriority;

    /** What was passed over because it exceeded what this queue might take. */
    final List<SkippedTask> overBudget = new ArrayList<>();

    /** Tasks of one shape. */
    record SkippedTask(ReferenceApplication application, ReferenceTask task, ReferenceQueue leaf) {}

    /** Whether the classes below it have been too far apart. */
    boolean overThreshold;

    /** Whether that has been so for long enough. */
    boolean rebalanceDue;

    /** How many pending tasks below it could start when the cycle began, if nodes had room for them. */
    long startable;

    /** Whether it turned out to have nothing more to give in this cycle. */
    boolean skipped;

    private final Queue configured;
    private final Map<String, ReferenceNode> nodes;
    private final SortedMap<String, Long> guaranteed;
    private final SortedMap<String, Long> max;
    private final Set<ApplicationState> skippedStates = new LinkedHashSet<>();

    ReferenceQueue(
            Queue queue,
            @Nullable ReferenceQueue parent,
            Map<String, ReferenceApplication> byId,
            Map<String, ReferenceNode> nodes) {
        this.configured = queue;
        this.nodes = nodes;
        this.parent = parent;
        this.path = queue.path();
        this.leaf = queue.isLeaf();
        this.kept = parent == null || !(queue.isDraining() || queue.isDynamic());
        this.guaranteed = ReferenceAmounts.of(queue.configuration().guaranteed());
        this.max = ReferenceAmounts.of(queue.configuration().max());
        this.overThreshold = queue.overThresholdSince() != null;
        this.rebalanceDue = queue.isRebalanceDue();
        for (Queue child : queue.children()) {
            children.add(new ReferenceQueue(child, this, byId, nodes));
        }
        for (Application application : queue.applications()) {
            ReferenceApplication plain = new ReferenceApplication(application, nodes);
            applications.add(plain);
            byId.put(plain.id, plain);
        }
    }

    /** Works out what it and those below it have used by now; before anything happens at this instant. */
    void countUsage(ReferenceCores cores, Instant now) {
        Usage.Reading settled = configured.usage();
        usagePriority = settled == null || parent == null
                ? 0
                : ReferenceCores.decayed(
                        settled.priority(), settled.at(), cores.of(allocated()), now, parent.halftime());
        children.forEach(child -> child.countUsage(cores, now));
    }

    /** This queue and those above it, up to root. */
    List<ReferenceQueue> upToRoot() {
        List<ReferenceQueue> queues = new ArrayList<>();
        for (ReferenceQueue queue = this; queue != null; queue = queue.parent) {
            queues.add(queue);
        }
        return queues;
    }

    /** The applications in it and below it. */
    Stream<ReferenceApplication> all() {
        return Stream.concat(applications.stream(), children.stream().flatMap(ReferenceQueue::all));
    }

    /** This queue and those below it. */
    Stream<ReferenceQueue> queues() {
        return Stream.concat(Stream.of(this), children.stream().flatMap(ReferenceQueue::queues));
    }

    SortedMap<String, Long> allocated() {
        SortedMap<String, Long> sum = new TreeMap<>();
        all().forEach(application -> ReferenceAmounts.add(sum, application.allocated));
        return sum;
    }

    SortedMap<String, Long> pending() {
        SortedMap<String, Long> sum = new TreeMap<>();
        all().flatMap(application -> application.pending.stream())
                .forEach(task -> ReferenceAmounts.add(sum, task.demand));
        return sum;
    }

    boolean fits(ReferenceTask task) {
        return fitsBeside(allocated(), task);
    }

    private boolean fitsBeside(SortedMap<String, Long> allocated, ReferenceTask task) {
        return task.demand.entrySet().stream().allMatch(demand -> {
            long amount = demand.getValue();
            long sum = allocated.getOrDefault(demand.getKey(), 0L) + amount;
            return amount == 0 || sum <= max.getOrDefault(demand.getKey(), Long.MAX_VALUE);
        });
    }

    /** Whether one more application may become active in it. */
    boolean canActivateApplication() {
        return all().filter(application -> application.active).count() < configured.maxApplications();
    }

    /** Whether it is a parent that shares by load. */
    boolean sharesByLoad() {
        return !leaf && properties().sharePolicy() == SharePolicyKind.LOAD;
    }

    /** Whether it is a parent that shares by usage. */
    boolean sharesByUsage() {
        return !leaf && properties().sharePolicy() == SharePolicyKind.USAGE;
    }

    double factor() {
        return properties().usage().factor();
    }

    Duration halftime() {
        return properties().usage().halftime();
    }

    boolean isProbabilisticAll() {
        return properties().usage().probabilisticAll();
    }

    long drawsMax() {
        return properties().usage().drawsMax();
    }

    boolean isOverBudget() {
        return !overBudget.isEmpty();
    }

    /** Brings back what was passed over because it exceeded what this queue might take. */
    void requeue() {
        for (SkippedTask passed : overBudget) {
            passed.application.requeue(passed.task);
            passed.leaf.skippedStates.remove(passed.application.state);
        }
        overBudget.clear();
    }

    /** Its class load %, 0 where none is given. */
    int loadPercent() {
        return properties().load().percentOrZero();
    }

    /** The spread above which it rebalances; 0: never. */
    int threshold() {
        return properties().load().rebalanceThreshold();
    }

    private QueueProperties properties() {
        return configured.configuration().properties();
    }

    /** What stands on nodes and belongs to it. */
    Stream<ReferenceAllocation> standing() {
        return all().flatMap(application -> application.standing.stream());
    }

    long allocatedTasks() {
        return standing().filter(task -> !task.isPreempting()).count();
    }

    long preemptingTasks() {
        return standing().filter(ReferenceAllocation::isPreempting).count();
    }

    /** Counts the pending tasks below it that could start now if these nodes had room for them. */
    void countStartable(List<ReferenceNode> nodes) {
        startable = startableTasks(this, nodes);
    }

    private long startableTasks(ReferenceQueue top, List<ReferenceNode> nodes) {
        List<ReferenceTask> alone = startableAlone(top, nodes).toList();
        long count = leaf
                ? alone.size()
                : servedChildren()
                        .mapToLong(child -> child.startableTasks(top, nodes))
                        .sum();
        SortedMap<String, Long> allocated = allocated();
        for (Map.Entry<String, Long> most : max.entrySet()) {
            String type = most.getKey();
            long least = alone.stream()
                    .mapToLong(task -> task.demand.getOrDefault(type, 0L))
                    .min()
                    .orElse(0);
            if (least > 0 && most.getValue() < Long.MAX_VALUE) {
                count = Math.min(count, (most.getValue() - allocated.getOrDefault(type, 0L)) / least);
            }
        }
        return count;
    }

    /** The tasks that could start if no other one did: within the maxima up to this queue, and on one of these nodes when it is empty. */
    private Stream<ReferenceTask> startableAlone(ReferenceQueue top, List<ReferenceNode> nodes) {
        if (!leaf) {
            return servedChildren().flatMap(child -> child.startableAlone(top, nodes));
        }
        List<ReferenceQueue> queues = upToRoot();
        List<ReferenceQueue> limited = queues.subList(0, queues.indexOf(top) + 1);
        boolean roomForApplication = queues.stream().allMatch(ReferenceQueue::canActivateApplication);
        return servable().stream()
                .filter(application -> application.active || roomForApplication)
                .flatMap(application -> application.pending.stream())
                .filter(task -> limited.stream().allMatch(queue -> queue.fits(task)))
                .filter(task -> nodes.stream().anyMatch(node -> node.couldTake(task)));
    }

    private Stream<ReferenceQueue> servedChildren() {
        return children.stream().filter(child -> !sharesByLoad() || child.loadPercent() > 0);
    }

    /** Whether a task is within its maximum once these no longer count. */
    boolean fitsWithout(List<ReferenceAllocation> victims, ReferenceTask task) {
        SortedMap<String, Long> allocated = allocated();
        victims.forEach(victim -> ReferenceAmounts.subtract(allocated, victim.demand));
        return fitsBeside(allocated, task);
    }

    /** Whether something in it may be served. */
    boolean isEligible() {
        return !skipped
                && (leaf
                        ? !servable().isEmpty()
                        : eligibleChildren().findAny().isPresent()
                                || (sharesByUsage() && children.stream().anyMatch(ReferenceQueue::isOverBudget)));
    }

    /** The children that may be served: a class at 0 % never is. */
    private Stream<ReferenceQueue> eligibleChildren() {
        return servedChildren().filter(ReferenceQueue::isEligible);
    }

    /** The highest priority of what may be served in it, and the offset; fenced, the offset alone. */
    long priority() {
        long offset = properties().priorityOffset();
        if (properties().priorityFence()) {
            return offset;
        }
        long highest = leaf
                ? servable().stream()
                        .mapToLong(ReferenceApplication::priority)
                        .max()
                        .orElseThrow()
                : eligibleChildren().mapToLong(ReferenceQueue::priority).max().orElse(0);
        return highest + offset;
    }

    /** The child that is served next, or null: under {@code fair} by (priority, dominant share, more pending, path). */
    @Nullable ReferenceQueue nextChild(SortedMap<String, Long> total, Runnable observeAll) {
        if (usage != null) {
            return usage.next(observeAll);
        }
        if (load != null) {
            return load.next();
        }
        Comparator<ReferenceQueue> order = Comparator.comparing(
                        (ReferenceQueue child) -> child.share(total), ReferenceAmounts.byFractions())
                .thenComparing(
                        child -> ReferenceAmounts.fractions(child.pending(), total),
                        ReferenceAmounts.byFractions().reversed())
                .thenComparing(child -> child.path);
        if (configured.usesPriorities()) {
            order = Comparator.<ReferenceQueue, Long>comparing(child -> -child.priority())
                    .thenComparing(order);
        }
        return eligibleChildren().sorted(order).findFirst().orElseThrow();
    }

    private List<Double> share(SortedMap<String, Long> total) {
        SortedMap<String, Long> divisors = new TreeMap<>(total);
        max.forEach((type, most) -> {
            if (most > 0 && most < Long.MAX_VALUE) {
                divisors.put(type, most);
            }
        });
        guaranteed.forEach((type, least) -> {
            if (least > 0) {
                divisors.put(type, least);
            }
        });
        return ReferenceAmounts.fractions(allocated(), divisors);
    }

    /** The application that is served next. */
    ReferenceApplication nextApplication(SortedMap<String, Long> total) {
        Comparator<ReferenceApplication> order = switch (configured.sortPolicy()) {
            case FIFO, STATE_AWARE -> ReferenceApplication.BY_SUBMISSION;
            case FAIR ->
                Comparator.comparing(
                                (ReferenceApplication application) ->
                                        ReferenceAmounts.fractions(application.allocated, total),
                                ReferenceAmounts.byFractions())
                        .thenComparing(ReferenceApplication.BY_SUBMISSION);
            case FEWEST_RUNNING ->
                Comparator.comparingLong(ReferenceApplication::running)
                        .thenComparing(ReferenceApplication.BY_SUBMISSION);
        };
        return servable().stream().sorted(withPriority(order)).findFirst().orElseThrow();
    }

    private Comparator<ReferenceApplication> withPriority(Comparator<ReferenceApplication> order) {
        return configured.usesPriorities() ? ReferenceApplication.BY_PRIORITY.thenComparing(order) : order;
    }

    /** The applications that may be served now. */
    private List<ReferenceApplication> servable() {
        List<ReferenceApplication> eligible =
                applications.stream().filter(ReferenceApplication::isEligible).toList();
        if (configured.sortPolicy() != ApplicationSortPolicy.STATE_AWARE) {
            return eligible;
        }
        boolean anyStarts = applications.stream().anyMatch(a -> a.state == ApplicationState.STARTING);
        ApplicationState newcomerState = anyStarts ? ApplicationState.STARTING : ApplicationState.ACCEPTED;
        Stream<ReferenceApplication> newcomer = eligible.stream()
                .filter(a -> a.state == newcomerState && !skippedStates.contains(newcomerState))
                .filter(a -> anyStarts || a.pending.stream().anyMatch(this::isFeasible))
                .sorted(withPriority(ReferenceApplication.BY_SUBMISSION))
                .limit(1);
        return Stream.concat(eligible.stream().filter(a -> a.state == ApplicationState.RUNNING), newcomer)
                .toList();
    }

    /** Whether applications that may be served were submitted at one instant. */
    boolean hasSubmissionTie() {
        List<ReferenceApplication> served = servable();
        return served.stream().map(a -> a.submitted).distinct().count() < served.size();
    }

    /** Whether an accepted application is left out because no node could ever hold it. */
    boolean leavesOut() {
        return configured.sortPolicy() == ApplicationSortPolicy.STATE_AWARE
                && applications.stream()
                        .filter(a -> a.state == ApplicationState.ACCEPTED && a.isEligible())
                        .anyMatch(a -> a.pending.stream().noneMatch(this::isFeasible));
    }

    /** Whether some node, ready or not, could ever hold the task. */
    private boolean isFeasible(ReferenceTask task) {
        return nodes.values().stream().anyMatch(node -> node.couldTake(task));
    }

    /** Takes note that an application was passed over: the one newcomer keeps its turn until the cycle ends. */
    void skipped(ReferenceApplication application) {
        if (!application.isEligible()) {
            skippedStates.add(application.state);
        }
    }
}
