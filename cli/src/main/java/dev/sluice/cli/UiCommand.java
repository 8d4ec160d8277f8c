package dev.sluice.cli;

import dev.sluice.cli.answer.Texts;
import dev.sluice.cli.client.ApiPath;
import dev.sluice.cli.client.LinkHandover;
import dev.sluice.cli.client.LoopbackPeer;
import dev.sluice.cli.client.ServerAnswer;
import dev.sluice.cli.client.ServerRequest;
import dev.sluice.cli.terminal.TerminalStreams;
import dev.sluice.cli.terminal.TextWidth;
import dev.sluice.server.api.SignInLinkView;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

@Command(
        name = "ui",
        description = {
            "Open the page of a server, or print a link to it",
            "",
            "The link signs you in as the user who runs the command, once, within a minute; you stay signed in for up to"
                    + " 12 hours. Without it, the page at the server's address asks for a token.",
            "",
            "On a desktop, the page is opened by the program in BROWSER, or else xdg-open. Elsewhere the link is printed."
        },
        footerHeading = ServerCommand.EXAMPLES,
        footer = {"  sluice ui", "  sluice ui --no-open", "", ServerCommand.EXIT_CODES})
final class UiCommand extends ServerCommand {

    /** How long a browser may take to start; the link then still works for as long again. */
    private static final Duration START_MAX = Duration.ofSeconds(30);

    @Option(
            names = "--open",
            description = "Open the page in a browser. Default: if there is a desktop and the output is a terminal.")
    private boolean open;

    @Option(names = "--no-open", description = "Print the link instead.")
    private boolean noOpen;

    @Override
    public Integer call() {
        if (open && noOpen) {
            throw new UserException("--open has no effect with --no-open: remove one");
        }
        ServerAnswer answer = client().send(ServerRequest.post(ApiPath.of("sign-in-links"), ServerRequest.JSON, ""));
        SignInLinkView link = answer.as(SignInLinkView.class);
        if (!opens(System.getenv()) || !isOpened(link.address(), browser(System.getenv()))) {
            show(answer.tree(), () -> out().println(TextWidth.printable(link.address())));
            say("the link works once, until " + Texts.time(link.expires()));
        }
        return ExitCode.OK;
    }

    private boolean opens(Map<String, String> environment) {
        boolean hasDesktop = !environment.getOrDefault("DISPLAY", "").isEmpty()
                || !environment.getOrDefault("WAYLAND_DISPLAY", "").isEmpty();
        return open
                || (!noOpen
                        && hasDesktop
                        && output().format() == OutputFormat.TABLE
                        && TerminalStreams.isOutputTerminal());
    }

    private static String browser(Map<String, String> environment) {
        String browser = environment.getOrDefault("BROWSER", "");
        return browser.isEmpty() ? "xdg-open" : browser;
    }

    /** Returns whether a browser has opened a link; otherwise says why not. */
    private boolean isOpened(String link, String browser) {
        try (LinkHandover handover = new LinkHandover(link, LoopbackPeer::isSameUser)) {
            new ProcessBuilder(browser, handover.address())
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
            if (handover.await(START_MAX)) {
                say("the page is open in the browser");
                return true;
            }
            say(browser + " has not opened the page within " + START_MAX.toSeconds() + " s; open the link yourself");
        } catch (IOException e) {
            say("cannot start a browser: " + e.getMessage() + "; open the link yourself, or set BROWSER to a program");
        }
        return false;
    }
}
