package dev.sluice.core.rank;

import java.util.Comparator;
import org.jspecify.annotations.Nullable;

/**
 * Tells the first of those who have a seat, where seats are numbered and their number is fixed.
 *
 * <p>It is a tree of matches: every vertex knows who goes first of those below it. Whoever changes plays the matches from its seat to
 * the top again, one comparison each: half of what a heap takes to sink an element. Where an earlier winner wins again, nothing
 * changes further up.
 *
 * <p>The comparator must never call two different contestants equal. What it compares must only change right before the contestant
 * is put again, one contestant at a time.
 */
public final class Tournament<T> {

    private final Comparator<? super T> order;
    private final int seats;

    /** The winner of vertex i is that of 2i and 2i + 1; the seats are the last vertices, and 1 is the top. */
    private final @Nullable Object[] winners;

    /** A tournament without contestants. */
    public Tournament(int seats, Comparator<? super T> order) {
        this.order = order;
        this.seats = seats;
        this.winners = new Object[Math.max(2, 2 * seats)];
    }

    /** Who goes first, or null if no seat is taken. */
    public @Nullable T first() {
        return winner(1);
    }

    /** Gives the seat to this contestant, whose rank may have changed. */
    public void put(int seat, T contestant) {
        set(seat, contestant);
    }

    /** Leaves the seat empty. */
    public void remove(int seat) {
        if (winners[seats + seat] != null) {
            set(seat, null);
        }
    }

    private void set(int seat, @Nullable T contestant) {
        int vertex = seats + seat;
        winners[vertex] = contestant;
        while (vertex > 1) {
            int above = vertex >> 1;
            T winner = earlier(winner(vertex), winner(vertex ^ 1));
            if (winner == winners[above] && winner != contestant) {
                return;
            }
            winners[above] = winner;
            vertex = above;
        }
    }

    private @Nullable T earlier(@Nullable T a, @Nullable T b) {
        if (a == null || b == null) {
            return a == null ? b : a;
        }
        return order.compare(a, b) < 0 ? a : b;
    }

    @SuppressWarnings("unchecked") // only contestants are put in
    private @Nullable T winner(int vertex) {
        return (T) winners[vertex];
    }
}
