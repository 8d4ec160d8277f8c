package dev.sluice.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static picocli.CommandLine.Model.UsageMessageSpec.SECTION_KEY_COMMAND_LIST;
import static picocli.CommandLine.Model.UsageMessageSpec.SECTION_KEY_COMMAND_LIST_HEADING;

import dev.sluice.cli.client.ClientException;
import dev.sluice.cli.terminal.TextWidth;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.OutputStreamWriter;
import java.io.PrintWriter;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.HelpCommand;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.RunLast;
import picocli.CommandLine.Spec;
import picocli.CommandLine.UnmatchedArgumentException;

/** The program. */
@Command(
        name = "sluice",
        description = "A scheduler for batch work that teams share.",
        synopsisSubcommandLabel = "COMMAND",
        mixinStandardHelpOptions = true,
        versionProvider = ProgramVersion.class,
        footerHeading = "%nExamples:%n",
        footer = {
            "  sluice run jobs.yaml             run the tasks of a file on this machine",
            "  sluice plan snapshot.yaml       see what would start, and why the rest waits",
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

    /** By their names, in the order of the help. */
    private static final List<Map.Entry<String, Class<?>>> COMMANDS = List.of(
            Map.entry("run", RunCommand.class),
            Map.entry("plan", PlanCommand.class),
            Map.entry("simulate", SimulateCommand.class),
            Map.entry("validate", ValidateCommand.class),
            Map.entry("serve", ServeCommand.class),
            Map.entry("submit", SubmitCommand.class),
            Map.entry("list", ListCommand.class),
            Map.entry("get", GetCommand.class),
            Map.entry("tasks", TasksCommand.class),
            Map.entry("logs", LogsCommand.class),
            Map.entry("why", WhyCommand.class),
            Map.entry("wait", WaitCommand.class),
            Map.entry("cancel", CancelCommand.class),
            Map.entry("top", TopCommand.class),
            Map.entry("queues", QueuesCommand.class),
            Map.entry("nodes", NodesCommand.class),
            Map.entry("offline", OfflineCommand.class),
            Map.entry("reinstate", ReinstateCommand.class),
            Map.entry("classes", ClassesCommand.class),
            Map.entry("throttle", ThrottleCommand.class),
            Map.entry("config", ConfigCommand.class),
            Map.entry("events", EventsCommand.class),
            Map.entry("health", HealthCommand.class),
            Map.entry("snapshot", SnapshotCommand.class),
            Map.entry("context", ContextCommand.class),
            Map.entry("completion", CompletionCommand.class));

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    private Sluice() {}

    /** Runs the program and ends with its exit code. */
    public static void main(String[] args) {
        PrintWriter out = utf8(FileDescriptor.out);
        PrintWriter err = utf8(FileDescriptor.err);
        int exitCode = commandLine(args).setOut(out).setErr(err).execute(args);
        out.flush();
        err.flush();
        System.exit(exitCode);
    }

    /** UTF-8 whatever the locale says: what is written may be a file that another program reads. */
    private static PrintWriter utf8(FileDescriptor descriptor) {
        return new PrintWriter(new OutputStreamWriter(new FileOutputStream(descriptor), UTF_8));
    }

    /**
     * The command line for these arguments: with the command that they name, since to find out what all the others take needs more time than
     * most of them; with all commands if they name none.
     */
    static CommandLine commandLine(String... args) {
        CommandLine commands = new CommandLine(new Sluice());
        Class<?> named = args.length == 0 ? null : named(args[0]);
        if (named == null) {
            COMMANDS.forEach(command -> commands.addSubcommand(command.getValue()));
            commands.addSubcommand(HelpCommand.class);
        } else {
            commands.addSubcommand(named);
        }
        OptionValues.register(commands);
        commands.setExecutionStrategy(parsed -> {
            OptionValues.requireNotEmpty(parsed);
            return new RunLast().execute(parsed);
        });
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
                command.getErr().println("sluice: " + message(client));
                command.getErr().flush();
                return client.exitCode();
            }
            if (exception instanceof UserException) {
                command.getErr().println("sluice: " + message(exception));
                command.getErr().flush();
                return ExitCode.BAD_INPUT;
            }
            return bug(exception, command.getErr());
        });
        return commands;
    }

    /** The command of this name; null if there is none, or if it tells of all the others. */
    private static @Nullable Class<?> named(String name) {
        for (Map.Entry<String, Class<?>> command : COMMANDS) {
            if (command.getKey().equals(name) && command.getValue() != CompletionCommand.class) {
                return command.getValue();
            }
        }
        return null;
    }

    private static int explain(ParameterException exception, String[] args) {
        CommandLine command = exception.getCommandLine();
        PrintWriter err = command.getErr();
        err.println("sluice: " + message(exception));
        if (!UnmatchedArgumentException.printSuggestions(exception, err)) {
            err.println("Try '" + command.getCommandSpec().qualifiedName() + " --help'.");
        }
        err.flush();
        return ExitCode.BAD_INPUT;
    }

    /** What it says, without what controls a terminal: messages quote names, and those of a server may hold anything. */
    private static String message(Exception exception) {
        return TextWidth.printableLines(String.valueOf(exception.getMessage()));
    }

    private static int bug(Throwable exception, PrintWriter err) {
        err.println("sluice: this is a bug in sluice, not in your files: "
                + TextWidth.printable(firstLine(exception)) + " (set "
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
