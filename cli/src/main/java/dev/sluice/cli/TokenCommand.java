package dev.sluice.cli;

import dev.sluice.cli.answer.Texts;
import dev.sluice.cli.client.ApiPath;
import dev.sluice.cli.client.ClientJson;
import dev.sluice.cli.client.ServerAnswer;
import dev.sluice.cli.client.ServerRequest;
import dev.sluice.cli.terminal.TextTable;
import dev.sluice.cli.terminal.TextTable.Cell;
import dev.sluice.cli.terminal.TextWidth;
import dev.sluice.config.field.DurationText;
import dev.sluice.server.api.TokenView;
import dev.sluice.server.route.Role;
import java.time.Duration;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import tools.jackson.databind.node.ObjectNode;

/** Manages access tokens. */
@Command(
        name = "token",
        description = {
            "Create, list and revoke access tokens",
            "",
            "Servers require a token over TCP; create the first one over the server's Unix socket."
                    + " A token authenticates a user on a server. Commands send the token in --token-file, else in the token-file"
                    + " of the context, else in the variable SLUICE_TOKEN. An admin manages all tokens, others their"
                    + " own."
        },
        mixinStandardHelpOptions = true,
        versionProvider = ProgramVersion.class,
        subcommands = {TokenCommand.Create.class, TokenCommand.ListTokens.class, TokenCommand.Revoke.class},
        footerHeading = ServerCommand.EXAMPLES,
        footer = {
            "  (umask 077; sluice token create --name laptop > ~/.config/sluice/token)",
            "  sluice list --token-file ~/.config/sluice/token",
            "  sluice token list",
            "  sluice token revoke 5f2a9c0e71b3",
            "",
            ServerCommand.EXIT_CODES
        })
final class TokenCommand implements Runnable {

    private static final String TOKENS = "tokens";

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "missing subcommand: create, list or revoke");
    }

    /** The roles of users. */
    static final class RoleNames implements Iterable<String> {
        @Override
        public Iterator<String> iterator() {
            return Arrays.stream(Role.values())
                    .filter(role -> role != Role.ANYONE)
                    .map(Role::wireName)
                    .iterator();
        }
    }

    @Command(
            name = "create",
            description = {
                "Create an access token and print it",
                "",
                "The token is printed once, to standard output; the server keeps only a digest of it."
            },
            footerHeading = ServerCommand.EXAMPLES,
            footer = {
                "  sluice token create --name laptop > token",
                "  sluice token create --user ci --role submitter --expires 30d",
                "",
                ServerCommand.EXIT_CODES
            })
    static final class Create extends ServerCommand {

        @Option(
                names = "--user",
                paramLabel = "NAME",
                description = "User whom the token authenticates; only an admin names others. Default: yourself.")
        private @Nullable String user;

        @Option(
                names = "--role",
                paramLabel = "ROLE",
                completionCandidates = RoleNames.class,
                description = "The most that the token permits, at most your own role: ${COMPLETION-CANDIDATES}."
                        + " Default: submitter.")
        private @Nullable Role role;

        @Option(
                names = "--expires",
                paramLabel = "TIME",
                description = "How long the token is valid, at most 3650d. Default: 90d.")
        private @Nullable Duration expires;

        @Option(names = "--name", paramLabel = "NAME", description = "What the token is for.")
        private @Nullable String name;

        @Override
        public Integer call() {
            ObjectNode document = ClientJson.object();
            document.put("user", user);
            document.put("role", role == null ? null : role.wireName());
            document.put("expires", expires == null ? null : DurationText.format(expires));
            document.put("name", name);
            ServerAnswer answer =
                    client().send(ServerRequest.post(ApiPath.of(TOKENS), ServerRequest.JSON, document.toString()));
            TokenView token = answer.as(TokenView.class);
            show(answer.tree(), () -> out().println(token.token()));
            say("token " + token.id() + " of user " + token.user() + " has the role " + token.role() + " and expires "
                    + Texts.time(token.expires()) + "; it is not shown again");
            return ExitCode.OK;
        }
    }

    @Command(
            name = "list",
            description = "List valid access tokens",
            footerHeading = ServerCommand.EXAMPLES,
            footer = {"  sluice token list -o json", "", ServerCommand.EXIT_CODES})
    static final class ListTokens extends ServerCommand {

        @Override
        public Integer call() {
            ServerAnswer answer = client().get(ApiPath.of(TOKENS));
            show(answer.tree(), () -> print(List.of(answer.as(TokenView[].class))));
            return ExitCode.OK;
        }

        private void print(List<TokenView> tokens) {
            if (tokens.isEmpty()) {
                out().println("no tokens");
                return;
            }
            TextTable table = new TextTable(Integer.MAX_VALUE)
                    .text("ID")
                    .text("USER")
                    .text("ROLE")
                    .text("EXPIRES")
                    .text("NAME");
            for (TokenView token : tokens) {
                table.row(List.of(
                        new Cell(TextWidth.printable(token.id()), style()::strong),
                        Cell.of(TextWidth.printable(token.user())),
                        Cell.of(TextWidth.printable(token.role())),
                        Cell.of(Texts.time(token.expires())),
                        Cell.of(TextWidth.printable(Texts.orDash(token.name())))));
            }
            table.print(out(), style(), "");
        }
    }

    @Command(
            name = "revoke",
            description = "Revoke access tokens; they are invalid at once",
            footerHeading = ServerCommand.EXAMPLES,
            footer = {"  sluice token revoke 5f2a9c0e71b3", "", ServerCommand.EXIT_CODES})
    static final class Revoke extends ServerCommand {

        @Parameters(paramLabel = "ID", description = "Id of the token (see sluice token list).")
        private String id = "";

        @Override
        public Integer call() {
            ServerAnswer unused = client().send(ServerRequest.delete(ApiPath.of(TOKENS, id)));
            say("token " + id + " is revoked");
            return ExitCode.OK;
        }
    }
}
