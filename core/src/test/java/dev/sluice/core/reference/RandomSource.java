package dev.sluice.core.reference;

import java.util.List;
import java.util.Random;

/** Random choices from one seed. */
final class RandomSource {

    private final Random random;

    RandomSource(long seed) {
        random = new Random(seed);
    }

    /** Returns a number from 0 (inclusive) to the bound (exclusive). */
    int below(int bound) {
        return random.nextInt(bound);
    }

    /** Returns true with this probability in percent. */
    boolean percent(int percent) {
        return random.nextInt(100) < percent;
    }

    /** Returns one of these, uniformly. */
    @SafeVarargs
    @SuppressWarnings("varargs") // the array is only read
    final <T> T of(T... choices) {
        return choices[random.nextInt(choices.length)];
    }

    /** Returns one of these, uniformly. */
    <T> T of(List<T> choices) {
        return choices.get(random.nextInt(choices.size()));
    }
}
