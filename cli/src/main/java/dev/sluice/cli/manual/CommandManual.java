package dev.sluice.cli.manual;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;

/**
 * The manual of a command.
 *
 * @param name the command, such as {@code sluice config show}
 * @param summary one line
 * @param description paragraphs and preformatted blocks
 * @param parameters positional parameters
 * @param options options, without help and version
 * @param commands subcommands with their summaries
 * @param examples lines of examples
 * @param notes paragraphs after the examples, such as the exit codes
 */
public record CommandManual(
        String name,
        String summary,
        List<TextBlock> description,
        List<ManualEntry> parameters,
        List<ManualEntry> options,
        List<ManualEntry> commands,
        List<String> examples,
        List<String> notes) {

    private static final String INDENT = "  ";

    public CommandManual {
        description = List.copyOf(description);
        parameters = List.copyOf(parameters);
        options = List.copyOf(options);
        commands = List.copyOf(commands);
        examples = List.copyOf(examples);
        notes = List.copyOf(notes);
    }

    /**
     * A block of text.
     *
     * @param preformatted whether line breaks and spaces are significant
     */
    public record TextBlock(boolean preformatted, String text) {}

    /**
     * An entry of a list.
     *
     * @param names how it is written, such as {@code -o} and {@code --output}
     * @param label label of its value, or empty
     * @param text the description
     */
    public record ManualEntry(List<String> names, String label, String text) {
        public ManualEntry {
            names = List.copyOf(names);
        }
    }

    /** Returns the manuals of a command and its visible subcommands, parents before children. */
    public static List<CommandManual> all(CommandLine command) {
        List<CommandManual> all = new ArrayList<>(List.of(of(command.getCommandSpec())));
        command.getSubcommands().forEach((name, each) -> {
            if (isVisible(name, each.getCommandSpec())) {
                all.addAll(all(each));
            }
        });
        return all;
    }

    private static boolean isVisible(String name, CommandSpec spec) {
        return !spec.usageMessage().hidden() && !name.equals("help");
    }

    private static CommandManual of(CommandSpec spec) {
        List<String> description = lines(spec.usageMessage().description());
        List<String> footer = lines(spec.usageMessage().footer());
        return new CommandManual(
                spec.qualifiedName(),
                description.get(0),
                blocks(description.subList(1, description.size())),
                spec.positionalParameters().stream()
                        .map(each -> new ManualEntry(List.of(label(each)), "", text(each)))
                        .toList(),
                spec.options().stream()
                        .filter(each -> !each.usageHelp() && !each.versionHelp() && !each.hidden())
                        .map(CommandManual::option)
                        .toList(),
                spec.subcommands().entrySet().stream()
                        .filter(each -> isVisible(each.getKey(), each.getValue().getCommandSpec()))
                        .map(each -> new ManualEntry(
                                List.of(each.getKey()),
                                "",
                                lines(each.getValue()
                                                .getCommandSpec()
                                                .usageMessage()
                                                .description())
                                        .get(0)))
                        .toList(),
                footer.stream().filter(line -> line.startsWith(INDENT)).toList(),
                footer.stream()
                        .filter(line -> !line.startsWith(INDENT) && !line.isEmpty())
                        .toList());
    }

    private static List<String> lines(String[] text) {
        return Arrays.stream(text)
                .flatMap(line ->
                        Stream.of(line.replace("%n", "\n").replace("%%", "%").split("\n", -1)))
                .toList();
    }

    private static List<TextBlock> blocks(List<String> lines) {
        List<TextBlock> blocks = new ArrayList<>();
        boolean joined = false;
        for (String line : lines) {
            boolean preformatted = line.startsWith(INDENT);
            int last = blocks.size() - 1;
            if (preformatted && joined && blocks.get(last).preformatted) {
                blocks.set(last, new TextBlock(true, blocks.get(last).text + "\n" + line));
            } else if (!line.isEmpty()) {
                blocks.add(new TextBlock(preformatted, line));
            }
            joined = !line.isEmpty();
        }
        return blocks;
    }

    private static ManualEntry option(OptionSpec option) {
        return new ManualEntry(
                List.of(option.names()), option.arity().max() == 0 ? "" : option.paramLabel(), text(option));
    }

    private static String text(ArgSpec argument) {
        return String.join(" ", lines(argument.description()));
    }

    private static String label(PositionalParamSpec parameter) {
        String label = parameter.paramLabel() + (parameter.arity().max() > 1 ? "..." : "");
        return parameter.arity().min() == 0 ? "[" + label + "]" : label;
    }

    /** Returns the synopsis, such as {@code sluice run [OPTIONS] FILE}. */
    public String synopsis() {
        StringBuilder text = new StringBuilder(name);
        if (!commands.isEmpty()) {
            text.append(" COMMAND");
        }
        text.append(" [OPTIONS]");
        parameters.forEach(each -> text.append(' ').append(each.names.get(0)));
        return text.toString();
    }
}
