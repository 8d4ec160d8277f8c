package dev.sluice.core.reference;

import dev.sluice.core.application.ApplicationState;
import dev.sluice.core.configuration.ApplicationSortPolicy;
import dev.sluice.core.configuration.Limit;
import dev.sluice.core.configuration.PreemptionPolicy;
import dev.sluice.core.configuration.PreemptionProperties;
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
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** One queue with its child queues or applications. */
final class ReferenceQueue {

    final String path;
    final @Nullable ReferenceQueue parent;
    final boolean leaf;
    final boolean kept;
    final List<ReferenceQueue> children = new ArrayList<>();
    final List<ReferenceApplication> applications = new ArrayList<>();

    /** What it gives out if it shares by load, once the cycle has begun. */
    @Nullable ReferenceLoad load;

    /** What it gives out if it shares by usage, once the cycle has begun. */
    @Nullable ReferenceUsage usage;

    /** Its decayed usage; 0 unless the parent shares by usage. */
    double usagePriority;

    /** The tasks deferred because they exceeded this queue's budget. */
    final List<SkippedTask> overBudget = new ArrayList<>();

    /** The gangs deferred because they exceeded this queue's budget. */
    final List<SkippedGang> gangsOverBudget = new ArrayList<>();

    /** An application whose gang was deferred. */
    record SkippedGang(ReferenceApplication application, ReferenceQueue leaf) {}

    /** An equivalence class of tasks. */
    record SkippedTask(ReferenceApplication application, ReferenceTask task, ReferenceQueue leaf) {}

    /** Whether the spread of its classes exceeds the threshold. */
    boolean overThreshold;

    /** Whether it has for long enough. */
    boolean rebalanceDue;

    /** The number of pending tasks below it that could start at the start of the cycle, given free capacity. */
    long startable;

    /** Those of them that may preempt tasks of other queues. */
    long startableByPreemption;

    /** Whether it cannot start anything more in this cycle. */
    boolean skipped;

    private final Queue configured;
    private final Map<String, ReferenceNode> nodes;
    private final List<String> levels;
    final SortedMap<String, Long> guaranteed;
    final SortedMap<String, Long> max;

    /** Since when it has used more than its maximum, at the start of the cycle. */
    final @Nullable Instant overMaximumSince;

    private final Set<ApplicationState> skippedStates = new LinkedHashSet<>();

    ReferenceQueue(
            Queue queue,
            @Nullable ReferenceQueue parent,
            Map<String, ReferenceApplication> byId,
            Map<String, ReferenceNode> nodes,
            List<String> levels) {
        this.configured = queue;
        this.nodes = nodes;
        this.levels = levels;
        this.parent = parent;
        this.path = queue.path();
        this.leaf = queue.isLeaf();
        this.kept = parent == null || !(queue.isDraining() || queue.isDynamic());
        this.guaranteed = ReferenceAmounts.of(queue.configuration().guaranteed());
        this.max = ReferenceAmounts.of(queue.configuration().max());
        this.overMaximumSince = queue.overMaximumSince();
        this.overThreshold = queue.overThresholdSince() != null;
        this.rebalanceDue = queue.isRebalanceDue();
        for (Queue child : queue.children()) {
            children.add(new ReferenceQueue(child, this, byId, nodes, levels));
        }
        for (Application application : queue.applications()) {
            ReferenceApplication plain = new ReferenceApplication(application, nodes);
            applications.add(plain);
            byId.put(plain.id, plain);
        }
    }

    /** Updates its decayed usage and that of the queues below it; before anything happens at this time. */
    void countUsage(ReferenceCores cores, Instant now) {
        Usage.Reading settled = configured.usage();
        usagePriority = settled == null || parent == null
                ? 0
                : ReferenceCores.decayed(
                        settled.priority(), settled.at(), cores.of(allocated()), now, parent.halftime());
        children.forEach(child -> child.countUsage(cores, now));
    }

    /** Returns this queue and its ancestors, up to root. */
    List<ReferenceQueue> upToRoot() {
        List<ReferenceQueue> queues = new ArrayList<>();
        for (ReferenceQueue queue = this; queue != null; queue = queue.parent) {
            queues.add(queue);
        }
        return queues;
    }

