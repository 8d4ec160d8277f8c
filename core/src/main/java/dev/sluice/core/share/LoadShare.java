package dev.sluice.core.share;

import dev.sluice.core.configuration.SharePolicyKind;
import dev.sluice.core.resource.ResourceTypes;
import dev.sluice.core.state.Partition;
import dev.sluice.core.state.PartitionEvent;
import dev.sluice.core.state.Queue;
import dev.sluice.core.state.Task;
import dev.sluice.core.state.Vectors;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;

/**
 * The share policy {@code load}: every child is a class with a percentage of the workers.
 *
 * <p>At the beginning of a cycle {@link LoadDivision} works out how many tasks each class may start. Classes are served in descending load
 * order, each up to that number of slots. Where a class cannot use its number, because its tasks fit nowhere or may not start, the
 * workers that are left go one by one to the others. A class at 0 % is never served.
 *
 * <p>When classes have been too far apart from their loads for long enough, it {@linkplain LoadDivision#rebalance rebalances}
 * instead: classes above their entitlement stop the tasks that were started most recently. It counts workers, not what tasks need
 * besides: where the tasks of those who are entitled fit nowhere, others were stopped for nothing. While more tasks hold a place than
 * the throttle allows it stops none, since nobody could take their places.
 *
 * <p>The workers of root are those of the partition. Those of a queue below it are what it has and what the queues above let it take
 * of what is idle.
 */
public final class LoadShare implements SharePolicy {

    private final Queue parent;
    private final Partition partition;
    private final List<Queue> classes;
    private final Child[] children;
    private final boolean[] inPlay;
    private final int[] percents;
    private final boolean[] partlyServed;
    private final long[] budget = new long[ResourceTypes.SLOTS_INDEX + 1];
    private int servedInPlay;
    private int[] byLoad = {};
    private int[] left = {};
    private int[] stops = {};
    private int idle;
    private int turn;
    private int rest;
    private int afterThis;
    private boolean handingOutRest;
    private @Nullable LoadDivision division;
    private List<LoadClass> counted = List.of();
    private @Nullable LoadWorkers workers;

    /** The policy of this parent, whose children are reported by {@link #update}. */
    public LoadShare(Queue parent, Partition partition) {
        this.parent = parent;
        this.partition = partition;
        this.classes = parent.children();
        this.children = new Child[classes.size()];
        this.inPlay = new boolean[classes.size()];
        this.percents = classes.stream().mapToInt(LoadShare::percent).toArray();
        this.partlyServed = new boolean[classes.size()];
        for (int i = 0; i < partlyServed.length; i++) {
            partlyServed[i] = isPartlyServed(classes.get(i));
        }
    }

    private static int percent(Queue queue) {
        return queue.configuration().properties().load().percentOrZero();
    }

    @Override
    public void begin(CycleStart start, long[] allowance) {
        int mine = idleWorkers(start, allowance);
        LoadWorkers known = new LoadWorkers(workers(mine), mine);
        workers = known;
        counted = counted(queue -> 0);
        LoadDivision divided = mustRebalance(start, known) ? rebalance(start, known) : null;
        divided = divided == null ? LoadDivision.allocate(known.workers(), known.idle(), counted) : divided;
        division = divided;
        idle = idleWorkers(start, SharePolicy.UNBOUNDED);
        byLoad = divided.byLoad();
        left = divided.starts().stream().mapToInt(Integer::intValue).toArray();
        stops = divided.stops().stream().mapToInt(Integer::intValue).toArray();
        turn = 0;
        rest = 0;
        handingOutRest = false;
    }

    private static int idleWorkers(CycleStart start, long[] allowance) {
        long idleWorkers = Math.min(
                start.free()[ResourceTypes.SLOTS_INDEX], Vectors.limitAt(allowance, ResourceTypes.SLOTS_INDEX));
        return (int) Math.min(Integer.MAX_VALUE, idleWorkers);
    }

    /** All workers of the partition, or what this queue has and may take; never more than may run. */
    private int workers(int mine) {
        long workers = parent.parent() == null ? partition.workers() : (long) parent.placedTasks() + mine;
        long most = partition.throttle() == Partition.UNTHROTTLED ? Integer.MAX_VALUE : partition.throttle();
        return (int) Math.min(most, workers);
    }

    /** The classes with what they run and what waits; something besides what is pending may count as waiting. */
    private List<LoadClass> counted(ToIntFunction<Queue> besides) {
        List<LoadClass> all = new ArrayList<>();
        for (int i = 0; i < classes.size(); i++) {
            Queue queue = classes.get(i);
            long pending = partlyServed[i] ? served(queue) : queue.pendingTasks();
            int waiting = (int) Math.min(Integer.MAX_VALUE, pending + besides.applyAsInt(queue));
            all.add(new LoadClass(percent(queue), queue.placedTasks(), waiting));
        }
        return all;
    }

