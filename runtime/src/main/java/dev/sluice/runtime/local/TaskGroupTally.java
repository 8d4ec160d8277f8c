package dev.sluice.runtime.local;

import dev.sluice.core.application.TaskCondition;
import dev.sluice.core.application.TaskKind;
import java.util.BitSet;

/** How far the tasks of one specification have come. */
final class TaskGroupTally {

    private final TaskKind kind;
    private final BitSet started = new BitSet(0);
    private int unallocated;
    private int succeeded;

    TaskGroupTally(TaskKind kind) {
        this.kind = kind;
        this.unallocated = kind.size();
    }

    TaskKind kind() {
        return kind;
    }

    /** Returns the number of unfinished tasks that are not allocated. */
    int unallocated() {
        return unallocated;
    }

    void addUnallocated(int change) {
        unallocated += change;
    }

    void started(int index) {
        started.set(index);
    }

    void succeeded() {
        succeeded++;
    }

    /** Returns whether all its tasks meet this condition. */
    boolean has(TaskCondition condition) {
        return switch (condition) {
            case STARTED -> started.cardinality() == kind.size();
            case SUCCEEDED -> succeeded == kind.size();
        };
    }
}
