package dev.sluice.core.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CapacityTreeTest {

    private static final int TYPES = 2;

    /** A model that sorts again for every query. */
    private static final class ReferenceOrder {
        private final double[] keys;
        private final long[][] rooms;

        private ReferenceOrder(int entries) {
            keys = new double[entries];
            rooms = new long[entries][];
        }

        private int first(long[] demand, long mask, int forbidden) {
            List<Integer> order = IntStream.range(0, keys.length)
                    .boxed()
                    .filter(number -> rooms[number] != null)
                    .sorted(Comparator.<Integer>comparingDouble(number -> keys[number])
                            .thenComparing(Comparator.naturalOrder()))
                    .toList();
            for (int number : order) {
                long[] room = rooms[number];
                if (number != forbidden
                        && demand[0] <= room[0]
                        && demand[1] <= room[1]
                        && (room[TYPES] & mask) == mask) {
                    return number;
                }
            }
            return CapacityTree.NONE;
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 16, 17, 60, 300, 2000})
    void first_afterRandomMoves_matchesSortedList(int entries) {
        for (long seed = 1; seed <= 10; seed++) {
            Random random = new Random(seed);
            CapacityTree tree = new CapacityTree(entries, TYPES);
            ReferenceOrder reference = new ReferenceOrder(entries);
            int distinctKeys = 1 + random.nextInt(entries);
            for (int step = 0; step < 3 * entries + 50; step++) {
                int number = step < entries ? step : random.nextInt(entries);
                double key = random.nextBoolean() ? -random.nextInt(distinctKeys) : reference.keys[number] - 0.1;
                long[] room = {random.nextInt(20), random.nextInt(20), random.nextInt(8)};
                tree.put(number, key, room);
                reference.keys[number] = key;
                reference.rooms[number] = room;
                long[] demand = {random.nextInt(21), random.nextInt(21)};
                long mask = random.nextInt(3) == 0 ? random.nextInt(8) : 0;
                int forbidden = random.nextInt(entries);
                if (step % (1 + entries / 50) == 0) {
                    assertThat(tree.first(demand, mask, candidate -> candidate != forbidden))
                            .as("seed %d, step %d", seed, step)
                            .isEqualTo(reference.first(demand, mask, forbidden));
                }
            }
        }
    }

    /** Moves like bin packing: the first entry gets fuller and moves ahead of entries that were equally empty. */
    @Test
    void first_entriesMovingAhead_keepsOrder() {
        int entries = 200;
        CapacityTree tree = new CapacityTree(entries, TYPES);
        ReferenceOrder reference = new ReferenceOrder(entries);
        for (int number = 0; number < entries; number++) {
            put(tree, reference, number, 0, 10);
        }
        long[] demand = {1, 1};
        for (int step = 0; step < entries * 10; step++) {
            int first = tree.first(demand, 0, candidate -> true);
            assertThat(first).as("step %d", step).isEqualTo(reference.first(demand, 0, -1));
            put(tree, reference, first, reference.keys[first] - 0.1, reference.rooms[first][0] - 1);
        }
        assertThat(tree.first(demand, 0, candidate -> true)).isEqualTo(CapacityTree.NONE);
    }

    /** Moves like ending tasks: all entries leave their block, until hardly any original block is left. */
    @Test
    void first_entriesMovingBehind_keepsOrder() {
        int entries = 500;
        CapacityTree tree = new CapacityTree(entries, TYPES);
        ReferenceOrder reference = new ReferenceOrder(entries);
        for (int number = 0; number < entries; number++) {
            put(tree, reference, number, number, number % 7);
        }
        for (int round = 1; round <= 3; round++) {
            for (int number = 0; number < entries; number++) {
                put(tree, reference, number, round * 1000 + (number * 31) % entries, (number + round) % 7);
                long[] demand = {number % 8, 0};
                assertThat(tree.first(demand, 0, candidate -> true)).isEqualTo(reference.first(demand, 0, -1));
            }
        }
    }

    private static void put(CapacityTree tree, ReferenceOrder reference, int number, double key, long free) {
        long[] room = new long[TYPES + 1];
        Arrays.fill(room, 0, TYPES, free);
        tree.put(number, key, room);
        reference.keys[number] = key;
        reference.rooms[number] = room;
    }
}
