package dev.sluice.core.rank;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A binary heap whose elements know their position, so that one whose rank has changed is put right in logarithmic time.
 *
 * <p>The comparator must never call two different elements equal: then the first element is determined by the elements alone, not
 * by the order in which they came. What it compares must only change right
 * before the element is put again, one element at a time.
 */
public final class RankedHeap<T extends Ranked> {

    private final Comparator<? super T> order;
    private @Nullable Ranked[] heap = new Ranked[1];
    private int size;

    /** An empty heap in this order. */
    public RankedHeap(Comparator<? super T> order) {
        this.order = order;
    }

    /** Whether nothing is in it. */
    public boolean isEmpty() {
        return size == 0;
    }

    /** The element that goes first, or null. */
    public @Nullable T first() {
        return size == 0 ? null : at(0);
    }

    /** All elements, in no particular order. */
    public List<T> elements() {
        List<T> all = new ArrayList<>(size);
        for (int i = 0; i < size; i++) {
            all.add(at(i));
        }
        return all;
    }

    /** Whether the element is in it. */
    public boolean contains(T element) {
        int position = element.rankPosition;
        return position >= 0 && position < size && heap[position] == element;
    }

    /** Puts an element in, or to its right place if it is in already. */
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

    /** Takes an element out if it is in. */
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

    @SuppressWarnings("unchecked") // only such elements are put in
    private T at(int position) {
        return (T) heap[position];
    }

    private void set(int position, T element) {
        heap[position] = element;
        element.rankPosition = position;
    }
}