    /** Whether there are classes below a queue that are never served. */
    private static boolean isPartlyServed(Queue queue) {
        boolean load = queue.sharePolicy() == SharePolicyKind.LOAD;
        return queue.children().stream().anyMatch(child -> (load && percent(child) == 0) || isPartlyServed(child));
    }

    /** How many tasks below a queue could be placed, without those in classes that are never served. */
    private static long served(Queue queue) {
        if (queue.isLeaf() || queue.pendingTasks() == 0) {
            return queue.pendingTasks();
        }
        long served = 0;
        for (Queue child : queue.children()) {
            if (queue.sharePolicy() != SharePolicyKind.LOAD || percent(child) > 0) {
                served += served(child);
            }
        }
        return served;
    }

    /** Takes note whether the classes are too far apart, and says whether they have been for long enough. */
    private boolean mustRebalance(CycleStart start, LoadWorkers known) {
        if (!parent.rebalances()) {
            return false;
        }
        int threshold = parent.configuration().properties().load().rebalanceThreshold();
        boolean exceeds = LoadDivision.spread(known.workers(), counted(Queue::leavingTasks)) > threshold;
        if (exceeds && parent.overThresholdSince() == null) {
            start.emit(new PartitionEvent.SpreadExceeded(partition.name(), parent.path(), start.now()));
        } else if (!exceeds && parent.overThresholdSince() != null) {
            start.emit(new PartitionEvent.SpreadReturned(partition.name(), parent.path(), start.now()));
        }
        return parent.isRebalanceDue() && !exceedsThrottle();
    }

    /** Whether more tasks hold a place than may: then nobody could take the place of one that is stopped. */
    private boolean exceedsThrottle() {
        return partition.throttle() != Partition.UNTHROTTLED
                && partition.queues().root().placedTasks() > partition.throttle();
    }

    /**
     * Stops the most recently started tasks of the classes that have too much; null if there is nothing to stop. What is being stopped
     * already does not count for them.
     */
    private @Nullable LoadDivision rebalance(CycleStart start, LoadWorkers known) {
        List<LoadClass> all = counted(Queue::leavingTasks);
        for (int i = 0; i < classes.size(); i++) {
            LoadClass each = all.get(i);
            int running = each.running() - classes.get(i).stoppingTasks();
            all.set(i, new LoadClass(each.percent(), running, each.waiting()));
        }
        if (everyTaskIsOnAReadyNode()
                && !stopsAny(rebalance(
                        known, all, all.stream().map(LoadClass::running).toList()))) {
            return null;
        }
        List<List<Task>> stoppable = classes.stream().map(StoppableTasks::below).toList();
        LoadDivision divided =
                rebalance(known, all, stoppable.stream().map(List::size).toList());
        if (!stopsAny(divided)) {
            return null;
        }
        for (int i : divided.byLoad()) {
            stoppable.get(i).stream().limit(divided.stops().get(i)).forEach(task -> start.stop(task, parent));
        }
        start.emit(new PartitionEvent.Rebalanced(partition.name(), parent.path(), start.now()));
        return divided;
    }

    private static LoadDivision rebalance(LoadWorkers known, List<LoadClass> all, List<Integer> stoppable) {
        return LoadDivision.rebalance(known.workers(), known.idle(), all, stoppable);
    }

    private static boolean stopsAny(LoadDivision divided) {
        return divided.stops().stream().anyMatch(count -> count > 0);
    }

    /** Then the numbers of tasks tell how many can be stopped, without a look at each of them. */
    private boolean everyTaskIsOnAReadyNode() {
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
        boolean now = child.isInPlay();
        if (now && !inPlay[position]) {
            turn = 0; // it may have some of its number left
        }
        if (now != inPlay[position] && percents[position] > 0) {
            servedInPlay += now ? 1 : -1;
        }
        inPlay[position] = now;
    }

    @Override
    public @Nullable Child next() {
        while (turn < byLoad.length && !(inPlay[byLoad[turn]] && left[byLoad[turn]] > 0)) {
            turn++;
        }
        handingOutRest = turn == byLoad.length;
        if (!handingOutRest) {
            budget[ResourceTypes.SLOTS_INDEX] = left[byLoad[turn]];
            return children[byLoad[turn]];
        }
        budget[ResourceTypes.SLOTS_INDEX] = 1;
        for (int i = 0; i < byLoad.length && idle > 0; i++) {
            int rank = (rest + i) % byLoad.length;
            int candidate = byLoad[rank];
            if (inPlay[candidate] && percents[candidate] > 0 && stops[candidate] == 0) {
                afterThis = rank + 1;
                return children[candidate];
            }
        }
        return null;
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
        idle--;
        if (handingOutRest) {
            rest = afterThis;
        } else {
            left[child.position()]--;
        }
    }

    @Override
    public void freed(Child child, long[] demand) {
        idle++;
        if (stops[child.position()] == 0) {
            left[child.position()]++;
        }
    }

    @Override
    public boolean hasNext() {
        return servedInPlay > 0;
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
                        division.stops().get(position));
    }

    @Override
    public @Nullable LoadWorkers loadWorkers() {
        return workers;
    }
}
