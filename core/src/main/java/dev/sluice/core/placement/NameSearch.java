package dev.sluice.core.placement;

import java.util.Map;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import org.jspecify.annotations.Nullable;

/**
 * Matches regular expressions against names while an application is placed, with one step limit for all of them: an
 * expression such as {@code (.*a){20}c} takes twice as long for every additional character of a name, and blocks the
 * scheduler meanwhile.
 *
 * <p>A step is one character read. An expression that loops without reading any is not limited.
 */
final class NameSearch {

    /** At most a tenth of a second; ordinary expressions take a few steps per character of a name. */
    static final int STEPS_MAX = 200_000;

    private static final int SHOWN_MAX = 80;

    private final Map<String, Pattern> patterns;
    private int stepsLeft = STEPS_MAX;
    private @Nullable String abandoned;

    /**
     * Creates a search.
     *
     * @param patterns cache of compiled expressions; new ones are added
     */
    NameSearch(Map<String, Pattern> patterns) {
        this.patterns = patterns;
    }

    /**
     * Whether the expression matches anywhere in a name. False if the search is {@link #abandoned}, which the caller
     * must check then.
     */
    boolean matches(String expression, String name) {
        try {
            Pattern pattern = patterns.computeIfAbsent(expression, Pattern::compile);
            return abandoned == null && pattern.matcher(new Counted(name)).find();
        } catch (OutOfSteps | StackOverflowError | PatternSyntaxException e) {
            // An abandoned search changes neither the pattern nor anything beyond this call. An expression that
            // compiled when it was configured may be too deep for the stack of another machine.
            abandoned = "regular expression " + shown(expression) + " takes too long to match \"" + name
                    + "\": avoid nested repetitions such as (a*)*";
            return false;
        }
    }

    /** Returns why the search was abandoned, which makes all its results invalid, or null. */
    @Nullable String abandoned() {
        return abandoned;
    }

    /** Returns an expression for messages: quoted and truncated. */
    static String shown(String expression) {
        return "\"" + (expression.length() <= SHOWN_MAX ? expression : expression.substring(0, SHOWN_MAX) + "…") + "\"";
    }

    /** Thrown within the matcher to abandon it; never leaves this class. */
    private static final class OutOfSteps extends RuntimeException {

        private static final long serialVersionUID = 1;

        OutOfSteps() {
            super("out of steps", null, false, false);
        }
    }

    /** A name that counts one step per character read. */
    private final class Counted implements CharSequence {

        private final String name;

        Counted(String name) {
            this.name = name;
        }

        @Override
        public char charAt(int index) {
            if (stepsLeft == 0) {
                throw new OutOfSteps();
            }
            stepsLeft--;
            return name.charAt(index);
        }

        @Override
        public int length() {
            return name.length();
        }

        @Override
        public CharSequence subSequence(int start, int end) {
            return name.subSequence(start, end);
        }

        @Override
        public String toString() {
            return name;
        }
    }
}
