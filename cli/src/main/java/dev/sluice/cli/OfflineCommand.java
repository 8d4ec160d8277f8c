package dev.sluice.cli;

import picocli.CommandLine.Command;

/** Takes nodes out. */
@Command(
        name = "offline",
        description = "Take nodes out: they take no more tasks, and what runs there ends in peace.",
        footerHeading = ServerCommand.EXAMPLES,
        footer = {"  sluice offline node-7", "", ServerCommand.EXIT_CODES})
final class OfflineCommand extends NodeAction {

    OfflineCommand() {
        super("offline");
    }
}