    /** Returns all applications below it. */
    Stream<ReferenceApplication> all() {
        return Stream.concat(applications.stream(), children.stream().flatMap(ReferenceQueue::all));
    }

    /** Returns this queue and all queues below it. */
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

    /** Returns the groups that have limits in it, in the order of the configuration. */
    List<String> limitedGroups() {
        return limits().stream().flatMap(limit -> limit.groups().stream()).toList();
    }

    private List<Limit> limits() {
        return configured.configuration().limits();
    }

    /** The limit of one user or group, and who counts against it. */
    private record Limited(Limit limit, List<ReferenceApplication> counted) {

        boolean canActivateApplication() {
            long active =
                    counted.stream().filter(application -> application.active).count();
            return limit.maxApplications() == 0 || active < limit.maxApplications();
        }

        boolean fits(ReferenceTask task) {
            return task.demand.entrySet().stream()
                    .allMatch(demand -> demand.getValue() == 0 || demand.getValue() <= headroom(demand.getKey()));
        }

        private long headroom(String type) {
            long most = limit.maxResources().limit(type).value();
            long used = counted.stream()
                    .mapToLong(application -> application.allocated.getOrDefault(type, 0L))
                    .sum();
            return most == Long.MAX_VALUE ? most : most - used;
        }

        /** Returns how many of these tasks fit if each needs only the least of all. */
        long most(List<ReferenceTask> tasks) {
            long count = tasks.size();
            for (String type : limit.maxResources().amounts().keySet()) {
                long least = tasks.stream()
                        .mapToLong(task -> task.demand.getOrDefault(type, 0L))
                        .min()
                        .orElse(0);
                if (least > 0) {
                    count = Math.min(count, Math.max(0, headroom(type)) / least);
                }
            }
            return count;
        }
    }

    /** Returns the limits of the application's user in the queues of this leaf, from here up to root. */
    private List<Limited> userLimits(ReferenceApplication application) {
        List<Limited> limited = new ArrayList<>();
        for (ReferenceQueue queue : upToRoot()) {
            Stream.concat(
                            queue.limits().stream()
                                    .filter(limit -> limit.users().contains(application.user)),
                            queue.limits().stream()
                                    .filter(limit -> limit.users().contains("*")))
                    .findFirst()
                    .ifPresent(limit -> limited.add(new Limited(
                            limit,
                            queue.all()
                                    .filter(other -> other.user.equals(application.user))
                                    .toList())));
        }
        return limited;
    }

    /** Returns the limits of the application's group in the queues of this leaf, from here up to root. */
    private List<Limited> groupLimits(ReferenceApplication application) {
        List<Limited> limited = new ArrayList<>();
        String group = application.groupIn(upToRoot());
        for (ReferenceQueue queue : upToRoot()) {
            queue.limits().stream()
                    .filter(limit -> group != null && limit.groups().contains(group))
                    .findFirst()
                    .ifPresent(limit -> limited.add(new Limited(limit, queue.ofGroup(String.valueOf(group)))));
        }
        return limited;
    }

    private List<ReferenceApplication> ofGroup(String group) {
        return leaf
                ? applications.stream()
                        .filter(application -> group.equals(application.groupIn(upToRoot())))
                        .toList()
                : children.stream()
                        .flatMap(child -> child.ofGroup(group).stream())
                        .toList();
    }

    private Stream<Limited> allLimits(ReferenceApplication application) {
        return Stream.concat(userLimits(application).stream(), groupLimits(application).stream());
    }

    /** Whether the limits of its user and group permit the application of this leaf to become active. */
    boolean limitsPermit(ReferenceApplication application) {
        return allLimits(application).allMatch(Limited::canActivateApplication);
    }

    /** Whether the limits of its user and group permit this task of an application of this leaf. */
    boolean limitsPermit(ReferenceApplication application, ReferenceTask task) {
        return allLimits(application).allMatch(limited -> limited.fits(task));
    }

