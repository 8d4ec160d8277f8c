package dev.sluice.cli;

import picocli.CommandLine.Command;

/** Drains nodes. */
@Command(
        name = "offline",
        description = "Drain nodes: running tasks finish, nothing new starts",
        footerHeading = ServerCommand.EXAMPLES,
        footer = {"  sluice offline node-7", "", ServerCommand.EXIT_CODES})
final class OfflineCommand extends NodeAction {

    OfflineCommand() {
        super("offline");
    }
}
