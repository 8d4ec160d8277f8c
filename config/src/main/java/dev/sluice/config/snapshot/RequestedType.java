package dev.sluice.config.snapshot;

import dev.sluice.config.field.Field;
import dev.sluice.config.problem.Problem;
import dev.sluice.config.problem.SpellingHints;
import dev.sluice.core.application.TaskSpec;
import dev.sluice.core.resource.Amount;
import dev.sluice.core.resource.Quantity;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A resource type that tasks of a file request, with the largest request.
 *
 * @param partition the partition of the task
 * @param type the type, such as {@code gpu}
 * @param amount the largest amount that a task requests
 * @param line the line of the largest request, from 1; 0 if there is no position
 * @param column the column, from 1
 * @param path the path in the document
 */
public record RequestedType(String partition, String type, Amount amount, int line, int column, String path) {

    static RequestedType of(String partition, String type, Amount amount, Field position) {
        return new RequestedType(partition, type, amount, position.line(), position.column(), position.path());
    }

    /** Returns the resource types that these tasks request, without positions. */
    public static List<RequestedType> of(String partition, List<TaskSpec> tasks) {
        Map<String, Amount> largest = new LinkedHashMap<>();
        for (TaskSpec task : tasks) {
            task.kind().resources().amounts().forEach((type, amount) -> {
                if (amount.value() > 0) {
                    largest.merge(type, amount, (one, other) -> one.compareTo(other) < 0 ? other : one);
                }
            });
        }
        List<RequestedType> all = new ArrayList<>();
        largest.forEach((type, amount) -> all.add(new RequestedType(partition, type, amount, 0, 0, "tasks")));
        return all;
    }

    /** Returns the message for a type that no node has; {@code known} are the types of the nodes. */
    public String message(Collection<String> known) {
        String synonym = SpellingHints.synonym(type, known);
        return "no node has the resource type " + Field.quoted(type) + " that this task requests"
                + (synonym == null ? SpellingHints.hint(type, known) : ": did you mean \"" + synonym + "\"?");
    }

    /** Returns the message for an amount that no node has; {@code largest} is the most that a node has. */
    public String tooLargeMessage(Amount largest) {
        return "no node is large enough for the " + Quantity.format(type, amount) + " of " + type
                + " that this task requests: the largest has " + Quantity.format(type, largest);
    }

    /** Returns a message as a problem of this file. */
    Problem problem(String file, String message) {
        return new Problem(file, line, column, path, message);
    }
}
