package dev.sluice.cli;

import dev.sluice.cli.answer.Texts;
import dev.sluice.cli.client.ApiPath;
import dev.sluice.cli.client.ClientJson;
import dev.sluice.cli.client.Pages;
import dev.sluice.cli.client.ServerAnswer;
import dev.sluice.cli.client.ServerClient;
import dev.sluice.cli.client.ServerRequest;
import dev.sluice.cli.source.SourceFile;
import dev.sluice.cli.terminal.Style;
import dev.sluice.cli.terminal.TextTable;
import dev.sluice.cli.terminal.TextTable.Cell;
import dev.sluice.cli.terminal.TextWidth;
import dev.sluice.server.api.ConfigurationCheckResult;
import dev.sluice.server.api.RevisionPage;
import dev.sluice.server.api.RevisionView;
import dev.sluice.server.api.RollbackDocument;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import tools.jackson.databind.node.ObjectNode;

/** Shows and changes the configuration of a running server. */
@Command(
        name = "config",
        description = "Show and change the server's configuration",
        mixinStandardHelpOptions = true,
        versionProvider = ProgramVersion.class,
        subcommands = {
            ConfigCommand.Show.class,
            ConfigCommand.Validate.class,
            ConfigCommand.Diff.class,
            ConfigCommand.Apply.class,
            ConfigCommand.History.class,
            ConfigCommand.Rollback.class
        },
        footerHeading = ServerCommand.EXAMPLES,
        footer = {
            "  sluice config show > queues.yaml",
            "  sluice config diff queues.yaml",
            "  sluice config apply queues.yaml --note \"more for research\"",
            "  sluice config history",
            "  sluice config rollback 3",
            "",
            ServerCommand.EXIT_CODES
        })
final class ConfigCommand implements Runnable {

    private static final String CONFIGURATION = "configuration";

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    @Override
    public void run() {
        throw new ParameterException(
                spec.commandLine(), "missing subcommand: show, validate, diff, apply, history or rollback");
    }

    abstract static class DiffOptions extends ServerCommand {

        /** Sends the configuration to the server for validation. */
        final ServerAnswer check(ServerClient client, SourceFile source, String text) {
            return sending(
                    source,
                    () -> client.send(
                            ServerRequest.post(ApiPath.of(CONFIGURATION, "validate"), ServerRequest.YAML, text)
                                    .repeatable()));
        }

        final void printDiff(ConfigurationCheckResult check) {
            Style style = style();
            check.diff().lines().forEach(line -> {
                String clean = TextWidth.printable(line);
                out().println(
                                line.startsWith("+++") || line.startsWith("---")
                                        ? style.strong(clean)
                                        : line.startsWith("+")
                                                ? style.good(clean)
                                                : line.startsWith("-")
                                                        ? style.bad(clean)
                                                        : line.startsWith("@@") ? style.faint(clean) : clean);
            });
        }

        final void printChanges(ConfigurationCheckResult check) {
            check.changes().forEach(change -> out().println("  " + TextWidth.printable(change)));
        }

        final void printRevision(ServerAnswer answer) {
            show(answer.tree(), () -> {
                RevisionView revision = answer.as(RevisionView.class);
                out().println("revision " + revision.revision() + " is now in effect");
            });
        }

        final boolean isConfirmed(boolean yes) {
            out().flush();
            return yes || Confirmation.atTerminal().isGiven("Apply these changes?", err());
        }
    }

    @Command(
            name = "show",
            description = "Show the current or a previous configuration",
            footerHeading = ServerCommand.EXAMPLES,
            footer = {"  sluice config show", "  sluice config show 3", "", ServerCommand.EXIT_CODES})
    static final class Show extends ServerCommand {

        @Parameters(
                arity = "0..1",
                paramLabel = "REVISION",
                description = "Revision number. Default: the current revision.")
        private @Nullable Long revision;

