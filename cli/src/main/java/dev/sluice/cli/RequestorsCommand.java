package dev.sluice.cli;

import dev.sluice.cli.client.ClientJson;
import dev.sluice.cli.client.ServerAnswer;
import dev.sluice.cli.client.ServerRequest;
import dev.sluice.cli.terminal.TextTable;
import dev.sluice.cli.terminal.TextTable.Cell;
import dev.sluice.cli.terminal.TextWidth;
import dev.sluice.server.api.RequestorsDocument;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Shows and sets the requestor map: which users use which load class. */
@Command(
        name = "requestors",
        description = "Show and set the requestor map: which users use which class",
        mixinStandardHelpOptions = true,
        versionProvider = ProgramVersion.class,
        subcommands = {
            RequestorsCommand.GetRequestors.class,
            RequestorsCommand.SetRequestors.class,
            RequestorsCommand.Clear.class
        },
        footerHeading = ServerCommand.EXAMPLES,
        footer = {
            "  sluice classes requestors get",
            "  sluice classes requestors set root.land='^land' root.sandbox=sand",
            "  sluice classes requestors clear",
            "",
            ServerCommand.EXIT_CODES
        })
final class RequestorsCommand implements Runnable {

    private static final String REQUESTORS = "requestors";

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "missing subcommand: get, set or clear");
    }

    abstract static class RequestorsOutput extends ServerCommand {

        final int print(ServerAnswer answer) {
            show(answer.tree(), () -> print(answer.as(RequestorsDocument.class).requestors()));
            return ExitCode.OK;
        }

        final int set(Map<String, String> requestors) {
            return print(client().send(ServerRequest.put(
                    server().inPartition(REQUESTORS),
                    ServerRequest.JSON,
                    ClientJson.MAPPER.writeValueAsString(new RequestorsDocument(requestors)))));
        }

        private void print(Map<String, String> requestors) {
            if (requestors.isEmpty()) {
                out().println("the requestor map is empty");
                return;
            }
            TextTable table = new TextTable(Integer.MAX_VALUE).text("CLASS").text("USERS (REGULAR EXPRESSION)");
            requestors.forEach((path, users) ->
                    table.row(List.of(new Cell(path, style()::strong), Cell.of(TextWidth.printable(users)))));
            table.print(out(), style(), "");
        }
    }

    @Command(
            name = "get",
            description = "Show the requestor map",
            footerHeading = ServerCommand.EXAMPLES,
            footer = {"  sluice classes requestors get -o json", "", ServerCommand.EXIT_CODES})
    static final class GetRequestors extends RequestorsOutput {

        @Override
        public Integer call() {
            return print(client().get(server().inPartition(REQUESTORS)));
        }
    }

    @Command(
            name = "set",
            description = {
                "Replace the requestor map",
                "",
                "An expression matches anywhere in the user name: sand matches sandbox1, ^sand$ matches only"
                        + " sand. The first"
                        + " matching class wins. The map is stored as placement rules in a new revision of the"
                        + " configuration"
                        + " (see sluice config history)."
            },
            footerHeading = ServerCommand.EXAMPLES,
            footer = {
                "  sluice classes requestors set root.land='^land' root.sandbox=sand",
                "",
                ServerCommand.EXIT_CODES
            })
    static final class SetRequestors extends RequestorsOutput {

        @Parameters(
                arity = "1..*",
                paramLabel = "CLASS=EXPRESSION",
                description = "Path of a class, and the regular expression for its users.")
        private Map<String, String> requestors = new LinkedHashMap<>();

        @Override
        public Integer call() {
            return set(requestors);
        }
    }

    @Command(
            name = "clear",
            description = "Remove the requestor map",
            footerHeading = ServerCommand.EXAMPLES,
            footer = {"  sluice classes requestors clear", "", ServerCommand.EXIT_CODES})
    static final class Clear extends RequestorsOutput {

        @Override
        public Integer call() {
            return set(Map.of());
        }
    }
}