    /** Returns how many of these tasks of this leaf the limits of users, or those of groups, permit together. */
    private long permitted(
            List<ReferenceTask> tasks,
            Function<ReferenceApplication, String> name,
            Function<ReferenceApplication, List<Limited>> limits) {
        Map<String, List<ReferenceTask>> byName = new TreeMap<>();
        Map<String, ReferenceApplication> any = new TreeMap<>();
        for (ReferenceApplication application : applications) {
            byName.computeIfAbsent(name.apply(application), key -> new ArrayList<>())
                    .addAll(application.pending.stream().filter(tasks::contains).toList());
            any.put(name.apply(application), application);
        }
        long permitted = 0;
        for (Map.Entry<String, List<ReferenceTask>> entry : byName.entrySet()) {
            List<ReferenceTask> asked = entry.getValue();
            permitted += limits.apply(any.get(entry.getKey())).stream()
                    .mapToLong(limited -> limited.most(asked))
                    .min()
                    .orElse(asked.size());
        }
        return permitted;
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
        return !overBudget.isEmpty() || !gangsOverBudget.isEmpty();
    }

    /** Makes deferred tasks eligible again. */
    void requeue() {
        for (SkippedTask passed : overBudget) {
            passed.application.requeue(passed.task);
            passed.leaf.skippedStates.remove(passed.application.state);
        }
        overBudget.clear();
        for (SkippedGang gang : gangsOverBudget) {
            gang.application.requeue();
            gang.leaf.skippedStates.remove(gang.application.state);
        }
        gangsOverBudget.clear();
    }

    /** Returns its class load %, 0 if not set. */
    int loadPercent() {
        return properties().load().percentOrZero();
    }

    /** Returns its rebalance threshold; 0: never. */
    int threshold() {
        return properties().load().rebalanceThreshold();
    }

    private PreemptionProperties preemption() {
        return properties().preemption();
    }

    boolean isPreemptionFence() {
        return preemption().policy() == PreemptionPolicy.FENCE;
    }

    boolean disablesPreemption() {
        return preemption().policy() == PreemptionPolicy.DISABLED;
    }

    boolean sharesFairly() {
        return properties().sharePolicy() == SharePolicyKind.FAIR;
    }

    boolean usesPriorities() {
        return configured.usesPriorities();
    }

    /** Returns how a parent sees this priority of a task or child. */
    long shown(long priority) {
        return properties().priorityOffset() + (properties().priorityFence() ? 0 : priority);
    }

    Duration preemptionDelay() {
        return preemption().delay() != null
                ? preemption().delay()
                : parent == null ? Duration.ofSeconds(30) : parent.preemptionDelay();
    }

    Duration reservationDelay() {
        Duration own = properties().reservation().delay();
        return own != null ? own : parent == null ? Duration.ofSeconds(30) : parent.reservationDelay();
    }

    @Nullable Duration taskTimeout() {
        return configured.taskTimeout();
    }

    Duration quotaDelay() {
        return preemption().quotaDelay();
    }

    boolean preemptsByPriority() {
        return preemption().byPriority() != null
                ? preemption().byPriority()
                : parent != null && parent.preemptsByPriority();
    }

    private Duration minimumRuntime() {
        return preemption().minimumRuntime() != null
                ? preemption().minimumRuntime()
                : parent == null ? Duration.ZERO : parent.minimumRuntime();
    }

    /** Returns the leaf below it that contains the application of this task. */
    ReferenceQueue leafOf(ReferenceAllocation task) {
        return queues().filter(queue -> queue.applications.contains(task.application))
                .findFirst()
                .orElseThrow();
    }

    /** Whether a task below it may not be preempted at this time, whoever needs its place. */
    boolean protects(ReferenceAllocation task, Instant now) {
        ReferenceQueue of = leafOf(task);
        Instant since = task.started.equals(Instant.MAX) ? task.placed : task.started;
        boolean young = !of.minimumRuntime().isZero()
                && (since.equals(Instant.MAX) || since.plus(of.minimumRuntime()).isAfter(now));
        return of.isPreemptionDisabled() || young || !task.spec.attempts().preemptible();
    }

