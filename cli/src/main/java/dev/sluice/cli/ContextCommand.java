package dev.sluice.cli;

import dev.sluice.cli.answer.Texts;
import dev.sluice.cli.client.Contexts;
import dev.sluice.cli.client.ServerContext;
import dev.sluice.cli.client.ServerOptions;
import dev.sluice.cli.client.Target;
import dev.sluice.cli.terminal.TextTable;
import dev.sluice.cli.terminal.TextTable.Cell;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Manages named server contexts. */
@Command(
        name = "context",
        description = {
            "Manage named server contexts",
            "",
            "A context names a server and a partition. Commands use the current context unless --server, --context or"
                    + " SLUICE_SERVER says otherwise. Contexts are stored in ~/.config/sluice/context.yaml or"
                    + " in the file"
                    + " SLUICE_CONTEXT."
        },
        mixinStandardHelpOptions = true,
        versionProvider = ProgramVersion.class,
        subcommands = {
            ContextCommand.ListContexts.class,
            ContextCommand.Use.class,
            ContextCommand.SetContext.class,
            ContextCommand.Remove.class
        },
        footerHeading = ServerCommand.EXAMPLES,
        footer = {
            "  sluice context set here unix:/run/sluice/sluice.sock --partition gpu",
            "  sluice context use here",
            "  sluice context list",
            "",
            ContextCommand.EXIT_CODES
        })
final class ContextCommand implements Runnable {

    static final String EXIT_CODES = "Exit codes: 0 success, 2 bad input or the file cannot be read or written.";

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "missing subcommand: list, use, set or remove");
    }

    @Command(mixinStandardHelpOptions = true, versionProvider = ProgramVersion.class)
    abstract static class ContextSubcommand implements Callable<Integer> {

        @Spec
        @SuppressWarnings("NullAway.Init") // picocli sets it
        private CommandSpec spec;

        @Option(
                names = "--file",
                paramLabel = "FILE",
                description = "Context file. Default: SLUICE_CONTEXT, else ~/.config/sluice/context.yaml.")
        private @Nullable Path file;

        final Path file() {
            return file == null ? Contexts.file(System.getenv(), System.getProperty("user.home", "")) : file;
        }

        final PrintWriter out() {
            return spec.commandLine().getOut();
        }
    }

    @Command(
            name = "list",
            description = "List contexts; * marks the current one",
            footerHeading = ServerCommand.EXAMPLES,
            footer = {"  sluice context list", "", EXIT_CODES})
    static final class ListContexts extends ContextSubcommand {

        @Mixin
        private ColorOptions colors = new ColorOptions();

        @Override
        public Integer call() {
            Contexts contexts = Contexts.read(file());
            if (contexts.all().isEmpty()) {
                out().println("no contexts in " + file());
                out().flush();
                return ExitCode.OK;
            }
            TextTable table = new TextTable(Integer.MAX_VALUE)
                    .text("")
                    .text("NAME")
                    .text("SERVER")
                    .text("PARTITION");
            for (ServerContext context : contexts.all()) {
                table.row(List.of(
                        Cell.of(context.name().equals(contexts.current()) ? "*" : " "),
                        new Cell(context.name(), colors.style()::strong),
                        Cell.of(context.server()),
                        Cell.of(Texts.orDash(context.partition()))));
            }
            table.print(out(), colors.style(), "");
            out().flush();
            return ExitCode.OK;
        }
    }

    @Command(
            name = "use",
            description = "Set the current context",
            footerHeading = ServerCommand.EXAMPLES,
            footer = {"  sluice context use here", "", EXIT_CODES})
    static final class Use extends ContextSubcommand {

        @Parameters(
                paramLabel = "CONTEXT",
                completionCandidates = ServerOptions.ContextCandidates.class,
                description = "Context name.")
        private String name = "";

        @Override
        public Integer call() {
            Contexts.read(file()).using(name).write(file());
            return ExitCode.OK;
        }
    }

    @Command(
            name = "set",
            description = "Add or change a context; the first one becomes current",
            footerHeading = ServerCommand.EXAMPLES,
            footer = {
                "  sluice context set here unix:/run/sluice/sluice.sock",
                "  sluice context set gpu unix:/run/sluice/sluice.sock --partition gpu",
                "  sluice context set lab https://lab:7450 --token-file ~/.config/sluice/token",
                "",
                EXIT_CODES
            })
    static final class SetContext extends ContextSubcommand {

        @Parameters(index = "0", paramLabel = "NAME", description = "Context name.")
        private String name = "";

        @Parameters(index = "1", paramLabel = "URL", description = "Server address.")
        private String server = "";

        @Option(
                names = "--partition",
                paramLabel = "NAME",
                description = "Partition to use with this server. Default: default.")
        private @Nullable String partition;

        @Option(
                names = "--token-file",
                paramLabel = "FILE",
                description = "File with the access token for this server.")
        private @Nullable Path tokenFile;

        @Option(
                names = "--ca",
                paramLabel = "FILE",
                description = "PEM file with the trusted issuers of this server's certificate.")
        private @Nullable Path ca;

        @Override
        public Integer call() {
            if (name.isBlank()) {
                throw new UserException("the context name must not be empty");
            }
            requireReadable("--token-file", tokenFile);
            requireReadable("--ca", ca);
            ServerContext context = new ServerContext(
                    name, Target.address(server, "URL").toString(), partition, absolute(tokenFile), absolute(ca));
            Contexts contexts = Contexts.read(file()).with(context);
            (contexts.current() == null ? contexts.using(name) : contexts).write(file());
            return ExitCode.OK;
        }

        private static void requireReadable(String option, @Nullable Path named) {
            if (named != null && !Files.isReadable(named)) {
                throw new UserException(option + ": cannot read " + named);
            }
        }

        private static @Nullable Path absolute(@Nullable Path path) {
            return path == null ? null : path.toAbsolutePath().normalize();
        }
    }

    @Command(
            name = "remove",
            description = "Remove a context",
            footerHeading = ServerCommand.EXAMPLES,
            footer = {"  sluice context remove lab", "", EXIT_CODES})
    static final class Remove extends ContextSubcommand {

        @Parameters(
                paramLabel = "CONTEXT",
                completionCandidates = ServerOptions.ContextCandidates.class,
                description = "Context name.")
        private String name = "";

        @Override
        public Integer call() {
            Contexts.read(file()).without(name).write(file());
            return ExitCode.OK;
        }
    }
}
