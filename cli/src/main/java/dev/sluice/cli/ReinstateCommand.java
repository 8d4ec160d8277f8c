package dev.sluice.cli;

import picocli.CommandLine.Command;

/** Returns drained nodes to service. */
@Command(
        name = "reinstate",
        description = "Return drained nodes to service",
        footerHeading = ServerCommand.EXAMPLES,
        footer = {"  sluice reinstate node-7", "", ServerCommand.EXIT_CODES})
final class ReinstateCommand extends NodeAction {

    ReinstateCommand() {
        super("reinstate");
    }
}