    /** Makes everything below it eligible again. */
    void requeueAll() {
        queues().forEach(queue -> {
            queue.skipped = false;
            queue.overBudget.clear();
            queue.gangsOverBudget.clear();
            queue.skippedStates.clear();
        });
        all().forEach(ReferenceApplication::requeueAll);
    }

    private QueueProperties properties() {
        return configured.configuration().properties();
    }

    /** Returns its tasks on nodes. */
    Stream<ReferenceAllocation> tasksOnNodes() {
        return all().flatMap(application -> application.standing.stream());
    }

    long allocatedTasks() {
        return tasksOnNodes().filter(task -> !task.isPreempting()).count();
    }

    long preemptingTasks() {
        return tasksOnNodes().filter(ReferenceAllocation::isPreempting).count();
    }

    /** Counts the pending tasks below it that could start now, given free capacity on these nodes. */
    void countStartable(List<ReferenceNode> nodes) {
        startable = startableTasks(this, nodes, queue -> true);
        startableByPreemption = isPreemptionDisabled()
                ? 0
                : startableTasks(this, nodes, queue -> !queue.isPreemptionFence() && !queue.disablesPreemption());
    }

    boolean isPreemptionDisabled() {
        return upToRoot().stream().anyMatch(ReferenceQueue::disablesPreemption);
    }

