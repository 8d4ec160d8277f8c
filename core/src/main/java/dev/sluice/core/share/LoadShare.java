package dev.sluice.core.share;

import dev.sluice.core.resource.ResourceTypes;
import dev.sluice.core.state.Partition;
import dev.sluice.core.state.Queue;
import dev.sluice.core.state.Task;
import dev.sluice.core.state.Vectors;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The share policy {@code load}: every child is a class with a percentage of the workers.
 *
 * <p>At the beginning of a cycle {@link LoadDivision} works out how many tasks each class may start. Classes are served in descending load
 * order, each up to that number of slots. Where a class cannot use its number, because its tasks fit nowhere or may not start, the
 * workers that are left go one by one to the others. A class at 0 % is never served.
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
    private final long[] budget = new long[ResourceTypes.SLOTS_INDEX + 1];
    private int servedInPlay;
    private int[] byLoad = {};
    private int[] left = {};
    private int idle;
    private int turn;
    private int rest;
    private boolean handingOutRest;
    private @Nullable LoadDivision division;

    /** The policy of this parent, whose children are reported by {@link #update}. */
    public LoadShare(Queue parent, Partition partition) {
        this.parent = parent;
        this.partition = partition;
        this.classes = parent.children();
        this.children = new Child[classes.size()];
        this.inPlay = new boolean[classes.size()];
        this.percents = classes.stream().mapToInt(LoadShare::percent).toArray();
    }

    private static int percent(Queue queue) {
        Integer percent = queue.configuration().properties().loadPercent();
        return percent == null ? 0 : percent;
    }

    @Override
    public List<Task> begin(Instant now, Supplier<long[]> free, long[] allowance) {
        idle = (int) Math.min(Integer.MAX_VALUE, free.get()[ResourceTypes.SLOTS_INDEX]);
        int mine = (int) Math.min(idle, Vectors.limitAt(allowance, ResourceTypes.SLOTS_INDEX));
        long workers = parent.parent() == null ? partition.workers() : (long) parent.placedTasks() + mine;
        List<LoadClass> counted = new ArrayList<>();
        for (Queue queue : classes) {
            int waiting = (int) Math.min(Integer.MAX_VALUE, queue.pendingTasks());
            counted.add(new LoadClass(percent(queue), queue.placedTasks(), waiting));
        }
        LoadDivision divided = LoadDivision.allocate((int) Math.min(Integer.MAX_VALUE, workers), mine, counted);
        division = divided;
        byLoad = divided.byLoad();
        left = divided.starts().stream().mapToInt(Integer::intValue).toArray();
        turn = 0;
        rest = 0;
        handingOutRest = false;
        return List.of();
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
            int candidate = byLoad[(rest + i) % byLoad.length];
            if (inPlay[candidate] && percents[candidate] > 0) {
                rest = (rest + i) % byLoad.length;
                return children[candidate];
            }
        }
        return null;
    }

    @Override
    public long[] budget() {
        return budget;
    }

    @Override
    public void placed(Child child, long[] demand) {
        idle--;
        if (handingOutRest) {
            rest++;
        } else {
            left[child.position()]--;
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
                        division.starts().get(position));
    }
}
