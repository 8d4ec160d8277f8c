package dev.sluice.cli;

import picocli.CommandLine.Command;

/** Lets nodes that were taken out take tasks again. */
@Command(
        name = "reinstate",
        description = "Let nodes that were taken offline take tasks again.",
        footerHeading = ServerCommand.EXAMPLES,
        footer = {"  sluice reinstate node-7", "", ServerCommand.EXIT_CODES})
final class ReinstateCommand extends NodeAction {

    ReinstateCommand() {
        super("reinstate");
    }
}
