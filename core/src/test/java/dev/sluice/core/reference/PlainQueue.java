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
final class PlainQueue {

    final String path;
    final @Nullable PlainQueue parent;
    final boolean leaf;
    final boolean kept;
    final List<PlainQueue> children = new ArrayList<>();
    final List<PlainApplication> applications = new ArrayList<>();

    /** What it hands out if it shares by load, once the cycle has begun. */
    @Nullable PlainLoad load;

    /** What it hands out if it shares by usage, once the cycle has begun. */
    @Nullable PlainUsage usage;

    /** Its decayed usage; 0 where the queue above does not share by it. */
    double usagePriority;

    /** What was passed over because it exceeded what this queue might take. */
    final List<PassedOver> overBudget = new ArrayList<>();

    /** Tasks of one shape. */
    record PassedOver(PlainApplication application, PlainTask task, PlainQueue leaf) {}

    /** Whether the classes below it have been too far apart. */
    boolean overThreshold;

    /** Whether that has been so for long enough. */
    boolean rebalanceDue;

    /** How many pending tasks below it could start when the cycle began, if nodes had room for them. */
    long startable;

    /** Whether it turned out to have nothing more to give in this cycle. */
    boolean aside;

    private final Queue configured;
    private final Map<String, PlainNode> nodes;
    private final SortedMap<String, Long> guaranteed;
    private final SortedMap<String, Long> max;
    private final Set<ApplicationState> newcomersPassedOver = new LinkedHashSet<>();

    PlainQueue(
            Queue queue,
            @Nullable PlainQueue parent,
            Map<String, PlainApplication> byId,
            Map<String, PlainNode> nodes) {
        this.configured = queue;
        this.nodes = nodes;
        this.parent = parent;
        this.path = queue.path();
        this.leaf = queue.isLeaf();
        this.kept = parent == null || !(queue.isDraining() || queue.isDynamic());
        this.guaranteed = PlainAmounts.of(queue.configuration().guaranteed());
        this.max = PlainAmounts.of(queue.configuration().max());
        this.overThreshold = queue.overThresholdSince() != null;
        this.rebalanceDue = queue.isRebalanceDue();
        for (Queue child : queue.children()) {
            children.add(new PlainQueue(child, this, byId, nodes));
        }
        for (Application application : queue.applications()) {
            PlainApplication plain = new PlainApplication(application, nodes);
            applications.add(plain);
            byId.put(plain.id, plain);
        }
    }

    /** Works out what it and those below it have used by now; before anything happens at this instant. */
    void countUsage(PlainCores cores, Instant now) {
        Usage.Reading settled = configured.usage();
        usagePriority = settled == null || parent == null
                ? 0
                : PlainCores.decayed(settled.priority(), settled.at(), cores.of(allocated()), now, parent.halftime());
        children.forEach(child -> child.countUsage(cores, now));
    }

    /** This queue and those above it, up to root. */
    List<PlainQueue> upToRoot() {
        List<PlainQueue> queues = new ArrayList<>();
        for (PlainQueue queue = this; queue != null; queue = queue.parent) {
            queues.add(queue);
        }
        return queues;
    }

    /** The applications in it and below it. */
    Stream<PlainApplication> all() {
        return Stream.concat(applications.stream(), children.stream().flatMap(PlainQueue::all));
    }

    /** This queue and those below it. */
    Stream<PlainQueue> queues() {
        return Stream.concat(Stream.of(this), children.stream().flatMap(PlainQueue::queues));
    }

    SortedMap<String, Long> allocated() {
        SortedMap<String, Long> sum = new TreeMap<>();
        all().forEach(application -> PlainAmounts.add(sum, application.allocated));
        return sum;
    }

    SortedMap<String, Long> pending() {
        SortedMap<String, Long> sum = new TreeMap<>();
        all().flatMap(application -> application.pending.stream()).forEach(task -> PlainAmounts.add(sum, task.demand));
        return sum;
    }

