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

/** Shows and sets the requestor map: which users go to which load class. */
@Command(
        name = "requestors",
        description = "Show and set which users go to which load class.",
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
        throw new ParameterException(spec.commandLine(), "say what to do: get, set or clear");
    }

    /** What the three commands have in common. */
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
                out().println("no users are mapped to load classes");
                return;
            }
            TextTable table = new TextTable(Integer.MAX_VALUE).text("CLASS").text("USERS (REGULAR EXPRESSION)");
            requestors.forEach((path, users) ->
                    table.row(List.of(new Cell(path, style()::strong), Cell.of(TextWidth.printable(users)))));
            table.print(out(), style(), "");
        }
    }

    /** Shows the map. */
    @Command(
            name = "get",
            description = "Show which users go to which load class.",
            footerHeading = ServerCommand.EXAMPLES,
            footer = {"  sluice classes requestors get -o json", "", ServerCommand.EXIT_CODES})
    static final class GetRequestors extends RequestorsOutput {

        @Override
        public Integer call() {
            return print(client().get(server().inPartition(REQUESTORS)));
        }
    }

    /** Sets the map. */
    @Command(
            name = "set",
            description = {
                "Set which users go to which load class, in place of all that was set before.",
                "An expression matches anywhere in the user's name: sand matches sandbox1, ^sand$ matches sand alone. The first"
                        + " class that matches wins.",
                "The map becomes placement rules, a revision of the configuration like any other (see sluice config history)."
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
                description = "The path of a class and the regular expression for its users.")
        private Map<String, String> requestors = new LinkedHashMap<>();

        @Override
        public Integer call() {
            return set(requestors);
        }
    }

    /** Removes the map. */
    @Command(
            name = "clear",
            description = "Remove the map: applications find their queues as before it was set.",
            footerHeading = ServerCommand.EXAMPLES,
            footer = {"  sluice classes requestors clear", "", ServerCommand.EXIT_CODES})
    static final class Clear extends RequestorsOutput {

        @Override
        public Integer call() {
            return set(Map.of());
        }
    }
}