        @Override
        public Integer call() {
            ServerAnswer answer = client().get(
                            revision == null
                                    ? ApiPath.of(CONFIGURATION)
                                    : ApiPath.of(CONFIGURATION, "history", revision.toString()));
            show(
                    answer.tree(),
                    () -> out().print(
                                    String.valueOf(answer.as(RevisionView.class).text())));
            return ExitCode.OK;
        }
    }

    @Command(
            name = "validate",
            description = "Check whether the server would accept a configuration",
            footerHeading = ServerCommand.EXAMPLES,
            footer = {"  sluice config validate queues.yaml", "", ServerCommand.EXIT_CODES})
    static final class Validate extends DiffOptions {

        @Parameters(paramLabel = "FILE", description = "Queue configuration; - is standard input.")
        private String file = "";

        @Override
        public Integer call() {
            SourceFile source = SourceFile.named(file, System.in);
            ServerAnswer answer = check(client(), source, text(source));
            ConfigurationCheckResult check = answer.as(ConfigurationCheckResult.class);
            show(answer.tree(), () -> {
                print(source, List.of(), check.warnings());
                out().println(source.name() + ": " + style().good("valid")
                        + (check.changes().isEmpty() ? ", no changes" : ", changes:"));
                printChanges(check);
            });
            return ExitCode.OK;
        }
    }

    @Command(
            name = "diff",
            description = "Show what a configuration would change, as a unified diff",
            footerHeading = ServerCommand.EXAMPLES,
            footer = {
                "  sluice config diff queues.yaml",
                "  sluice config diff queues.yaml --exit-code >/dev/null || echo differs",
                "",
                ServerCommand.EXIT_CODES
            })
    static final class Diff extends DiffOptions {

        @Parameters(paramLabel = "FILE", description = "Queue configuration; - is standard input.")
        private String file = "";

        @Option(names = "--exit-code", description = "Exit code 1 if there are differences.")
        private boolean exitCode;

        @Override
        public Integer call() {
            SourceFile source = SourceFile.named(file, System.in);
            ServerAnswer answer = check(client(), source, text(source));
            ConfigurationCheckResult check = answer.as(ConfigurationCheckResult.class);
            show(answer.tree(), () -> printDiff(check));
            return exitCode && !check.diff().isEmpty() ? ExitCode.FAILED : ExitCode.OK;
        }
    }

    @Command(
            name = "apply",
            description = {
                "Apply a configuration to the running server",
                "",
                "Shows the changes and, on a terminal, prompts for confirmation. Removed queues drain first:"
                        + " their running"
                        + " tasks finish."
            },
            footerHeading = ServerCommand.EXAMPLES,
            footer = {
                "  sluice config apply queues.yaml",
                "  sluice config apply -y queues.yaml --note \"more for research\"",
                "",
                ServerCommand.EXIT_CODES
            })
    static final class Apply extends DiffOptions {

        @Parameters(paramLabel = "FILE", description = "Queue configuration; - is standard input.")
        private String file = "";

        @Option(names = "--note", paramLabel = "TEXT", description = "Note, recorded in the history.")
        private @Nullable String note;

        @Option(
                names = "--basis",
                paramLabel = "REVISION",
                description = "Revision that was edited; refused if another one is current. Default: the revision with"
                        + " which the changes are compared.")
        private @Nullable Long basis;

        @Option(
                names = {"-y", "--yes"},
                description = "No confirmation prompt.")
        private boolean yes;

