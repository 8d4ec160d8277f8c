package dev.sluice.runtime.detached;

import dev.sluice.runtime.machine.Gpus;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;

/**
 * Which run holds which GPUs. The scheduler decides how many a task gets, and may place the next task when a run has
 * ended; its GPUs are free only when nothing of that run is alive. Starts wait for that in order. Runs are known by the
 * names of their folders. Thread-safe.
 */
final class GpuClaims {

    private final Gpus all;
    private final Map<String, List<Integer>> held = new TreeMap<>();
    private final Deque<Waiting> waiting = new ArrayDeque<>();

    /** A start that waits for GPUs. */
    private record Waiting(String run, int count, Consumer<List<Integer>> start) {

        /** Starts without GPUs: the run was stopped. */
        void giveUp() {
            start.accept(List.of());
        }
    }

    /** Creates claims of these GPUs; if there are none, requests are only numbers, and no run gets indices. */
    GpuClaims(Gpus all) {
        this.all = all;
    }

    /** Returns whether there are GPUs to assign. */
    boolean areManaged() {
        return all.count() > 0;
    }

    /** Returns whether this machine has fewer GPUs than this. */
    boolean isTooMany(int count) {
        return areManaged() && count > all.count();
    }

    /** Returns what to say of a request for too many. */
    String tooMany(int count) {
        return "the task requests " + count + " GPUs, and this machine has " + all;
    }

    /** Claims GPUs that a run of an earlier program holds, even some that are not this runner's. */
    synchronized void restore(String run, List<Integer> indices) {
        if (!indices.isEmpty()) {
            held.put(run, List.copyOf(indices));
        }
    }

    /** Calls {@code start} with free GPUs, now or when enough are free. Not with a request that is too large. */
    void claim(String run, int count, Consumer<List<Integer>> start) {
        if (count == 0 || !areManaged()) {
            start.accept(List.of());
            return;
        }
        synchronized (this) {
            waiting.add(new Waiting(run, count, start));
        }
        startWaiting();
    }

    /** Frees the GPUs of a run of which nothing is alive. */
    void release(String run) {
        boolean changed;
        synchronized (this) {
            changed = held.remove(run) != null;
        }
        if (changed) {
            startWaiting();
        }
    }

    /** Starts a run without GPUs if it still waits for them, because it was stopped. */
    void giveUp(String run) {
        List<Waiting> stopped = new ArrayList<>();
        synchronized (this) {
            for (Iterator<Waiting> each = waiting.iterator(); each.hasNext(); ) {
                Waiting next = each.next();
                if (next.run().equals(run)) {
                    each.remove();
                    stopped.add(next);
                }
            }
        }
        stopped.forEach(Waiting::giveUp);
        startWaiting();
    }

    /** Returns whether the run holds GPUs. */
    synchronized boolean isHolder(String run) {
        return held.containsKey(run);
    }

    /** Returns the GPUs of a run. */
    synchronized List<Integer> of(String run) {
        return held.getOrDefault(run, List.of());
    }

    private void startWaiting() {
        List<Runnable> starts = new ArrayList<>();
        synchronized (this) {
            List<Integer> free = new ArrayList<>(all.indices());
            held.values().forEach(free::removeAll);
            for (Waiting next = waiting.peek(); next != null && next.count() <= free.size(); next = waiting.peek()) {
                List<Integer> first = free.subList(0, next.count());
                List<Integer> indices = List.copyOf(first);
                first.clear();
                held.put(next.run(), indices);
                Waiting started = waiting.remove();
                starts.add(() -> started.start().accept(indices));
            }
        }
        starts.forEach(Runnable::run);
    }
}
