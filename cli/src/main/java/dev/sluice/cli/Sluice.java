package dev.sluice.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static picocli.CommandLine.Model.UsageMessageSpec.SECTION_KEY_COMMAND_LIST;
import static picocli.CommandLine.Model.UsageMessageSpec.SECTION_KEY_COMMAND_LIST_HEADING;

import dev.sluice.cli.client.ClientException;
import dev.sluice.cli.terminal.TerminalSize;
import dev.sluice.cli.terminal.TextWidth;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.OutputStreamWriter;
import java.io.PrintWriter;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.HelpCommand;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.RunLast;
import picocli.CommandLine.Spec;
import picocli.CommandLine.UnmatchedArgumentException;

/** The program {@code sluice}. */
@Command(
        name = "sluice",
        description = "A multi-tenant batch scheduler",
        synopsisSubcommandLabel = "COMMAND",
        mixinStandardHelpOptions = true,
        versionProvider = ProgramVersion.class,
        footerHeading = "%nExamples:%n",
        footer = {
            "  sluice run jobs.yaml             # run the tasks of a file on this machine",
            "  sluice plan snapshot.yaml        # show what would start and what waits",
            "  sluice simulate --workload w.yaml --config a.yaml --config b.yaml",
            "                                   # compare queue configurations",
            "  sluice validate queues.yaml      # check a file for errors",
            "  sluice serve                     # run a server",
            "  sluice submit jobs.yaml --wait   # run the tasks of a file on the server",
            "  sluice help run                  # show the help of one command",
            "",
            "Exit codes: 0 success, 1 failure, 2 bad input (nothing was started), 3 no server or unavailable,"
                    + " 70 a bug in sluice, 130 interrupted."
        })
public final class Sluice implements Runnable {

    /** Environment variable; 1 prints the stack trace of internal errors. */
    private static final String DEBUG_VARIABLE = "SLUICE_DEBUG";

    /** Commands by name, in the order of the help. */
    private static final List<Map.Entry<String, Class<?>>> COMMANDS = List.of(
            Map.entry("run", RunCommand.class),
            Map.entry("plan", PlanCommand.class),
            Map.entry("simulate", SimulateCommand.class),
            Map.entry("validate", ValidateCommand.class),
            Map.entry("serve", ServeCommand.class),
            Map.entry("submit", SubmitCommand.class),
            Map.entry("list", ListCommand.class),
            Map.entry("history", HistoryCommand.class),
            Map.entry("get", GetCommand.class),
            Map.entry("tasks", TasksCommand.class),
            Map.entry("logs", LogsCommand.class),
            Map.entry("why", WhyCommand.class),
            Map.entry("wait", WaitCommand.class),
            Map.entry("cancel", CancelCommand.class),
            Map.entry("retry", RetryCommand.class),
            Map.entry("forget", ForgetCommand.class),
            Map.entry("update", UpdateCommand.class),
            Map.entry("hold", HoldCommand.class),
            Map.entry("release", ReleaseCommand.class),
            Map.entry("suspend", SuspendCommand.class),
            Map.entry("resume", ResumeCommand.class),
            Map.entry("signal", SignalCommand.class),
            Map.entry("top", TopCommand.class),
            Map.entry("usage", UsageCommand.class),
            Map.entry("queues", QueuesCommand.class),
            Map.entry("nodes", NodesCommand.class),
            Map.entry("offline", OfflineCommand.class),
            Map.entry("reinstate", ReinstateCommand.class),
            Map.entry("taint", TaintCommand.class),
            Map.entry("classes", ClassesCommand.class),
            Map.entry("throttle", ThrottleCommand.class),
            Map.entry("config", ConfigCommand.class),
            Map.entry("events", EventsCommand.class),
            Map.entry("audit", AuditCommand.class),
            Map.entry("health", HealthCommand.class),
            Map.entry("snapshot", SnapshotCommand.class),
            Map.entry("token", TokenCommand.class),
            Map.entry("ui", UiCommand.class),
            Map.entry("context", ContextCommand.class),
            Map.entry("admin", AdminCommand.class),
            Map.entry("schema", SchemaCommand.class),
            Map.entry("completion", CompletionCommand.class),
            Map.entry("man-pages", ManPagesCommand.class),
            Map.entry("complete", CompleteCommand.class));

    /** Commands that concern a whole server: a partition would have no effect. */
    private static final Set<String> OF_WHOLE_SERVER = Set.of("config", "audit", "health", "snapshot", "token", "ui");

    /** Commands that need all other commands. */
    private static final Set<Class<?>> NEED_ALL = Set.of(CompletionCommand.class, ManPagesCommand.class);

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    private Sluice() {}

    public static void main(String[] args) {
        PrintWriter out = utf8(FileDescriptor.out);
        PrintWriter err = utf8(FileDescriptor.err);
        CommandLine commands = commandLine(args).setOut(out).setErr(err);
        if (HelpLayout.isRequested(args)) {
            commands.setUsageHelpWidth(TerminalSize.helpColumns());
        }
        int exitCode = commands.execute(args);
        out.flush();
        err.flush();
        System.exit(exitCode);
    }

    /** Writes UTF-8 regardless of the locale, since the output may be a file that another program reads. */
    private static PrintWriter utf8(FileDescriptor descriptor) {
        return new PrintWriter(new OutputStreamWriter(new FileOutputStream(descriptor), UTF_8));
    }

    /**
     * Returns the command line for these arguments. If they name a command, only that command is registered: inspecting
     * all commands takes longer than most commands run.
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
        commands.getSubcommands().forEach((name, command) -> {
            if (OF_WHOLE_SERVER.contains(name)) {
                removePartition(command);
            }
        });
        OptionValues.register(commands);
        commands.setExecutionStrategy(parsed -> {
            if (!parsed.hasSubcommand() && !parsed.unmatched().isEmpty()) { // also if there is --help
                throw new UnmatchedArgumentException(commands, parsed.unmatched());
            }
            OptionValues.requireNotEmpty(parsed);
            return new RunLast().execute(parsed);
        });
        HelpLayout.apply(commands);
        commands.setExpandAtFiles(false); // arguments of tasks may begin with @
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

    private static void removePartition(CommandLine command) {
        OptionSpec partition = command.getCommandSpec().findOption("--partition");
        if (partition != null) {
            command.getCommandSpec().remove(partition);
        }
        command.getSubcommands().values().forEach(Sluice::removePartition);
    }

    /** Returns the command with this name; null if there is none or if it needs all other commands. */
    private static @Nullable Class<?> named(String name) {
        for (Map.Entry<String, Class<?>> command : COMMANDS) {
            if (command.getKey().equals(name) && !NEED_ALL.contains(command.getValue())) {
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

    /** Returns the message without terminal control characters, since messages quote names and server responses. */
    private static String message(Exception exception) {
        return TextWidth.printableLines(String.valueOf(exception.getMessage()));
    }

    private static int bug(Throwable exception, PrintWriter err) {
        err.println("sluice: internal error (a bug in sluice, not in your files): "
                + TextWidth.printable(firstLine(exception)) + " (set "
                + DEBUG_VARIABLE + "=1 for a stack trace)");
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
