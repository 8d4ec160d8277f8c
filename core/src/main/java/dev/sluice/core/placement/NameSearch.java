package dev.sluice.core.placement;

import java.util.Map;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import org.jspecify.annotations.Nullable;

/**
 * Searches names for regular expressions while an application is placed, in a bounded number of steps for all of them together: an
 * expression such as {@code (.*a){20}c} takes twice as long for every further character of a name, and nobody else is served meanwhile.
 *
 * <p>A step is a character that is read. An expression that goes round and round without reading anything is not bounded by this.
 */
final class NameSearch {

    /** A tenth of a second at worst; ordinary expressions take a few steps for every character of a name. */
    static final int STEPS_MAX = 200_000;

    private static final int SHOWN_MAX = 80;

    private final Map<String, Pattern> patterns;
    private int stepsLeft = STEPS_MAX;
    private @Nullable String abandoned;

    /**
     * A search that has not begun.
     *
     * @param patterns expressions that were compiled before; those that are met are added
     */
    NameSearch(Map<String, Pattern> patterns) {
        this.patterns = patterns;
    }

    /** Whether the expression is found in a name; false if the search has been {@link #abandoned}, which is to be asked for then. */
    boolean matches(String expression, String name) {
        try {
            Pattern pattern = patterns.computeIfAbsent(expression, Pattern::compile);
            return abandoned == null && pattern.matcher(new Counted(name)).find();
        } catch (OutOfSteps | StackOverflowError | PatternSyntaxException e) {
            // Neither the pattern nor anything beyond this call is changed by a search that breaks off.
            // What could be compiled when it was configured may be too deep for the stack of another machine.
            abandoned = "regular expression " + shown(expression) + " takes too long to match \"" + name
                    + "\": avoid nested repetitions such as (a*)*";
            return false;
        }
    }

    /** Why the search was given up, so that nothing it said counts, or null. */
    @Nullable String abandoned() {
        return abandoned;
    }

    /** An expression for messages: quoted, and not longer than people read. */
    static String shown(String expression) {
        return "\"" + (expression.length() <= SHOWN_MAX ? expression : expression.substring(0, SHOWN_MAX) + "…") + "\"";
    }

    /** There are no steps left; it is thrown to get out of the matcher, and goes no further than this class. */
    private static final class OutOfSteps extends RuntimeException {

        private static final long serialVersionUID = 1;

        OutOfSteps() {
            super("out of steps", null, false, false);
        }
    }

    /** A name, every character of which costs a step. */
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
