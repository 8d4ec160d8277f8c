package dev.sluice.core.testing;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Assertions about a subject. Each throws an {@link AssertionError} that names the subject and the violation. */
final class StateAssertions {

    private StateAssertions() {}

    static void same(Object subject, String what, @Nullable Object actual, @Nullable Object expected) {
        if (!Objects.equals(actual, expected)) {
            fail(subject + ": " + what + " is " + actual + " but should be " + expected);
        }
    }

    static void isTrue(Object subject, String what, boolean holds) {
        if (!holds) {
            fail(subject + ": expected " + what);
        }
    }

    static void fail(String message) {
        throw new AssertionError(message);
    }
}
