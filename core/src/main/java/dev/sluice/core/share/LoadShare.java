package dev.sluice.core.share;

import dev.sluice.core.rank.Ranked;
import dev.sluice.core.rank.RankedHeap;
import dev.sluice.core.resource.ResourceTypes;
import dev.sluice.core.state.Partition;
import dev.sluice.core.state.PartitionEvent;
import dev.sluice.core.state.Queue;
import dev.sluice.core.state.Task;
import dev.sluice.core.state.Vectors;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The share policy {@code load}: every child is a load class with a percentage of the workers.
 *
 * <p>At the start of a cycle {@link LoadDivision} computes how many tasks each class may start. Classes are served in
 * descending load order, each up to that number of slots. Afterwards other tasks start one by one where they fit, each
 * in the class with the lowest running ÷ load %: if a class cannot use its number, or if nodes without slots have free
 * capacity beyond their whole cores. A class at
 * 0 % is never served. Tasks that cannot start now do not count as waiting, see {@link Child#startableTasks}.
 *
 * <p>Once the spread has exceeded the threshold for the minimum duration, {@link LoadDivision#rebalance} applies
 * instead: every class first starts up to its entitlement. If a task of a class below its entitlement fits on no node,
 * the engine may preempt tasks named by the {@link Reclaim} for it. A class whose tasks were preempted starts none in
 * that cycle, and a class that started tasks loses none. While more tasks are allocated than the throttle allows,
 * nothing is preempted, since nothing could take their place.
 *
 * <p>For root, the workers are those of the partition; for a queue below it, the workers that it has and the idle ones
 * that the queues above let it take.
 */
public final class LoadShare implements SharePolicy {

    private final Queue parent;
    private final Partition partition;
    private final List<Queue> classes;
    private final @Nullable Child[] children;
    private final boolean[] eligible;
    private final int[] percents;
    private final ClassRank[] ranks;
    private final RankedHeap<ClassRank> byRunning = new RankedHeap<>(ClassRank::compare);
    private final boolean[] overBudget;
    private int overBudgetCount;

    /** Whether the planned starts of this cycle were used up once, so that tasks start one by one. */
    private boolean oneByOne;

    private final long[] budget = new long[ResourceTypes.SLOTS_INDEX + 1];
    private int servedEligible;
    private int[] byLoad = {};
    private int[] left = {};
    private int[] preempted;
    private int[] entitlements = {};

    // the first indices in descending load order at which a class may have starts left
    private int cursor;
    private int dueCursor;

    /** The class that {@link #next} returned last for its planned starts, or -1. */
    private int served = -1;

    private @Nullable Reclaim reclaim;

    /** When the first protected task may be preempted; null unless a rebalance is due. */
    private @Nullable Instant protectionEnds;

    private @Nullable LoadDivision division;
    private List<LoadClass> loadClasses = List.of();
    private @Nullable LoadWorkers workers;

    /** A class in the order of (running ÷ load %, load % descending, configuration). */
    private static final class ClassRank extends Ranked {
        private final int position;
        private final int percent;
        private long running;

        private ClassRank(int position, int percent) {
            this.position = position;
            this.percent = percent;
        }

        private static int compare(ClassRank a, ClassRank b) {
            int order = Long.compare(a.running * b.percent, b.running * a.percent);
            order = order != 0 ? order : Integer.compare(b.percent, a.percent);
            return order != 0 ? order : Integer.compare(a.position, b.position);
        }
    }

    /** Creates the policy of this parent, whose children are reported by {@link #update}. */
    public LoadShare(Queue parent, Partition partition) {
        this.parent = parent;
        this.partition = partition;
        this.classes = parent.children();
        this.children = new Child[classes.size()];
        this.eligible = new boolean[classes.size()];
        this.overBudget = new boolean[classes.size()];
        this.percents = LoadDivision.scaled(
                classes.stream().mapToInt(LoadShare::percent).toArray());
        this.ranks = new ClassRank[classes.size()];
        for (int i = 0; i < ranks.length; i++) {
            ranks[i] = new ClassRank(i, percents[i]);
        }
        this.preempted = new int[classes.size()];
    }

    private static int percent(Queue queue) {
        return queue.configuration().properties().load().percentOrZero();
    }

    @Override
    public boolean countsStartableTasks() {
        return true;
    }

    @Override
    public void begin(CycleStart start, long[] allowance) {
        int idleWorkers = idleWorkers(start, allowance);
        LoadWorkers known = new LoadWorkers(workers(idleWorkers), idleWorkers);
        workers = known;
        loadClasses = countClasses();
        reclaim = null;
        protectionEnds = null;
        int[] preempting = parent.rebalances() ? countPreempting() : new int[0];
        LoadDivision divided = isRebalanceDue(start, known, preempting)
                ? rebalance(known, preempting, start.now())
                : LoadDivision.allocate(known.workers(), known.idle(), loadClasses);
        division = divided;
        byLoad = divided.byLoad();
        left = divided.starts().stream().mapToInt(Integer::intValue).toArray();
        preempted = new int[classes.size()];
        for (ClassRank rank : ranks) {
            rank(rank);
        }
        entitlements =
                divided.entitlements().stream().mapToInt(Integer::intValue).toArray();
        cursor = 0;
        dueCursor = 0;
        served = -1;
        oneByOne = false;
    }

    private static int idleWorkers(CycleStart start, long[] allowance) {
        long idleWorkers = Math.min(
                start.free()[ResourceTypes.SLOTS_INDEX], Vectors.limitAt(allowance, ResourceTypes.SLOTS_INDEX));
        return (int) Math.min(Integer.MAX_VALUE, idleWorkers);
    }

    /** Returns the number of workers to divide, limited by the throttle. */
    private int workers(int idleWorkers) {
        long workers = parent.parent() == null ? partition.workers() : (long) parent.allocatedTasks() + idleWorkers;
        long limit = partition.throttle() == Partition.UNTHROTTLED ? Integer.MAX_VALUE : partition.throttle();
        return (int) Math.min(limit, workers);
    }

    /** Returns the numbers of all classes. */
    private List<LoadClass> countClasses() {
        List<LoadClass> all = new ArrayList<>();
        for (int i = 0; i < classes.size(); i++) {
            Child child = children[i];
            long startable = child == null ? 0 : child.startableTasks();
            int waiting = (int) Math.min(Integer.MAX_VALUE, startable);
            all.add(new LoadClass(percent(classes.get(i)), classes.get(i).allocatedTasks(), waiting));
        }
        return all;
    }

    /** Returns how many startable tasks of each class may preempt those of others. */
    private int[] countPreempting() {
        int[] preempting = new int[classes.size()];
        for (int i = 0; i < preempting.length; i++) {
            Child child = children[i];
            long startable = child == null ? 0 : child.startableByPreemption();
            preempting[i] = (int) Math.min(loadClasses.get(i).waiting(), startable);
        }
        return preempting;
    }

    /**
     * Returns the numbers of all classes as the demand of a rebalance, where tasks that were preempted and have not
     * ended yet count as waiting. Tasks that may not preempt others count as far as they fit the idle workers.
     */
    private List<LoadClass> countDemand(int[] preempting, int idle) {
        List<LoadClass> all = new ArrayList<>();
        for (int i = 0; i < classes.size(); i++) {
            LoadClass each = loadClasses.get(i);
            long waiting = (long) preempting[i]
                    + Math.min(each.waiting() - preempting[i], idle)
                    + classes.get(i).preemptingTasks();
            all.add(new LoadClass(each.percent(), each.running(), (int) Math.min(Integer.MAX_VALUE, waiting)));
        }
        return all;
    }

    /** Records whether the spread exceeds the threshold; returns whether it has for long enough. */
    private boolean isRebalanceDue(CycleStart start, LoadWorkers known, int[] preempting) {
        if (!parent.rebalances()) {
            return false;
        }
        int threshold = parent.configuration().properties().load().rebalanceThreshold();
        boolean exceeds = isAnyBelowEntitlement(known, preempting)
                && LoadDivision.spread(known.workers(), countDemand(preempting, 0)) > threshold;
        if (exceeds && parent.overThresholdSince() == null) {
            start.emit(new PartitionEvent.SpreadExceeded(partition.name(), parent.path(), start.now()));
        } else if (!exceeds && parent.overThresholdSince() != null) {
            start.emit(new PartitionEvent.SpreadReturned(partition.name(), parent.path(), start.now()));
        }
        return parent.isRebalanceDue() && !partition.exceedsThrottle();
    }

    /** Whether a class below its entitlement could preempt for a task; otherwise there is nothing to rebalance. */
    private boolean isAnyBelowEntitlement(LoadWorkers known, int[] preempting) {
        List<Integer> entitlements =
                LoadDivision.allocate(known.workers(), 0, loadClasses).entitlements();
        for (int i = 0; i < classes.size(); i++) {
            if (preempting[i] > 0 && loadClasses.get(i).running() < entitlements.get(i)) {
                return true;
            }
        }
        return false;
    }

    /** Computes the starts that bring all classes to their entitlements, and the loans to reclaim for them. */
    private LoadDivision rebalance(LoadWorkers known, int[] preempting, Instant now) {
        List<LoadClass> all = countDemand(preempting, known.idle());
        for (int i = 0; i < classes.size(); i++) {
            LoadClass each = all.get(i);
            int running = each.running() - classes.get(i).stoppingTasks();
            all.set(i, new LoadClass(each.percent(), running, each.waiting()));
        }
        List<Integer> reclaimable = countReclaimable(all, now);
        LoadDivision divided = LoadDivision.rebalance(known.workers(), known.idle(), all, reclaimable);
        int[] loans = new int[classes.size()];
        for (int i = 0; i < loans.length; i++) {
            loans[i] = Math.min(divided.loaned().get(i), reclaimable.get(i));
        }
        reclaim = new Reclaim(parent, partition, now, divided.preemptions(), loans);
        return divided;
    }

    /** Returns the number of reclaimable tasks per class, and records when protected ones will be reclaimable. */
    private List<Integer> countReclaimable(List<LoadClass> all, Instant now) {
        if (allTasksOnReadyNodes() && !partition.mayProtectTasks()) {
            return all.stream().map(LoadClass::running).toList();
        }
        Reclaim.Reclaimable found = Reclaim.reclaimable(parent, partition, now);
        protectionEnds = found.protectionEnds();
        return Reclaim.countByClass(parent, found.tasks());
    }

    /**
     * Whether all tasks are on ready nodes: then, if none is protected, the number of reclaimable tasks follows from
     * counters, without visiting each task.
     */
    private boolean allTasksOnReadyNodes() {
        return partition.nodes().stream()
                .allMatch(node -> node.isReady() || node.tasks().isEmpty());
    }

    @Override
    public long[] allowance(Queue child) {
        int position = classes.indexOf(child);
        return new long[] {left[position]};
    }

    @Override
    public void update(Child child) {
        int position = child.position();
        children[position] = child;
        boolean nowEligible = child.isEligible();
        if (nowEligible && !eligible[position]) {
            cursor = 0; // the class may have starts left
            dueCursor = 0;
        }
        if (nowEligible != eligible[position] && percents[position] > 0) {
            servedEligible += nowEligible ? 1 : -1;
        }
        eligible[position] = nowEligible;
        boolean nowOver = child.isOverBudget() && percents[position] > 0;
        overBudgetCount += (nowOver ? 1 : 0) - (overBudget[position] ? 1 : 0);
        overBudget[position] = nowOver;
        ranks[position].running = child.queue().allocatedTasks();
        rank(ranks[position]);
    }

    /** Adds the class to the ranking by running ÷ load %, or removes it if it may not start anything. */
    private void rank(ClassRank rank) {
        if (eligible[rank.position] && rank.percent > 0 && preempted[rank.position] == 0) {
            byRunning.put(rank);
        } else {
            byRunning.remove(rank);
        }
    }

    @Override
    public @Nullable Child next() {
        served = nextPlanned();
        if (served < 0 && !oneByOne) {
            oneByOne = true;
            requeueGangs();
            served = nextPlanned();
        }
        if (served >= 0) {
            budget[ResourceTypes.SLOTS_INDEX] = left[served];
            return children[served];
        }
        budget[ResourceTypes.SLOTS_INDEX] = 1;
        ClassRank lowest = byRunning.first();
        return lowest == null ? null : children[lowest.position];
    }

    private int nextPlanned() {
        while (cursor < byLoad.length && !hasStartsLeft(byLoad[cursor])) {
            cursor++;
        }
        return cursor < byLoad.length ? byLoad[cursor] : -1;
    }

    /** Makes gangs eligible again that exceeded the planned starts of their class. */
    private void requeueGangs() {
        for (int i = 0; overBudgetCount > 0 && i < children.length; i++) {
            Child child = children[i];
            if (overBudget[i] && child != null) {
                child.requeue();
            }
        }
    }

    @Override
    public long[] gangBudget(long[] childBudget) {
        return oneByOne ? UNBOUNDED : childBudget;
    }

    private boolean hasStartsLeft(int position) {
        return eligible[position] && left[position] > 0;
    }

    @Override
    public @Nullable Reclaim reclaim() {
        if (reclaim == null || !isReclaiming() || served < 0 || !isDue(served)) {
            return null;
        }
        reclaim.setBelowEntitlement(classes.get(served).allocatedTasks() < entitlements[served]);
        return reclaim;
    }

    /** Whether tasks may be preempted for a class: it was below its entitlement at the start of the cycle. */
    private boolean isDue(int position) {
        return loadClasses.get(position).running() < entitlements[position];
    }

    @Override
    public boolean isReclaiming() {
        return reclaim != null && reclaim.hasMore();
    }

    @Override
    public @Nullable Instant due() {
        return protectionEnds;
    }

    @Override
    public @Nullable Child nextBeneficiary() {
        while (dueCursor < byLoad.length && !(hasStartsLeft(byLoad[dueCursor]) && isDue(byLoad[dueCursor]))) {
            dueCursor++;
        }
        served = isReclaiming() && dueCursor < byLoad.length ? byLoad[dueCursor] : -1;
        if (served < 0) {
            return null;
        }
        budget[ResourceTypes.SLOTS_INDEX] = left[served];
        return children[served];
    }

    @Override
    public long[] expectedFreed() {
        long[] sum = Vectors.empty();
        if (reclaim != null) {
            for (Task task : reclaim.plannedVictims()) {
                sum = Vectors.sum(sum, task.demand(), 1);
            }
        }
        return sum;
    }

    @Override
    public void preempted(Task task) {
        if (reclaim == null) {
            throw new IllegalStateException(parent + " has no reclaim");
        }
        int position = reclaim.preempted(task);
        preempted[position]++;
        rank(ranks[position]);
    }

    @Override
    public boolean hasPreempted(Child child) {
        return preempted[child.position()] > 0;
    }

    @Override
    public boolean serves(Child child) {
        return percents[child.position()] > 0;
    }

    @Override
    public long[] budget() {
        return budget;
    }

    @Override
    public void placed(Child child, long[] demand) {
        int position = child.position();
        if (left[position] > 0) {
            left[position]--;
        }
        if (reclaim != null) {
            reclaim.exempt(position);
        }
    }

    @Override
    public void freed(Child child, long[] demand) {
        if (preempted[child.position()] == 0) {
            left[child.position()]++;
            cursor = 0;
            dueCursor = 0;
        }
    }

    @Override
    public boolean hasNext() {
        return servedEligible > 0 || overBudgetCount > 0;
    }

    @Override
    public @Nullable ShareFigures figuresOf(Queue child, Instant now) {
        int position = classes.indexOf(child);
        return division == null || position < 0
                ? null
                : new LoadClassShare(
                        division.percents().get(position),
                        division.entitlements().get(position),
                        division.loaned().get(position),
                        division.starts().get(position),
                        loadClasses.get(position).running(),
                        loadClasses.get(position).waiting(),
                        preempted[position]);
    }

    @Override
    public @Nullable ShareFigures divided() {
        return workers;
    }
}
