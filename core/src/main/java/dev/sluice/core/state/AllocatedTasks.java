package dev.sluice.core.state;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Those tasks of one group that hold a place, by their indexes.
 *
 * <p>Indexes stand in chunks, each there while one of its tasks is, so finding, putting and taking out are one step each, and memory
 * follows the tasks that are placed (and, by a byte or so for eight of them, those that ever were).
 */
final class AllocatedTasks {

    /** Of a group none of whose tasks was ever placed; it is only read. */
    static final AllocatedTasks NONE = new AllocatedTasks(0);

    private static final int CHUNK_BITS = 5;
    private static final int CHUNK = 1 << CHUNK_BITS;

    private final int indexes;
    private @Nullable Task[][] chunks = new Task[0][]; // null where no task of a chunk is there
    private int size;

    /** None so far, of a group with so many tasks. */
    AllocatedTasks(int indexes) {
        this.indexes = indexes;
    }

    /** How many there are. */
    int size() {
        return size;
    }

    /** The one with this index, or null. */
    @Nullable Task get(int index) {
        int number = index >> CHUNK_BITS;
        Task[] chunk = index >= 0 && number < chunks.length ? chunks[number] : null;
        int place = index & (CHUNK - 1);
        return chunk == null || place >= chunk.length ? null : chunk[place];
    }

    /** The first one with this index or a larger one, or null. */
    @Nullable Task next(int fromIndex) {
        int place = fromIndex & (CHUNK - 1);
        for (int number = fromIndex >> CHUNK_BITS; number < chunks.length; number++) {
            Task[] chunk = chunks[number];
            if (chunk != null) {
                for (; place < chunk.length; place++) {
                    if (chunk[place] != null) {
                        return chunk[place];
                    }
                }
            }
            place = 0;
        }
        return null;
    }

    /** All of them, by index. */
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

    /** Puts one in, whose index is free. */
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

    /** Takes one out that is in. */
    void remove(Task task) {
        int number = task.index() >> CHUNK_BITS;
        int place = task.index() & (CHUNK - 1);
        @Nullable Task[] chunk = chunks[number];
        if (chunk == null || chunk[place] != task) {
            throw new IllegalStateException(task + " holds no place");
        }
        chunk[place] = null;
        size--;
        for (Task other : chunk) {
            if (other != null) {
                return;
            }
        }
        chunks[number] = null;
    }
}