    private long startableTasks(ReferenceQueue top, List<ReferenceNode> nodes, Predicate<ReferenceQueue> counts) {
        if (!counts.test(this)) {
            return 0;
        }
        List<ReferenceTask> alone = startableAlone(top, nodes, counts).toList();
        long count = leaf
                ? Math.min(
                        permitted(alone, application -> application.user, this::userLimits),
                        permitted(
                                alone,
                                application -> String.valueOf(application.groupIn(upToRoot())),
                                this::groupLimits))
                : servedChildren()
                        .mapToLong(child -> child.startableTasks(top, nodes, counts))
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

    /**
     * Returns the tasks that could start if no other did: within the maxima up to this queue, and on one of these nodes
     * if it is empty.
     */
    private Stream<ReferenceTask> startableAlone(
            ReferenceQueue top, List<ReferenceNode> nodes, Predicate<ReferenceQueue> counts) {
        if (!counts.test(this)) {
            return Stream.empty();
        }
        if (!leaf) {
            return servedChildren().flatMap(child -> child.startableAlone(top, nodes, counts));
        }
        List<ReferenceQueue> queues = upToRoot();
        List<ReferenceQueue> limited = queues.subList(0, queues.indexOf(top) + 1);
        boolean roomForApplication = queues.stream().allMatch(ReferenceQueue::canActivateApplication);
        return eligibleApplications().stream()
                .filter(application -> application.active || (roomForApplication && limitsPermit(application)))
                .flatMap(application -> application.pending.stream().filter(task -> limitsPermit(application, task)))
                .filter(task -> limited.stream().allMatch(queue -> queue.fits(task)))
                .filter(task -> nodes.stream().anyMatch(node -> node.couldTake(task)));
    }

    private Stream<ReferenceQueue> servedChildren() {
        return children.stream().filter(child -> !sharesByLoad() || child.loadPercent() > 0);
    }

    /** Whether a task is within its maximum without these other tasks. */
    boolean fitsWithout(List<ReferenceAllocation> victims, ReferenceTask task) {
        SortedMap<String, Long> allocated = allocated();
        victims.forEach(victim -> ReferenceAmounts.subtract(allocated, victim.demand));
        return fitsBeside(allocated, task);
    }

    /** Whether it has eligible tasks. */
    boolean isEligible() {
        return !skipped
                && (leaf
                        ? !eligibleApplications().isEmpty()
                        : eligibleChildren().findAny().isPresent()
                                || ((sharesByUsage() || sharesByLoad())
                                        && children.stream().anyMatch(ReferenceQueue::isOverBudget)));
    }

    /** Returns the eligible children; a class at 0 % never is. */
    private Stream<ReferenceQueue> eligibleChildren() {
        return servedChildren().filter(ReferenceQueue::isEligible);
    }

    /** Returns the highest priority of its eligible tasks plus the offset; fenced: the offset alone. */
    long priority() {
        long offset = properties().priorityOffset();
        if (properties().priorityFence()) {
            return offset;
        }
        long highest = leaf
                ? eligibleApplications().stream()
                        .mapToLong(ReferenceApplication::priority)
                        .max()
                        .orElseThrow()
                : eligibleChildren().mapToLong(ReferenceQueue::priority).max().orElse(0);
        return highest + offset;
    }

    /**
     * Returns the child that is served next, or null: under {@code fair} by (priority, dominant share, more pending,
     * path).
     */
    @Nullable ReferenceQueue nextChild(SortedMap<String, Long> total, Runnable observeAll) {
        if (usage != null) {
            return usage.next(observeAll);
        }
        if (load != null) {
            return load.next(observeAll);
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

    List<Double> share(SortedMap<String, Long> total) {
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

    /** Returns the application that is served next. */
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
        return eligibleApplications().stream()
                .sorted(withPriority(order))
                .findFirst()
                .orElseThrow();
    }

    private Comparator<ReferenceApplication> withPriority(Comparator<ReferenceApplication> order) {
        return configured.usesPriorities() ? ReferenceApplication.BY_PRIORITY.thenComparing(order) : order;
    }

    /** Returns the applications that may be served now. */
    private List<ReferenceApplication> eligibleApplications() {
        List<ReferenceApplication> eligible =
                applications.stream().filter(ReferenceApplication::isEligible).toList();
        if (configured.sortPolicy() != ApplicationSortPolicy.STATE_AWARE) {
            return eligible;
        }
        boolean anyStarts = applications.stream().anyMatch(a -> a.state == ApplicationState.STARTING);
        ApplicationState newcomerState = anyStarts ? ApplicationState.STARTING : ApplicationState.ACCEPTED;
        Stream<ReferenceApplication> newcomer = eligible.stream()
                .filter(a -> a.state == newcomerState && !skippedStates.contains(newcomerState))
                .filter(a -> anyStarts || mayEverStart(a))
                .sorted(withPriority(ReferenceApplication.BY_SUBMISSION))
                .limit(1);
        return Stream.concat(eligible.stream().filter(a -> a.state == ApplicationState.RUNNING), newcomer)
                .toList();
    }

    /** Whether several eligible applications have the same submission time. */
    boolean hasSubmissionTie() {
        List<ReferenceApplication> served = eligibleApplications();
        return served.stream().map(a -> a.submitted).distinct().count() < served.size();
    }

    /** Whether an accepted application is skipped because it fits no node. */
    boolean skipsInfeasible() {
        return configured.sortPolicy() == ApplicationSortPolicy.STATE_AWARE
                && applications.stream()
                        .filter(a -> a.state == ApplicationState.ACCEPTED && a.isEligible())
                        .anyMatch(a -> !mayEverStart(a));
    }

    /** Whether an accepted application of this leaf could start if nothing else ran. */
    private boolean mayEverStart(ReferenceApplication application) {
        return application.isGangWaiting()
                ? new ReferenceGangCapacity(application, nodes.values(), levels).suffices(upToRoot())
                : application.pending.stream().anyMatch(this::isFeasible);
    }

    /** Whether some node, ready or not, could run the task if it were empty, and no maximum is smaller. */
    private boolean isFeasible(ReferenceTask task) {
        return nodes.values().stream().anyMatch(node -> node.couldTake(task))
                && upToRoot().stream().allMatch(queue -> queue.isLargeEnoughFor(task.demand));
    }

    /** Whether its maximum is not smaller than this demand. */
    boolean isLargeEnoughFor(SortedMap<String, Long> demand) {
        return demand.entrySet().stream()
                .allMatch(each -> each.getValue() <= max.getOrDefault(each.getKey(), Long.MAX_VALUE));
    }

    /**
     * Records that an application was skipped: the one accepted application keeps its position until the end of the
     * cycle.
     */
    void skipped(ReferenceApplication application) {
        if (!application.isEligible()) {
            skippedStates.add(application.state);
        }
    }
}