    boolean hasRoomFor(PlainTask task) {
        return hasRoomBeside(allocated(), task);
    }

    private boolean hasRoomBeside(SortedMap<String, Long> allocated, PlainTask task) {
        return task.demand.entrySet().stream().allMatch(demand -> {
            long amount = demand.getValue();
            long sum = allocated.getOrDefault(demand.getKey(), 0L) + amount;
            return amount == 0 || sum <= max.getOrDefault(demand.getKey(), Long.MAX_VALUE);
        });
    }

    /** Whether one more application may become active in it. */
    boolean hasRoomForApplication() {
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

    boolean allByLot() {
        return properties().usage().probabilisticAll();
    }

    long drawsMax() {
        return properties().usage().drawsMax();
    }

    boolean isOverBudget() {
        return !overBudget.isEmpty();
    }

    /** Brings back what was passed over because it exceeded what this queue might take. */
    void offerAgain() {
        for (PassedOver passed : overBudget) {
            passed.application.offerAgain(passed.task);
            passed.leaf.newcomersPassedOver.remove(passed.application.state);
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
    Stream<PlainStanding> standing() {
        return all().flatMap(application -> application.standing.stream());
    }

    long placedTasks() {
        return standing().filter(task -> !task.isLeaving()).count();
    }

    long leavingTasks() {
        return standing().filter(PlainStanding::isLeaving).count();
    }

    /** Counts the pending tasks below it that could start now if these nodes had room for them. */
    void countStartable(List<PlainNode> nodes) {
        startable = startableTasks(this, nodes);
    }

    private long startableTasks(PlainQueue top, List<PlainNode> nodes) {
        List<PlainTask> alone = startableAlone(top, nodes).toList();
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
    private Stream<PlainTask> startableAlone(PlainQueue top, List<PlainNode> nodes) {
        if (!leaf) {
            return servedChildren().flatMap(child -> child.startableAlone(top, nodes));
        }
        List<PlainQueue> queues = upToRoot();
        List<PlainQueue> limited = queues.subList(0, queues.indexOf(top) + 1);
        boolean roomForApplication = queues.stream().allMatch(PlainQueue::hasRoomForApplication);
        return servable().stream()
                .filter(application -> application.active || roomForApplication)
                .flatMap(application -> application.pending.stream())
                .filter(task -> limited.stream().allMatch(queue -> queue.hasRoomFor(task)))
                .filter(task -> nodes.stream().anyMatch(node -> node.couldTake(task)));
    }

    private Stream<PlainQueue> servedChildren() {
        return children.stream().filter(child -> !sharesByLoad() || child.loadPercent() > 0);
    }

    /** Whether a task is within its maximum once these no longer count. */
    boolean hasRoomWithout(List<PlainStanding> victims, PlainTask task) {
        SortedMap<String, Long> allocated = allocated();
        victims.forEach(victim -> PlainAmounts.subtract(allocated, victim.demand));
        return hasRoomBeside(allocated, task);
    }

    /** Whether something in it may be served. */
    boolean isInPlay() {
        return !aside
                && (leaf
                        ? !servable().isEmpty()
                        : childrenInPlay().findAny().isPresent()
                                || (sharesByUsage() && children.stream().anyMatch(PlainQueue::isOverBudget)));
    }

    /** The children that may be served: a class at 0 % never is. */
    private Stream<PlainQueue> childrenInPlay() {
        return servedChildren().filter(PlainQueue::isInPlay);
    }

    /** The highest priority of what may be served in it, and the offset; fenced, the offset alone. */
    long priority() {
        long offset = properties().priorityOffset();
        if (properties().priorityFence()) {
            return offset;
        }
        long highest = leaf
                ? servable().stream()
                        .mapToLong(PlainApplication::priority)
                        .max()
                        .orElseThrow()
                : childrenInPlay().mapToLong(PlainQueue::priority).max().orElse(0);
        return highest + offset;
    }

    /** The child that is served next, or null: under {@code fair} by (priority, dominant share, more pending, path). */
    @Nullable PlainQueue nextChild(SortedMap<String, Long> total, Runnable observeAll) {
        if (usage != null) {
            return usage.next(observeAll);
        }
        if (load != null) {
            return load.next();
        }
        Comparator<PlainQueue> order = Comparator.comparing(
                        (PlainQueue child) -> child.share(total), PlainAmounts.byFractions())
                .thenComparing(
                        child -> PlainAmounts.fractions(child.pending(), total),
                        PlainAmounts.byFractions().reversed())
                .thenComparing(child -> child.path);
        if (configured.priorityCounts()) {
            order = Comparator.<PlainQueue, Long>comparing(child -> -child.priority())
                    .thenComparing(order);
        }
        return childrenInPlay().sorted(order).findFirst().orElseThrow();
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
        return PlainAmounts.fractions(allocated(), divisors);
    }

    /** The application that is served next. */
    PlainApplication nextApplication(SortedMap<String, Long> total) {
        Comparator<PlainApplication> order = switch (configured.sortPolicy()) {
            case FIFO, STATE_AWARE -> PlainApplication.BY_SUBMISSION;
            case FAIR ->
                Comparator.comparing(
                                (PlainApplication application) -> PlainAmounts.fractions(application.allocated, total),
                                PlainAmounts.byFractions())
                        .thenComparing(PlainApplication.BY_SUBMISSION);
            case FEWEST_RUNNING ->
                Comparator.comparingLong(PlainApplication::running).thenComparing(PlainApplication.BY_SUBMISSION);
        };
        return servable().stream().sorted(withPriority(order)).findFirst().orElseThrow();
    }

    private Comparator<PlainApplication> withPriority(Comparator<PlainApplication> order) {
        return configured.priorityCounts() ? PlainApplication.BY_PRIORITY.thenComparing(order) : order;
    }

    /** The applications that may be served now. */
    private List<PlainApplication> servable() {
        List<PlainApplication> inPlay =
                applications.stream().filter(PlainApplication::isInPlay).toList();
        if (configured.sortPolicy() != ApplicationSortPolicy.STATE_AWARE) {
            return inPlay;
        }
        boolean anyStarts = applications.stream().anyMatch(a -> a.state == ApplicationState.STARTING);
        ApplicationState newcomerState = anyStarts ? ApplicationState.STARTING : ApplicationState.ACCEPTED;
        Stream<PlainApplication> newcomer = inPlay.stream()
                .filter(a -> a.state == newcomerState && !newcomersPassedOver.contains(newcomerState))
                .filter(a -> anyStarts || a.pending.stream().anyMatch(this::isHoldable))
                .sorted(withPriority(PlainApplication.BY_SUBMISSION))
                .limit(1);
        return Stream.concat(inPlay.stream().filter(a -> a.state == ApplicationState.RUNNING), newcomer)
                .toList();
    }

    /** Whether applications that may be served were submitted at one instant. */
    boolean hasSubmissionTie() {
        List<PlainApplication> served = servable();
        return served.stream().map(a -> a.submitted).distinct().count() < served.size();
    }

    /** Whether an accepted application is left out because no node could ever hold it. */
    boolean leavesOut() {
        return configured.sortPolicy() == ApplicationSortPolicy.STATE_AWARE
                && applications.stream()
                        .filter(a -> a.state == ApplicationState.ACCEPTED && a.isInPlay())
                        .anyMatch(a -> a.pending.stream().noneMatch(this::isHoldable));
    }

    /** Whether some node, ready or not, could ever hold the task. */
    private boolean isHoldable(PlainTask task) {
        return nodes.values().stream().anyMatch(node -> node.couldTake(task));
    }

    /** Takes note that an application was passed over: the one newcomer keeps its turn until the cycle ends. */
    void passedOver(PlainApplication application) {
        if (!application.isInPlay()) {
            newcomersPassedOver.add(application.state);
        }
    }
}
