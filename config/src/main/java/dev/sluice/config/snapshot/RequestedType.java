package dev.sluice.config.snapshot;

import dev.sluice.config.field.Field;
import dev.sluice.config.problem.Problem;
import dev.sluice.config.problem.SpellingHints;
import java.util.Collection;

/**
 * A resource type that tasks of a file request, with the position of the first request.
 *
 * @param partition the partition of the task
 * @param type the type, such as {@code gpu}
 * @param line the line, from 1
 * @param column the column, from 1
 * @param path the path in the document
 */
public record RequestedType(String partition, String type, int line, int column, String path) {

    static RequestedType of(String partition, String type, Field position) {
        return new RequestedType(partition, type, position.line(), position.column(), position.path());
    }

    /** Returns the message for a type that no node has; {@code known} are the types of the nodes. */
    public String message(Collection<String> known) {
        return "no node has the resource type " + Field.quoted(type) + " that this task requests"
                + SpellingHints.hint(type, known);
    }

    /** Returns the same message as a problem of this file. */
    public Problem problem(String file, Collection<String> known) {
        return new Problem(file, line, column, path, message(known));
    }
}
