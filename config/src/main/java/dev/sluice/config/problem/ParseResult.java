package dev.sluice.config.problem;

import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What came of reading a file: a value, or the problems that stand in its way.
 *
 * @param valueOrNull what was read; null exactly if there are problems
 * @param problems what is wrong, in the order of the file; at most {@link Problems#KEPT_MAX}
 * @param problemsLeftOut how many further problems there are that are not listed
 * @param warnings what looks wrong but does not stand in the way, in the order of the file
 * @param <T> what is read
 */
public record ParseResult<T>(
        @Nullable T valueOrNull, List<Problem> problems, int problemsLeftOut, List<Problem> warnings) {

    /** Copies the lists; throws {@link IllegalArgumentException} unless there is either a value or a problem. */
    public ParseResult {
        problems = List.copyOf(problems);
        warnings = List.copyOf(warnings);
        if ((valueOrNull == null) == problems.isEmpty()) {
            throw new IllegalArgumentException("a reading has either a value or problems");
        }
    }

    /** Whether there is a value. */
    public boolean isOk() {
        return problems.isEmpty();
    }

    /** The value; throws {@link IllegalStateException}, which lists the problems, if there is none. */
    public T value() {
        if (valueOrNull == null) {
            throw new IllegalStateException(report());
        }
        return valueOrNull;
    }

    /** The same reading with something made of its value. */
    public <R> ParseResult<R> map(Function<? super T, ? extends R> function) {
        return new ParseResult<>(
                valueOrNull == null ? null : function.apply(valueOrNull), problems, problemsLeftOut, warnings);
    }

    /** The problems as lines for people, the last of which counts those that were left out. */
    public String report() {
        String lines = problems.stream().map(Problem::toString).collect(Collectors.joining("\n"));
        return problemsLeftOut == 0 ? lines : lines + "\nand " + problemsLeftOut + " more";
    }
}
