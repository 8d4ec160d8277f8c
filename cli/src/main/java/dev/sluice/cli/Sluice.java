package dev.sluice.cli;

import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** The program {@code sluice}: hands over to the command that is asked for, or says which there are. */
@Command(
        name = "sluice",
        description = "Runs batch work: decides whose task starts next, and where.",
        mixinStandardHelpOptions = true,
        versionProvider = ProgramVersion.class,
        sortOptions = false,
        usageHelpAutoWidth = true)
public final class Sluice implements Runnable {

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it before anything is called
    private CommandSpec spec;

    /** Runs one command and ends the JVM with its exit code: 0 if all is well, 2 if the command line is wrong. */
    public static void main(String[] arguments) {
        System.exit(commandLine().execute(arguments));
    }

    /** The commands, ready to be executed. */
    static CommandLine commandLine() {
        return new CommandLine(new Sluice());
    }

    /** Without a command, tells how the program is used. */
    @Override
    public void run() {
        spec.commandLine().usage(spec.commandLine().getOut());
    }
}
