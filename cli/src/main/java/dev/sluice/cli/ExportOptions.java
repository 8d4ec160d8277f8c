package dev.sluice.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.sluice.core.application.TaskCommand;
import java.net.URLEncoder;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The option with environment variables of tasks. */
final class ExportOptions {

    /** Limits the header of a request, in characters; servers accept 8 KiB for all headers. */
    private static final int ENCODED_LENGTH_MAX = 6000;

    @Option(
            names = "--export",
            paramLabel = "NAME[,NAME]|NAME=VALUE",
            description = "Environment variables of all tasks, with their current values or this one. Repeatable.")
    private List<String> exports = List.of();

    @Option(
            names = "--secret",
            paramLabel = "NAME[,NAME]",
            description = "Secrets of all tasks: environment variables with their current values, which are stored"
                    + " encrypted and shown nowhere. Repeatable.")
    private List<String> secrets = List.of();

    /** Returns the name of an option that was given, or null. */
    @Nullable String given() {
        return !exports.isEmpty() ? "--export" : !secrets.isEmpty() ? "--secret" : null;
    }

    /** Returns the secrets and their values; throws if a variable is not set. */
    SortedMap<String, String> secrets(Map<String, String> environment) {
        SortedMap<String, String> values = new TreeMap<>();
        for (String names : secrets) {
            if (names.indexOf('=') >= 0) {
                throw new UserException("--secret takes names: set the environment variable, and write its name; values"
                        + " of options are visible to other users");
            }
            for (String name : names.split(",", -1)) {
                if (!TaskCommand.isShellVariable(name)) {
                    throw new UserException("--secret: \"" + name + "\" is not a valid name of a secret: use letters,"
                            + " digits and _, and no digit first");
                }
                String value = environment.get(name);
                if (value == null || value.isEmpty()) {
                    throw new UserException("environment variable " + name + " is not set: set it to the secret");
                }
                values.put(name, value);
            }
        }
        return values;
    }

    /** Returns the variables and their values; throws if a variable is not set. */
    SortedMap<String, String> variables(Map<String, String> environment) {
        SortedMap<String, String> variables = new TreeMap<>();
        for (String export : exports) {
            int end = export.indexOf('=');
            if (end >= 0) {
                variables.put(name(export.substring(0, end)), export.substring(end + 1));
                continue;
            }
            for (String name : export.split(",", -1)) {
                String value = environment.get(name(name));
                if (value == null) {
                    throw new UserException("environment variable " + name + " is not set: set it, or write --export "
                            + name + "=VALUE");
                }
                variables.put(name, value);
            }
        }
        return variables;
    }

    private static String name(String name) {
        if (!TaskCommand.isVariable(name)) {
            throw new UserException("--export: the name of a variable is empty");
        }
        return name;
    }

    /** Returns the secrets form-encoded; throws if they are too long for a request with these variables. */
    static String encodedSecrets(SortedMap<String, String> secrets, String variables) {
        String text = form(secrets);
        if (!secrets.isEmpty() && text.length() + variables.length() > ENCODED_LENGTH_MAX) {
            throw new UserException("the secrets " + String.join(", ", secrets.keySet())
                    + " are too long for a request: write them to secrets in the file");
        }
        return text;
    }

    private static String form(SortedMap<String, String> variables) {
        return variables.entrySet().stream()
                .map(variable -> encoded(variable.getKey()) + "=" + encoded(variable.getValue()))
                .collect(Collectors.joining("&"));
    }

    /** Returns the variables form-encoded; throws if they are too long for a request. */
    static String encoded(SortedMap<String, String> variables) {
        String text = form(variables);
        if (text.length() > ENCODED_LENGTH_MAX) {
            throw new UserException("the environment variables " + String.join(", ", variables.keySet())
                    + " are too long for a request: write them to env in the file, or leave out PATH and HOME with"
                    + " --scratch");
        }
        return text;
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, UTF_8).replace("%2F", "/").replace("%3A", ":");
    }
}
