package dev.sluice.kubernetes.reconciliation;

import dev.sluice.kubernetes.creation.PodRun;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The pods that were created for runs, and those that are being created. Not thread-safe. */
public final class RunPods {

    /** What is known of the pod of a run. */
    public enum Stage {
        /** Its creation is requested. */
        CREATING,
        /** It exists, but has not been observed yet. */
        CREATED,
        /** It has been observed. */
        OBSERVED,
        /** It has existed. */
        GONE
    }

    /** The pod of a run. */
    public static final class Entry {

        private final PodRun run;
        private Stage stage;
        private @Nullable ObservedPod pod;
        private boolean removing;
        private boolean expiring;
        private boolean hindered;
        private boolean overdue;
        private String failure = "";

        private Entry(PodRun run, Stage stage) {
            this.run = run;
            this.stage = stage;
        }

        public PodRun run() {
            return run;
        }

        public Stage stage() {
            return stage;
        }

        /** Returns the pod, if it has been observed and is not gone. */
        public @Nullable ObservedPod pod() {
            return pod;
        }

        /** Records that the pod cannot start at present; returns false if that was known. */
        public boolean beginObstacle() {
            boolean first = !hindered;
            hindered = true;
            return first;
        }

        /** Returns whether the pod has had its time to start. */
        public boolean isOverdue() {
            return overdue;
        }

        /** Returns why the run fails when the pod is gone; empty if it does not. */
        public String failure() {
            return failure;
        }

        /** Sets why the run fails when the pod is gone. */
        public void setFailure(String newFailure) {
            failure = newFailure;
        }

        /** Records that the removal of the pod is requested; returns false if that was known. */
        public boolean beginRemoval() {
            boolean first = !removing;
            removing = true;
            return first;
        }

        /** Records that the removal of the pod, which has ended, is requested; returns false if that was known. */
        public boolean beginExpiry() {
            boolean first = !expiring;
            expiring = true;
            return first;
        }
    }

    private final Map<TaskKey, Map<PodRun, Entry>> byTask = new HashMap<>();
    private final Consumer<TaskKey> changed;

    /**
     * Creates an empty index.
     *
     * @param changed receives the tasks of pods that have changed
     */
    RunPods(Consumer<TaskKey> changed) {
        this.changed = changed;
    }

    static TaskKey key(PodRun run) {
        return new TaskKey(run.application(), run.task());
    }

    /** Returns what is known of the pod of a run; null if there is none. */
    public @Nullable Entry find(PodRun run) {
        Map<PodRun, Entry> entries = byTask.get(key(run));
        return entries == null ? null : entries.get(run);
    }

    /** Returns what is known of the pods of a task. */
    public List<Entry> of(TaskKey task) {
        Map<PodRun, Entry> entries = byTask.get(task);
        return entries == null ? List.of() : List.copyOf(entries.values());
    }

    /** Returns the tasks that have pods. */
    public Collection<TaskKey> tasks() {
        return new ArrayList<>(byTask.keySet());
    }

    /** Records that the pod of a run is being created. */
    public void begin(PodRun run) {
        put(run, Stage.CREATING);
    }

    /** Records that the pod of a run exists. */
    public void created(PodRun run) {
        Entry entry = find(run);
        if (entry != null && entry.stage == Stage.CREATING) {
            entry.stage = entry.pod == null ? Stage.CREATED : Stage.OBSERVED;
            changed.accept(key(run));
        }
    }

    /** Records that the pod of a run was not created; returns false if it has been observed nevertheless. */
    public boolean failed(PodRun run) {
        Entry entry = find(run);
        if (entry != null && entry.stage != Stage.CREATING) {
            return false;
        }
        forget(run);
        changed.accept(key(run));
        return true;
    }

    /** Records that a pod that was created is gone, unless it was observed. */
    public void gone(PodRun run) {
        Entry entry = find(run);
        if (entry != null && entry.stage == Stage.CREATED) {
            entry.stage = Stage.GONE;
            changed.accept(key(run));
        }
    }

    /** Records that the pod of a run has had its time to start. */
    public void overdue(PodRun run) {
        Entry entry = find(run);
        if (entry != null) {
            entry.overdue = true;
            changed.accept(key(run));
        }
    }

    /** Forgets a run, which has ended. */
    public void forget(PodRun run) {
        Map<PodRun, Entry> entries = byTask.get(key(run));
        if (entries != null && entries.remove(run) != null && entries.isEmpty()) {
            byTask.remove(key(run));
        }
    }

    void observe(PodRun run, ObservedPod pod) {
        Entry entry = find(run);
        entry = entry == null ? put(run, Stage.OBSERVED) : entry;
        entry.stage = Stage.OBSERVED;
        entry.pod = pod;
    }

    void remove(PodRun run, ObservedPod pod) {
        Entry entry = find(run);
        if (entry != null && entry.pod != null && entry.pod.uid().equals(pod.uid())) {
            entry.pod = null;
            entry.stage = Stage.GONE;
        }
    }

    private Entry put(PodRun run, Stage stage) {
        return byTask.computeIfAbsent(key(run), each -> new LinkedHashMap<>())
                .computeIfAbsent(run, each -> new Entry(each, stage));
    }
}
