package dev.sluice.core.rank;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A binary heap whose elements store their positions, so an element whose rank has changed is moved in logarithmic
 * time.
 *
 * <p>The order must be total: the comparator must not return 0 for two different elements. Then the first element does
 * not depend on the order of insertion. What the comparator reads of an element may only change immediately before
 * {@link #put}, one element at a time.
 */
public final class RankedHeap<T extends Ranked> {

    private final Comparator<? super T> order;
    private @Nullable Ranked[] heap = new Ranked[1];
    private int size;

    /** Creates an empty heap with this order. */
    public RankedHeap(Comparator<? super T> order) {
        this.order = order;
    }

    public boolean isEmpty() {
        return size == 0;
    }

    /** Returns the first element in order, or null if the heap is empty. */
    public @Nullable T first() {
        return size == 0 ? null : at(0);
    }

    /** Returns all elements in unspecified order. */
    public List<T> elements() {
        List<T> all = new ArrayList<>(size);
        for (int i = 0; i < size; i++) {
            all.add(at(i));
        }
        return all;
    }

    public boolean contains(T element) {
        int position = element.rankPosition;
        return position >= 0 && position < size && heap[position] == element;
    }

    /** Inserts an element, or moves it to its new position if it is already in the heap. */
    public void put(T element) {
        if (!contains(element)) {
            if (size == heap.length) {
                heap = Arrays.copyOf(heap, size * 2);
            }
            set(size, element);
            size++;
        }
        if (!up(element.rankPosition)) {
            down(element.rankPosition);
        }
    }

    /** Removes an element; does nothing if it is not in the heap. */
    public void remove(T element) {
        if (!contains(element)) {
            return;
        }
        int position = element.rankPosition;
        size--;
        T last = at(size);
        element.rankPosition = -1;
        if (last != element) {
            set(position, last);
            if (!up(position)) {
                down(position);
            }
        }
        heap[size] = null;
    }

    private boolean up(int from) {
        int position = from;
        T element = at(position);
        while (position > 0) {
            int above = (position - 1) >> 1;
            T other = at(above);
            if (order.compare(element, other) >= 0) {
                break;
            }
            set(position, other);
            position = above;
        }
        set(position, element);
        return position != from;
    }

    private void down(int from) {
        int position = from;
        T element = at(position);
        while (true) {
            int below = 2 * position + 1;
            if (below >= size) {
                break;
            }
            if (below + 1 < size && order.compare(at(below + 1), at(below)) < 0) {
                below++;
            }
            T other = at(below);
            if (order.compare(element, other) <= 0) {
                break;
            }
            set(position, other);
            position = below;
        }
        set(position, element);
    }

    @SuppressWarnings("unchecked") // the heap only contains elements of type T
    private T at(int position) {
        return (T) heap[position];
    }

    private void set(int position, T element) {
        heap[position] = element;
        element.rankPosition = position;
    }
}
