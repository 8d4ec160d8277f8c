package dev.sluice.config.snapshot;

import dev.sluice.config.field.Field;
import dev.sluice.config.field.Section;
import dev.sluice.core.application.TaskCommand;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Reads what a task runs: {@code command}, {@code env} and {@code directory}. */
final class CommandReader {

    private static final String CURE =
            "add command: with a line for the shell, or a list of a program and its arguments";

    private CommandReader() {}

    /** Returns the command of a task; null if there is none, which is a problem if it is required. */
    static @Nullable TaskCommand read(Section task, boolean required) {
        SortedMap<String, String> environment =
                task.read("env", Collections.emptySortedMap(), CommandReader::environment);
        String directory = task.readOrNull("directory", field -> field.asName("a directory", 4096));
        Field field = task.get("command");
        if (field == null) {
            Field place = task.find("command");
            if (required) {
                (place == null ? task.self() : place)
                        .problem(
                                task.get("duration") == null
                                        ? "a task of a job needs a command: " + CURE
                                        : "this task has only a duration, for sluice simulate: " + CURE);
            } else {
                refuseAlone(task, "env");
                refuseAlone(task, "directory");
            }
            return null;
        }
        List<String> words;
        if (field.isList()) {
            words = field.asTexts("words", CommandReader::word);
            if (words.size() < field.size()) {
                return null;
            }
        } else {
            String text = field.isMap() ? "" : word(field);
            if (text == null) {
                return null;
            }
            words = text.isBlank() ? List.of() : List.of(text);
        }
        if (words.isEmpty() || words.get(0).isEmpty()) {
            field.problem("this command is empty: " + CURE);
            return null;
        }
        return new TaskCommand(words, !field.isList(), environment, directory);
    }

    private static void refuseAlone(Section task, String key) {
        Field field = task.get(key);
        if (field != null) {
            field.problem(key + " needs a command: " + CURE);
        }
    }

    private static @Nullable String word(Field field) {
        String word = field.asText();
        return word == null ? null : withoutNul(field, word);
    }

    private static @Nullable String withoutNul(Field field, String text) {
        if (text.indexOf('\0') >= 0) {
            field.problem("a command must not contain the character U+0000");
            return null;
        }
        return text;
    }

    private static SortedMap<String, String> environment(Field field) {
        SortedMap<String, String> environment = new TreeMap<>();
        field.asMap("variables").forEach((name, value) -> {
            String text = word(value);
            if (!TaskCommand.isVariable(name)) {
                value.keyProblem(() -> Field.quoted(name) + " is not a valid name of a variable");
            } else if (text != null) {
                environment.put(name, text);
            }
        });
        return environment;
    }
}
