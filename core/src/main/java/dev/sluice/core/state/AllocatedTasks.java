package dev.sluice.core.state;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The tasks of one group that are on nodes, by index.
 *
 * <p>Tasks are stored in chunks that exist only while they contain a task. So lookup, insertion and removal take
 * constant time, and memory is proportional to the allocated tasks (plus about one byte per eight tasks that were
 * ever allocated).
 */
final class AllocatedTasks {

    /** The shared, immutable instance for groups of which no task was ever allocated. */
    static final AllocatedTasks NONE = new AllocatedTasks(0);

    private static final int CHUNK_BITS = 5;
    private static final int CHUNK = 1 << CHUNK_BITS;

    private final int indexes;
    private @Nullable Task[][] chunks = new Task[0][]; // null for chunks without tasks
    private int size;

    /** Creates an empty set for a group with this number of tasks. */
    AllocatedTasks(int indexes) {
        this.indexes = indexes;
    }

    int size() {
        return size;
    }

    /** Returns the task with this index, or null. */
    @Nullable Task get(int index) {
        int number = index >> CHUNK_BITS;
        Task[] chunk = index >= 0 && number < chunks.length ? chunks[number] : null;
        int offset = index & (CHUNK - 1);
        return chunk == null || offset >= chunk.length ? null : chunk[offset];
    }

    /** Returns the first task with this index or a larger one, or null. */
    @Nullable Task next(int fromIndex) {
        int offset = fromIndex & (CHUNK - 1);
        for (int number = fromIndex >> CHUNK_BITS; number < chunks.length; number++) {
            Task[] chunk = chunks[number];
            if (chunk != null) {
                for (; offset < chunk.length; offset++) {
                    if (chunk[offset] != null) {
                        return chunk[offset];
                    }
                }
            }
            offset = 0;
        }
        return null;
    }

    /** Returns all tasks in the order of their indexes. */
    List<Task> all() {
        List<Task> all = new ArrayList<>(size);
        for (Task[] chunk : chunks) {
            if (chunk != null) {
                for (Task task : chunk) {
                    if (task != null) {
                        all.add(task);
                    }
                }
            }
        }
        return all;
    }

    /** Adds a task, whose index must be free. */
    void put(Task task) {
        int number = task.index() >> CHUNK_BITS;
        if (number >= chunks.length) {
            chunks = Arrays.copyOf(chunks, number + number / 2 + 1);
        }
        if (chunks[number] == null) {
            chunks[number] = new Task[Math.min(CHUNK, indexes - (number << CHUNK_BITS))];
        }
        chunks[number][task.index() & (CHUNK - 1)] = task;
        size++;
    }

    /** Removes a task, which must be present. */
    void remove(Task task) {
        int number = task.index() >> CHUNK_BITS;
        int offset = task.index() & (CHUNK - 1);
        @Nullable Task[] chunk = chunks[number];
        if (chunk == null || chunk[offset] != task) {
            throw new IllegalStateException(task + " is not allocated");
        }
        chunk[offset] = null;
        size--;
        for (Task other : chunk) {
            if (other != null) {
                return;
            }
        }
        chunks[number] = null;
    }
}
