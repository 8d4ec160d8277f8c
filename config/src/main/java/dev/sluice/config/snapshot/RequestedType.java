package dev.sluice.config.snapshot;

import dev.sluice.config.field.Field;
import dev.sluice.config.problem.Problem;
import dev.sluice.config.problem.SpellingHints;
import java.util.Collection;

/**
 * A resource type that tasks of a file ask for, and where the first of them does.
 *
 * @param partition the partition of the task
 * @param type such as {@code gpu}
 * @param line the line, from 1
 * @param column the column, from 1
 * @param path where it is in the document
 */
public record RequestedType(String partition, String type, int line, int column, String path) {

    static RequestedType of(String partition, String type, Field place) {
        return new RequestedType(partition, type, place.line(), place.column(), place.path());
    }

    /** What to say if no node has it; known are the types that nodes have. */
    public String message(Collection<String> known) {
        return "no node has the resource type " + Field.quoted(type) + " that this task asks for"
                + SpellingHints.hint(type, known);
    }

    /** The same as a problem of this file. */
    public Problem problem(String file, Collection<String> known) {
        return new Problem(file, line, column, path, message(known));
    }
}
