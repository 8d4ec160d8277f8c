package dev.sluice.config.snapshot;

import dev.sluice.config.field.Field;
import dev.sluice.config.field.Section;
import dev.sluice.core.application.TaskCommand;
import dev.sluice.core.application.TaskContainer;
import dev.sluice.core.application.TextMap;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Reads what the tasks of an application run: {@code command} and the keys that say where and with what it runs. */
final class CommandReader {

    private static final String CURE =
            "add command: with a line for the shell, or a list of a program and its arguments";

    /** The keys that have no effect without a command. */
    private static final List<String> OF_COMMAND = List.of("env", "secrets", "directory", "stdin", "shell", "umask");

    private static final int PATH_LENGTH_MAX = 4096;

    private static final Pattern UMASK = Pattern.compile("0?[0-7]{3}");

    private final SubmissionOrigin origin;
    private final SortedMap<String, String> originSecrets;
    private final LatestValue<TextMap> secretMaps = new LatestValue<>(this::secrets);
    private final LatestValue<TextMap> environments = new LatestValue<>(this::environment);
    private final LatestValue<List<String>> lists =
            new LatestValue<>(field -> List.copyOf(field.asTexts("words", CommandReader::word)));

    private final ContainerReader containers = new ContainerReader();

    /** Creates a reader of tasks that are submitted from this place. */
    CommandReader(SubmissionOrigin origin) {
        this.origin = origin;
        this.originSecrets = origin.encryptedSecrets();
    }

    /** Returns the command of a task; null if there is none, which is a problem if it is required. */
    @Nullable TaskCommand read(Section task, boolean required) {
        SortedMap<String, String> environment = task.read("env", origin.environment(), environments::read);
        SortedMap<String, String> secrets = task.read("secrets", originSecrets, secretMaps::read);
        refuseTwice(task, environment, secrets);
        TaskContainer container = containers.read(task);
        String written = task.readOrNull("directory", field -> path(field, "a directory"));
        String directory = container == null ? origin.resolve(written) : written;
        String stdin = task.readOrNull("stdin", field -> path(field, "the file of stdin"));
        int umask = task.read("umask", TaskCommand.UMASK_INHERITED, CommandReader::umask);
        List<String> shell = task.readOrNull("shell", CommandReader::shell);
        Field field = task.get("command");
        if (task.get("image") != null) {
            ContainerReader.refuseLocal(task, origin);
            if (container == null) {
                return null;
            }
            if (field == null) {
                return new TaskCommand(
                        List.of(),
                        false,
                        environment,
                        directory,
                        null,
                        TaskCommand.UMASK_INHERITED,
                        secrets,
                        container);
            }
        }
        if (field == null) {
            Field place = task.find("command");
            if (required) {
                (place == null ? task.self() : place)
                        .problem(
                                task.get("duration") == null
                                        ? "a task of a job needs a command: " + CURE
                                        : "this task has only a duration, for sluice simulate: " + CURE);
            } else {
                OF_COMMAND.forEach(key -> refuseAlone(task, key));
            }
            return null;
        }
        List<String> words;
        if (field.isList()) {
            words = lists.read(field);
            if (words == null || words.size() < field.size()) {
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
        if (shell != null && field.isList()) {
            Field place = task.get("shell");
            (place == null ? task.self() : place)
                    .problem("shell has no effect on a command that is a list: remove shell, or write a line");
            return null;
        }
        if (shell != null) {
            shell.add(words.get(0));
        }
        boolean isScript = shell == null && !field.isList();
        return new TaskCommand(
                shell == null ? words : shell, isScript, environment, directory, stdin, umask, secrets, container);
    }

    private static @Nullable String path(Field field, String what) {
        return field.asName(what, PATH_LENGTH_MAX);
    }

    private static @Nullable Integer umask(Field field) {
        String text = field.asText();
        if (text == null) {
            return null;
        }
        if (!UMASK.matcher(text).matches()) {
            field.problem(Field.quoted(text) + " is not a umask of three octal digits, such as 027");
            return null;
        }
        return Integer.parseInt(text, 8);
    }

    /** Returns the words before the script: a program alone takes the script after {@code -c}. */
    private static @Nullable List<String> shell(Field field) {
        if (!field.isList()) {
            String program = path(field, "a shell");
            return program == null ? null : new ArrayList<>(List.of(program, "-c"));
        }
        List<String> words = field.asTexts("words", CommandReader::word);
        if (words.isEmpty() || words.get(0).isEmpty()) {
            field.problem("this shell is empty: write a program such as bash, or [bash, -e, -c]");
            return null;
        }
        return words.size() < field.size() ? null : words;
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

    /** Refuses secrets that are also in {@code env} of the task; those of the origin override its variables. */
    private void refuseTwice(Section task, SortedMap<String, String> environment, SortedMap<String, String> secrets) {
        Field field = task.get("env");
        if (field == null) {
            return;
        }
        for (String name : secrets.keySet()) {
            if (environment.containsKey(name) && !origin.environment().containsKey(name)) {
                field.problem(name + " is in env and in secrets: remove one");
            }
        }
    }

    /** Reads secrets; no message contains a value. */
    private TextMap secrets(Field field) {
        SortedMap<String, String> secrets = new TreeMap<>(originSecrets);
        field.asMap("variables").forEach((name, value) -> {
            String text = value.asText();
            if (!TaskCommand.isShellVariable(name)) {
                value.keyProblem(() -> Field.quoted(name)
                        + " is not a valid name of a secret: write letters, digits and _, and no digit first");
            } else if (text != null && text.indexOf('\0') >= 0) {
                value.problem("a secret must not contain the character U+0000");
            } else if (text != null && !text.isEmpty()) {
                secrets.put(name, encrypted(value, name, text));
            } else if (text != null && !secrets.containsKey(name)) {
                if (origin.encryption() != SecretEncryption.DISCARD) {
                    value.problem("secret " + name + " has no value: write one, or pass it with --secret " + name);
                }
                secrets.put(name, "");
            }
        });
        return TextMap.copyOf(secrets);
    }

    private String encrypted(Field field, String name, String value) {
        try {
            return origin.encryption().encrypt(name, value);
        } catch (IllegalStateException e) {
            field.problem(String.valueOf(e.getMessage()));
            return "";
        }
    }

    private TextMap environment(Field field) {
        SortedMap<String, String> environment = new TreeMap<>(origin.environment());
        field.asMap("variables").forEach((name, value) -> {
            String text = word(value);
            if (!TaskCommand.isVariable(name)) {
                value.keyProblem(() -> Field.quoted(name) + " is not a valid name of a variable");
            } else if (text != null) {
                environment.put(name, text);
            }
        });
        return TextMap.copyOf(environment);
    }
}
