package dev.sluice.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static picocli.CommandLine.Model.UsageMessageSpec.SECTION_KEY_COMMAND_LIST;
import static picocli.CommandLine.Model.UsageMessageSpec.SECTION_KEY_COMMAND_LIST_HEADING;

import dev.sluice.cli.client.ClientException;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.OutputStreamWriter;
import java.io.PrintWriter;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.HelpCommand;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import picocli.CommandLine.UnmatchedArgumentException;

/** The program. */
@Command(
        name = "sluice",
        description = "A scheduler for batch work that teams share.",
        synopsisSubcommandLabel = "COMMAND",
        mixinStandardHelpOptions = true,
        versionProvider = ProgramVersion.class,
        subcommands = {
            RunCommand.class,
            PlanCommand.class,
            SimulateCommand.class,
            ValidateCommand.class,
            ServeCommand.class,
            SubmitCommand.class,
            ListCommand.class,
            GetCommand.class,
            TasksCommand.class,
            LogsCommand.class,
            WhyCommand.class,
            WaitCommand.class,
            CancelCommand.class,
            TopCommand.class,
            QueuesCommand.class,
            NodesCommand.class,
            OfflineCommand.class,
            ReinstateCommand.class,
            ClassesCommand.class,
            ThrottleCommand.class,
            ConfigCommand.class,
            EventsCommand.class,
            HealthCommand.class,
            SnapshotCommand.class,
            ContextCommand.class,
            CompletionCommand.class,
            HelpCommand.class
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  sluice run jobs.yaml             run the tasks of a file on this machine",
            "  sluice plan situation.yaml       see what would start, and why the rest waits",
            "  sluice simulate --workload w.yaml --config a.yaml --config b.yaml",
            "                                   try queue configurations on last week's work",
            "  sluice validate queues.yaml      look for mistakes",
            "  sluice serve                     run the server that a team shares",
            "  sluice submit jobs.yaml --wait   let it run the tasks of a file",
            "  sluice help run                  all about one command",
            "",
            "Exit codes: 0 all is well, 1 something that ran or was asked for failed, 2 bad input (nothing was started),"
                    + " 3 no server, or it is not available, 130 interrupted, 70 a bug in this program."
        })
public final class Sluice implements Runnable {

    /** Prints the trace of a bug when it is set to 1. */
    private static final String DEBUG_VARIABLE = "SLUICE_DEBUG";

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    private Sluice() {}

    /** Runs the program and ends with its exit code. */
    public static void main(String[] args) {
        PrintWriter out = utf8(FileDescriptor.out);
        PrintWriter err = utf8(FileDescriptor.err);
        int exitCode = commandLine().setOut(out).setErr(err).execute(args);
        out.flush();
        err.flush();
        System.exit(exitCode);
    }

    /** UTF-8 whatever the locale says: what is written may be a file that another program reads. */
    private static PrintWriter utf8(FileDescriptor descriptor) {
        return new PrintWriter(new OutputStreamWriter(new FileOutputStream(descriptor), UTF_8));
    }

    /** The command line with all commands. */
    static CommandLine commandLine() {
        CommandLine commands = new CommandLine(new Sluice());
        commands.setUsageHelpAutoWidth(true);
        commands.getHelpSectionMap().put(SECTION_KEY_COMMAND_LIST_HEADING, help -> "");
        commands.getHelpSectionMap().put(SECTION_KEY_COMMAND_LIST, new CommandGroups());
        commands.setParameterExceptionHandler(Sluice::explain);
        commands.setExecutionExceptionHandler((exception, command, parsed) -> {
            command.getOut().flush();
            if (exception instanceof BadInputException) {
                return ExitCode.BAD_INPUT;
            }
            if (exception instanceof ClientException client) {
                command.getErr().println("sluice: " + client.getMessage());
                command.getErr().flush();
                return client.exitCode();
            }
            if (exception instanceof UserException) {
                command.getErr().println("sluice: " + exception.getMessage());
                command.getErr().flush();
                return ExitCode.BAD_INPUT;
            }
            return bug(exception, command.getErr());
        });
        return commands;
    }

    private static int explain(ParameterException exception, String[] args) {
        CommandLine command = exception.getCommandLine();
        PrintWriter err = command.getErr();
        err.println("sluice: " + exception.getMessage());
        if (!UnmatchedArgumentException.printSuggestions(exception, err)) {
            err.println("Try '" + command.getCommandSpec().qualifiedName() + " --help'.");
        }
        err.flush();
        return ExitCode.BAD_INPUT;
    }

    private static int bug(Throwable exception, PrintWriter err) {
        err.println("sluice: this is a bug in sluice, not in your files: " + firstLine(exception) + " (set "
                + DEBUG_VARIABLE + "=1 to see where)");
        if ("1".equals(System.getenv(DEBUG_VARIABLE))) {
            exception.printStackTrace(err);
        }
        err.flush();
        return ExitCode.BUG;
    }

    private static String firstLine(Throwable exception) {
        String text = exception.toString();
        int end = text.indexOf('\n');
        return end < 0 ? text : text.substring(0, end);
    }

    @Override
    public void run() {
        spec.commandLine().usage(spec.commandLine().getOut());
    }
}
