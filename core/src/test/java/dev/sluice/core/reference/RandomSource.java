package dev.sluice.core.reference;

import java.util.List;
import java.util.Random;

/** Random choices from one seed. */
final class RandomSource {

    private final Random random;

    RandomSource(long seed) {
        random = new Random(seed);
    }

    /** A number from 0 to below the bound. */
    int below(int bound) {
        return random.nextInt(bound);
    }

    /** True so many times in a hundred. */
    boolean percent(int percent) {
        return random.nextInt(100) < percent;
    }

    /** One of these, each as likely. */
    @SafeVarargs
    @SuppressWarnings("varargs") // the array is only read
    final <T> T of(T... choices) {
        return choices[random.nextInt(choices.length)];
    }

    /** One of these, each as likely. */
    <T> T of(List<T> choices) {
        return choices.get(random.nextInt(choices.size()));
    }
}
