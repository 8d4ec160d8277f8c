package dev.sluice.core.rank;

import java.util.Arrays;

/**
 * Tells the first of those who have a seat, where seats are numbered and their number is fixed.
 *
 * <p>It is a tree of matches: every vertex knows who goes first of those below it. Whoever changes plays the matches from its seat to
 * the top again, one comparison each: half of what a heap takes to sink an element. Where an earlier winner wins again, nothing
 * changes further up.
 */
public final class Tournament {

    /** Nobody. */
    public static final int NONE = -1;

    private final Order order;
    private final int entries;

    /** The winner of vertex i is that of 2i and 2i + 1; the seats are the last vertices, and 1 is the top. */
    private final int[] winners;

    /** Who goes first of two. */
    @FunctionalInterface
    public interface Order {
        /**
         * Whether the contestant in the first seat goes before the one in the second, which is another one. What this depends on must only
         * change right before the contestant is put again, one contestant at a time.
         */
        boolean precedes(int number, int other);
    }

    /** A tournament without contestants. */
    public Tournament(int entries, Order order) {
        this.order = order;
        this.entries = entries;
        this.winners = new int[Math.max(2, 2 * entries)];
        Arrays.fill(winners, NONE);
    }

    /** The seat of who goes first, or {@link #NONE} if no seat is taken. */
    public int first() {
        return winners[1];
    }

    /** Takes note that somebody has this seat, perhaps with another rank than before. */
    public void put(int number) {
        set(number, number);
    }

    /** Takes note that nobody has this seat. */
    public void remove(int number) {
        if (winners[entries + number] != NONE) {
            set(number, NONE);
        }
    }

    private void set(int number, int entry) {
        int vertex = entries + number;
        winners[vertex] = entry;
        while (vertex > 1) {
            int above = vertex >> 1;
            int winner = earlier(winners[vertex], winners[vertex ^ 1]);
            if (winner == winners[above] && winner != entry) {
                return;
            }
            winners[above] = winner;
            vertex = above;
        }
    }

    private int earlier(int a, int b) {
        if (a == NONE || b == NONE) {
            return a == NONE ? b : a;
        }
        return order.precedes(a, b) ? a : b;
    }
}
