package dev.sluice.core.rank;

import java.util.ArrayList;
import java.util.Collections;
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
    private final List<T> heap = new ArrayList<>();

    /** An empty heap in this order. */
    public RankedHeap(Comparator<? super T> order) {
        this.order = order;
    }

    /** Whether nothing is in it. */
    public boolean isEmpty() {
        return heap.isEmpty();
    }

    /** The element that goes first, or null. */
    public @Nullable T first() {
        return heap.isEmpty() ? null : heap.get(0);
    }

    /** All elements, in no particular order. */
    public List<T> elements() {
        return Collections.unmodifiableList(heap);
    }

    /** Whether the element is in it. */
    public boolean contains(T element) {
        int position = element.rankPosition;
        return position >= 0 && position < heap.size() && heap.get(position) == element;
    }

    /** Puts an element in, or to its right place if it is in already. */
    public void put(T element) {
        if (!contains(element)) {
            element.rankPosition = heap.size();
            heap.add(element);
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
        T last = heap.remove(heap.size() - 1);
        element.rankPosition = -1;
        if (last != element) {
            heap.set(position, last);
            last.rankPosition = position;
            if (!up(position)) {
                down(position);
            }
        }
    }

    private boolean up(int from) {
        int position = from;
        T element = heap.get(position);
        while (position > 0) {
            int above = (position - 1) >> 1;
            T other = heap.get(above);
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
        T element = heap.get(position);
        int size = heap.size();
        while (true) {
            int below = 2 * position + 1;
            if (below >= size) {
                break;
            }
            if (below + 1 < size && order.compare(heap.get(below + 1), heap.get(below)) < 0) {
                below++;
            }
            T other = heap.get(below);
            if (order.compare(element, other) <= 0) {
                break;
            }
            set(position, other);
            position = below;
        }
        set(position, element);
    }

    private void set(int position, T element) {
        heap.set(position, element);
        element.rankPosition = position;
    }
}
