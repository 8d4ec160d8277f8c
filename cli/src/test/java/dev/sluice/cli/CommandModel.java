package dev.sluice.cli;

import java.util.Map;
import java.util.TreeMap;
import picocli.CommandLine;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/** All commands from picocli's model, for tests that must cover every command. */
final class CommandModel {

    private CommandModel() {}

    /** Commands by name, such as {@code config show}, without those that only print help. */
    static Map<String, CommandSpec> commands() {
        Map<String, CommandSpec> commands = new TreeMap<>();
        collect("", Sluice.commandLine(), commands);
        commands.remove("help");
        return commands;
    }

    private static void collect(String words, CommandLine command, Map<String, CommandSpec> commands) {
        if (command.getSubcommands().isEmpty()) {
            commands.put(words, command.getCommandSpec());
        }
        command.getSubcommands()
                .forEach((name, each) -> collect(words.isEmpty() ? name : words + " " + name, each, commands));
    }

    /** Name of an option or parameter in messages. */
    static String name(ArgSpec argument) {
        return argument instanceof OptionSpec option ? option.longestName() : argument.paramLabel();
    }
}
