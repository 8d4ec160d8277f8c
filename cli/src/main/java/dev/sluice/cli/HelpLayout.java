package dev.sluice.cli;

import java.util.Arrays;
import java.util.Set;
import picocli.CommandLine;
import picocli.CommandLine.Model.UsageMessageSpec;

/** Layout of the help of all commands. */
final class HelpLayout {

    private static final Set<String> HELP = Set.of("help", "-h", "--help");

    private HelpLayout() {}

    /** Sets the headings of this command and its subcommands. */
    static void apply(CommandLine command) {
        UsageMessageSpec usage = command.getCommandSpec().usageMessage();
        if (!command.getCommandSpec().positionalParameters().isEmpty()) {
            usage.parameterListHeading("%nParameters:%n");
        }
        usage.optionListHeading("%nOptions:%n");
        if (!command.getSubcommands().isEmpty()) {
            usage.commandListHeading("%nCommands:%n");
        }
        command.getSubcommands().values().forEach(HelpLayout::apply);
    }

    /** Whether these arguments may print help; only then is the width of the terminal needed. */
    static boolean isRequested(String... args) {
        return args.length == 0 || Arrays.stream(args).anyMatch(HELP::contains);
    }
}
