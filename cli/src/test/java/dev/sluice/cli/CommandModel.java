package dev.sluice.cli;

import java.util.Map;
import java.util.TreeMap;
import picocli.CommandLine;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/** The commands as picocli knows them, for tests that must not miss one. */
final class CommandModel {

    private CommandModel() {}

    /** Every command that does something, by its words, such as {@code config show}; those that only print help are left out. */
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

    /** How an option or parameter is written in messages. */
    static String name(ArgSpec argument) {
        return argument instanceof OptionSpec option ? option.longestName() : argument.paramLabel();
    }
}