        @Override
        public Integer call() {
            OptionValues.requireAtLeast(0, "--basis", basis);
            SourceFile source = SourceFile.named(file, System.in);
            String text = text(source);
            ServerClient client = client();
            long edited = basis == null
                    ? client.get(ApiPath.of(CONFIGURATION))
                            .as(RevisionView.class)
                            .revision()
                    : basis;
            ConfigurationCheckResult check = check(client, source, text).as(ConfigurationCheckResult.class);
            print(source, List.of(), check.warnings());
            if (check.diff().isEmpty()) {
                printCurrentRevision(client);
                return ExitCode.OK;
            }
            if (output().isTable()) {
                printDiff(check);
                printChanges(check);
            }
            if (!isConfirmed(yes)) {
                say("cancelled; the configuration is unchanged");
                return ExitCode.FAILED;
            }
            printRevision(sending(
                    source,
                    () -> client.send(ServerRequest.put(
                            ApiPath.of(CONFIGURATION).with("note", note).with("basis", Long.toString(edited)),
                            ServerRequest.YAML,
                            text))));
            return ExitCode.OK;
        }

        private void printCurrentRevision(ServerClient client) {
            ServerAnswer answer = client.get(ApiPath.of(CONFIGURATION));
            show(
                    answer.tree(),
                    () -> out().println("no changes: revision "
                            + answer.as(RevisionView.class).revision() + " is already in effect"));
        }
    }

    @Command(
            name = "history",
            description = "List configuration revisions, newest first",
            footerHeading = ServerCommand.EXAMPLES,
            footer = {"  sluice config history", "  sluice config history --limit 5", "", ServerCommand.EXIT_CODES})
    static final class History extends ServerCommand {

        private static final int PAGE = 500;

        @Option(
                names = "--limit",
                paramLabel = "N",
                defaultValue = "50",
                description = "Maximum number of results. Default: 50.")
        private long limit = 50;

        @Override
        public Integer call() {
            OptionValues.requireAtLeast(1, "--limit", limit);
            ObjectNode answer = Pages.all(client(), ApiPath.of(CONFIGURATION, "history"), "before", null, PAGE, limit);
            show(answer, () -> {
                TextTable table = new TextTable(Integer.MAX_VALUE)
                        .number("REVISION")
                        .text("SINCE")
                        .text("BY")
                        .text("NOTE");
                for (RevisionView each :
                        ClientJson.value(answer, RevisionPage.class).items()) {
                    table.row(List.of(
                            Cell.of(each.revision()),
                            Cell.of(Texts.time(each.at())),
                            Cell.of(Texts.orDash(each.actor())),
                            Cell.of(each.note())));
                }
                table.print(out(), style(), "");
            });
            return ExitCode.OK;
        }
    }

    @Command(
            name = "rollback",
            description = {
                "Return to a previous configuration",
                "",
                "The previous configuration becomes a new revision. Shows the changes and, on a terminal, prompts for"
                        + " confirmation."
            },
            footerHeading = ServerCommand.EXAMPLES,
            footer = {"  sluice config rollback 3", "", ServerCommand.EXIT_CODES})
    static final class Rollback extends DiffOptions {

        @Parameters(paramLabel = "REVISION", description = "Revision number (see sluice config history).")
        private long revision;

        @Option(names = "--note", paramLabel = "TEXT", description = "Note, recorded in the history.")
        private @Nullable String note;

        @Option(
                names = {"-y", "--yes"},
                description = "No confirmation prompt.")
        private boolean yes;

        @Override
        public Integer call() {
            ServerClient client = client();
            String text = client.get(ApiPath.of(CONFIGURATION, "history", Long.toString(revision)))
                    .as(RevisionView.class)
                    .text();
            if (output().isTable() && text != null) {
                ConfigurationCheckResult check = client.send(
                                ServerRequest.post(ApiPath.of(CONFIGURATION, "validate"), ServerRequest.YAML, text)
                                        .repeatable())
                        .as(ConfigurationCheckResult.class);
                printDiff(check);
                printChanges(check);
            }
            if (!isConfirmed(yes)) {
                say("cancelled; the configuration is unchanged");
                return ExitCode.FAILED;
            }
            printRevision(client.send(ServerRequest.post(
                    ApiPath.of(CONFIGURATION, "rollback"),
                    ServerRequest.JSON,
                    ClientJson.MAPPER.writeValueAsString(new RollbackDocument(revision, note)))));
            return ExitCode.OK;
        }
    }
}
