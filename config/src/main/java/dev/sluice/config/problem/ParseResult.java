package dev.sluice.config.problem;

import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The result of reading a file: a value, or the problems that prevent it.
 *
 * @param valueOrNull the value; null exactly if there are problems
 * @param problems the problems in the order of the file; at most {@link Problems#KEPT_MAX}
 * @param problemsLeftOut the number of further problems, which are not listed
 * @param warnings the warnings in the order of the file
 * @param <T> the type of the value
 */
public record ParseResult<T>(
        @Nullable T valueOrNull, List<Problem> problems, int problemsLeftOut, List<Problem> warnings) {

    /** Copies the lists; throws {@link IllegalArgumentException} unless there is either a value or a problem. */
    public ParseResult {
        problems = List.copyOf(problems);
        warnings = List.copyOf(warnings);
        if ((valueOrNull == null) == problems.isEmpty()) {
            throw new IllegalArgumentException("either a value or a problem is required");
        }
    }

    /** Returns whether there is a value. */
    public boolean isOk() {
        return problems.isEmpty();
    }

    /** Returns the value; throws {@link IllegalStateException}, with the problems as its message, if there is none. */
    public T value() {
        if (valueOrNull == null) {
            throw new IllegalStateException(report());
        }
        return valueOrNull;
    }

    /** Returns a result with this function applied to the value, and the same problems and warnings. */
    public <R> ParseResult<R> map(Function<? super T, ? extends R> function) {
        return new ParseResult<>(
                valueOrNull == null ? null : function.apply(valueOrNull), problems, problemsLeftOut, warnings);
    }

    /** Returns the problems as lines of text; the last line counts those that are not listed. */
    public String report() {
        String lines = problems.stream().map(Problem::toString).collect(Collectors.joining("\n"));
        return problemsLeftOut == 0 ? lines : lines + "\nand " + problemsLeftOut + " more";
    }
}
