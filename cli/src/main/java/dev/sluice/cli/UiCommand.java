package dev.sluice.cli;

import dev.sluice.cli.answer.Texts;
import dev.sluice.cli.client.ApiPath;
import dev.sluice.cli.client.ServerAnswer;
import dev.sluice.cli.client.ServerRequest;
import dev.sluice.cli.terminal.TextWidth;
import dev.sluice.server.api.SignInLinkView;
import picocli.CommandLine.Command;

@Command(
        name = "ui",
        description = {
            "Print a link that opens the page of a server",
            "",
            "The link signs you in as the user who runs the command, once, within a minute; you stay signed in for up to"
                    + " 12 hours. Without it, the page at the server's address asks for a token."
        },
        footerHeading = ServerCommand.EXAMPLES,
        footer = {"  sluice ui", "  xdg-open \"$(sluice ui)\"", "", ServerCommand.EXIT_CODES})
final class UiCommand extends ServerCommand {

    @Override
    public Integer call() {
        ServerAnswer answer = client().send(ServerRequest.post(ApiPath.of("sign-in-links"), ServerRequest.JSON, ""));
        SignInLinkView link = answer.as(SignInLinkView.class);
        show(answer.tree(), () -> out().println(TextWidth.printable(link.address())));
        say("the link works once, until " + Texts.time(link.expires()));
        return ExitCode.OK;
    }
}
