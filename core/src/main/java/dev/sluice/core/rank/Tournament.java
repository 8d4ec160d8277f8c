package dev.sluice.core.rank;

import java.util.Arrays;

/**
 * A tournament tree (winner tree): the first of a fixed number of numbered entries.
 *
 * <p>Every vertex stores the winner of the entries below it. Changing an entry replays the matches on its path to the
 * root, with one comparison per level: half of what sifting down a binary heap takes (Knuth, "The Art of Computer
 * Programming", volume 3, 5.4.1). The replay stops early where the winner of a match stays the same.
 */
public final class Tournament {

    /** No entry. */
    public static final int NONE = -1;

    private final Order order;
    private final int entries;

    /**
     * The winner of each vertex. Vertex 1 is the root, the children of vertex i are 2i and 2i + 1, and the entries are
     * the last vertices.
     */
    private final int[] winners;

    /** The order of two entries. */
    @FunctionalInterface
    public interface Order {
        /**
         * Returns whether the first entry precedes the second, which is a different one. What the result depends on may
         * only change immediately before {@link Tournament#put}, one entry at a time.
         */
        boolean precedes(int number, int other);
    }

    /** Creates a tournament in which no entry takes part yet. */
    public Tournament(int entries, Order order) {
        this.order = order;
        this.entries = entries;
        this.winners = new int[Math.max(2, 2 * entries)];
        Arrays.fill(winners, NONE);
    }

    /** Returns the number of the first entry, or {@link #NONE} if no entry takes part. */
    public int first() {
        return winners[1];
    }

    /** Adds an entry, or updates it after its rank has changed. */
    public void put(int number) {
        set(number, number);
    }

    /** Removes an entry; does nothing if it does not take part. */
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
