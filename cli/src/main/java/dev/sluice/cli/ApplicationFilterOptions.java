package dev.sluice.cli;

import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Options that select applications of a partition; an application must match all that are given. */
final class ApplicationFilterOptions {

    @Option(
            names = "--queue",
            paramLabel = "QUEUE",
            completionCandidates = Candidates.Queues.class,
            description = "Applications in this queue or below it.")
    @Nullable String queue;

    @Option(names = "--user", paramLabel = "NAME", description = "Applications of this user.")
    @Nullable String user;

    @Option(names = "--tag", paramLabel = "TAG", description = "Applications with this tag.")
    @Nullable String tag;

    @Option(names = "--state", paramLabel = "STATE", description = "Applications in this state, such as Running.")
    @Nullable String state;

    boolean isEmpty() {
        return queue == null && user == null && tag == null && state == null;
    }
}
