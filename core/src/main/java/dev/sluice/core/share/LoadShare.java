package dev.sluice.core.share;

import dev.sluice.core.rank.Ranked;
import dev.sluice.core.rank.RankedHeap;
import dev.sluice.core.resource.ResourceTypes;
import dev.sluice.core.state.Partition;
import dev.sluice.core.state.PartitionEvent;
import dev.sluice.core.state.Queue;
import dev.sluice.core.state.Task;
import dev.sluice.core.state.Vectors;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The share policy {@code load}: every child is a class with a percentage of the workers.
 *
 * <p>At the beginning of a cycle {@link LoadDivision} works out how many tasks each class may start. Classes are served in descending load
 * order, each up to that number of slots. What still fits after that starts too, one by one, each for the class with the lowest
 * running ÷ load %: where a class cannot use its number, and where nodes without slots have room beyond their whole cores. A class at 0 % is never
 * served. Tasks that can never start now count as waiting for nobody, see {@link Child#startableTasks}.
 *
 * <p>When classes have been too far apart from their loads for long enough, the division of {@link LoadDivision#rebalance} holds instead: every class
 * first starts up to its entitlement. Where no node has room for a task of a class that was below its entitlement, the engine may preempt for it what
 * the {@link Reclaim} names. A class that lost tasks starts none in that cycle, and one that started some loses none. While more tasks hold a place than
 * the throttle allows nothing is preempted, since nobody could take the places.
 *
 * <p>The workers of root are those of the partition. Those of a queue below it are what it has and what the queues above let it take
 * of what is idle.
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
    private final long[] budget = new long[ResourceTypes.SLOTS_INDEX + 1];
    private int servedEligible;
    private int[] byLoad = {};
    private int[] left = {};
    private int[] preempted;
    private int[] entitlements = {};

    // the first places in descending load order where a class may have some of its number left
    private int cursor;
    private int dueCursor;

    /** The class that was served last by its number, or -1. */
    private int served = -1;

    private @Nullable Reclaim reclaim;
    private @Nullable LoadDivision division;
    private List<LoadClass> counted = List.of();
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

    /** The policy of this parent, whose children are reported by {@link #update}. */
    public LoadShare(Queue parent, Partition partition) {
        this.parent = parent;
        this.partition = partition;
        this.classes = parent.children();
        this.children = new Child[classes.size()];
        this.eligible = new boolean[classes.size()];
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
    public void begin(CycleStart start, long[] allowance) {
        int mine = idleWorkers(start, allowance);
        LoadWorkers known = new LoadWorkers(workers(mine), mine);
        workers = known;
        counted = counted();
        reclaim = null;
        LoadDivision divided = isRebalanceDue(start, known)
                ? rebalance(known)
                : LoadDivision.allocate(known.workers(), known.idle(), counted);
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
    }

    private static int idleWorkers(CycleStart start, long[] allowance) {
        long idleWorkers = Math.min(
                start.free()[ResourceTypes.SLOTS_INDEX], Vectors.limitAt(allowance, ResourceTypes.SLOTS_INDEX));
        return (int) Math.min(Integer.MAX_VALUE, idleWorkers);
    }

    /** All workers of the partition, or what this queue has and may take; never more than may run. */
    private int workers(int mine) {
        long workers = parent.parent() == null ? partition.workers() : (long) parent.allocatedTasks() + mine;
        long most = partition.throttle() == Partition.UNTHROTTLED ? Integer.MAX_VALUE : partition.throttle();
        return (int) Math.min(most, workers);
    }

    /** The classes with what they run and what could start. */
    private List<LoadClass> counted() {
        List<LoadClass> all = new ArrayList<>();
        for (int i = 0; i < classes.size(); i++) {
            Child child = children[i];
            long startable = child == null ? 0 : child.startableTasks();
            int waiting = (int) Math.min(Integer.MAX_VALUE, startable);
            all.add(new LoadClass(percent(classes.get(i)), classes.get(i).allocatedTasks(), waiting));
        }
        return all;
    }

    /** The same classes; what was preempted and has not ended yet will wait in a moment, so it counts as waiting. */
    private List<LoadClass> countedWithPreempting() {
        List<LoadClass> all = new ArrayList<>();
        for (int i = 0; i < classes.size(); i++) {
            LoadClass each = counted.get(i);
            long waiting = (long) each.waiting() + classes.get(i).preemptingTasks();
            all.add(new LoadClass(each.percent(), each.running(), (int) Math.min(Integer.MAX_VALUE, waiting)));
        }
        return all;
    }

    /** Takes note whether the classes are too far apart, and says whether they have been for long enough. */
    private boolean isRebalanceDue(CycleStart start, LoadWorkers known) {
        if (!parent.rebalances()) {
            return false;
        }
        int threshold = parent.configuration().properties().load().rebalanceThreshold();
        boolean exceeds = isAnyBelowEntitlement(known)
                && LoadDivision.spread(known.workers(), countedWithPreempting()) > threshold;
        if (exceeds && parent.overThresholdSince() == null) {
            start.emit(new PartitionEvent.SpreadExceeded(partition.name(), parent.path(), start.now()));
        } else if (!exceeds && parent.overThresholdSince() != null) {
            start.emit(new PartitionEvent.SpreadReturned(partition.name(), parent.path(), start.now()));
        }
        return parent.isRebalanceDue() && !exceedsThrottle();
    }

    /** Whether a class below its entitlement could start a task: otherwise nobody is due anything. */
    private boolean isAnyBelowEntitlement(LoadWorkers known) {
        List<Integer> entitlements =
                LoadDivision.allocate(known.workers(), 0, counted).entitlements();
        for (int i = 0; i < classes.size(); i++) {
            if (counted.get(i).waiting() > 0 && counted.get(i).running() < entitlements.get(i)) {
                return true;
            }
        }
        return false;
    }

    /** Whether more tasks hold a place than may: then nobody could take the place of one that is preempted. */
    private boolean exceedsThrottle() {
        return partition.throttle() != Partition.UNTHROTTLED
                && partition.queues().root().allocatedTasks() > partition.throttle();
    }

    /** What each class starts so that all come to what they are entitled to, and the loans that may be reclaimed for that. */
    private LoadDivision rebalance(LoadWorkers known) {
        List<LoadClass> all = countedWithPreempting();
        for (int i = 0; i < classes.size(); i++) {
            LoadClass each = all.get(i);
            int running = each.running() - classes.get(i).stoppingTasks();
            all.set(i, new LoadClass(each.percent(), running, each.waiting()));
        }
        List<Integer> reclaimable = allTasksOnReadyNodes()
                ? all.stream().map(LoadClass::running).toList()
                : Reclaim.countByClass(parent, Reclaim.reclaimable(parent, partition));
        LoadDivision divided = LoadDivision.rebalance(known.workers(), known.idle(), all, reclaimable);
        int[] loans = new int[classes.size()];
        for (int i = 0; i < loans.length; i++) {
            loans[i] = Math.min(divided.loaned().get(i), reclaimable.get(i));
        }
        reclaim = new Reclaim(parent, partition, divided.preemptions(), loans);
        return divided;
    }

    /** Then the numbers of tasks tell how many can be preempted, without a look at each of them. */
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
        boolean now = child.isEligible();
        if (now && !eligible[position]) {
            cursor = 0; // it may have some of its number left
            dueCursor = 0;
        }
        if (now != eligible[position] && percents[position] > 0) {
            servedEligible += now ? 1 : -1;
        }
        eligible[position] = now;
        ranks[position].running = child.queue().allocatedTasks();
        rank(ranks[position]);
    }

    /** Ranks a class, unless it may start nothing beyond its number. */
    private void rank(ClassRank rank) {
        if (eligible[rank.position] && rank.percent > 0 && preempted[rank.position] == 0) {
            byRunning.put(rank);
        } else {
            byRunning.remove(rank);
        }
    }

    @Override
    public @Nullable Child next() {
        while (cursor < byLoad.length && !hasStartsLeft(byLoad[cursor])) {
            cursor++;
        }
        served = cursor < byLoad.length ? byLoad[cursor] : -1;
        if (served >= 0) {
            budget[ResourceTypes.SLOTS_INDEX] = left[served];
            return children[served];
        }
        budget[ResourceTypes.SLOTS_INDEX] = 1;
        ClassRank lowest = byRunning.first();
        return lowest == null ? null : children[lowest.position];
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

    /** Whether a class may have others preempted: it was below its entitlement when the cycle began. */
    private boolean isDue(int position) {
        return counted.get(position).running() < entitlements[position];
    }

    @Override
    public boolean isReclaiming() {
        return reclaim != null && reclaim.hasMore();
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
        return servedEligible > 0;
    }

    @Override
    public @Nullable LoadClassShare loadOf(Queue child) {
        int position = classes.indexOf(child);
        return division == null || position < 0
                ? null
                : new LoadClassShare(
                        division.percents().get(position),
                        division.entitlements().get(position),
                        division.loaned().get(position),
                        division.starts().get(position),
                        counted.get(position).running(),
                        counted.get(position).waiting(),
                        preempted[position]);
    }

    @Override
    public @Nullable LoadWorkers loadWorkers() {
        return workers;
    }
}
