package dev.sluice.cli;

import java.util.StringJoiner;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;

/** The completion script for fish: commands, options with descriptions, and their values. */
final class FishCompletion {

    private final StringBuilder text = new StringBuilder("complete -c sluice -n __fish_use_subcommand -f\n");

    private FishCompletion() {}

    /** Returns the script for a program. */
    static String script(CommandLine program) {
        FishCompletion completion = new FishCompletion();
        completion.command(program.getCommandSpec(), "");
        return completion.text.toString();
    }

    /**
     * Appends the lines of a command and its subcommands.
     *
     * @param seen the condition that the command line has this command; empty for the program
     */
    private void command(CommandSpec command, String seen) {
        command.subcommands().forEach((name, subcommand) -> {
            CommandSpec spec = subcommand.getCommandSpec();
            if (!spec.usageMessage().hidden()) {
                String[] summary = spec.usageMessage().description();
                String condition = seen.isEmpty() ? "__fish_use_subcommand" : seen;
                line(condition, "-f -a " + name, summary.length == 0 ? "" : summary[0]);
                command(spec, (seen.isEmpty() ? "" : seen + "; and ") + "__fish_seen_subcommand_from " + name);
            }
        });
        if (seen.isEmpty()) {
            return;
        }
        for (OptionSpec option : command.options()) {
            if (!option.hidden()) {
                StringJoiner words = new StringJoiner(" ");
                for (String name : option.names()) {
                    words.add(name.startsWith("--") ? "-l " + name.substring(2) : "-s " + name.substring(1));
                }
                String values = values(option);
                if (option.arity().max() > 0) {
                    words.add(values == null ? "-r" : "-x -a " + quoted(values));
                }
                line(seen, words.toString(), option.description().length == 0 ? "" : option.description()[0]);
            }
        }
        for (PositionalParamSpec parameter : command.positionalParameters()) {
            String values = values(parameter);
            if (values != null) {
                line(seen, "-f -a " + quoted(values), "");
            }
        }
    }

    /** Returns the candidates of an argument as fish lists them; null if it has none. */
    private static @Nullable String values(ArgSpec argument) {
        Iterable<String> candidates = argument.completionCandidates();
        if (candidates == null) {
            return null;
        }
        String values = String.join(" ", candidates);
        return values.startsWith(Candidates.MARKER)
                ? "(sluice complete " + values.substring(Candidates.MARKER.length()) + " 2>/dev/null)"
                : values;
    }

    private void line(String condition, String words, String description) {
        text.append("complete -c sluice -n ")
                .append(quoted(condition))
                .append(' ')
                .append(words);
        if (!description.isEmpty()) {
            text.append(" -d ").append(quoted(description));
        }
        text.append('\n');
    }

    private static String quoted(String text) {
        return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'";
    }
}
