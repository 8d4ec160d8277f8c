package dev.sluice.cli;

import java.time.Instant;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/**
 * Options of a local run that say when it starts. Those that only a server can carry out are known, so that the error
 * says what to use instead.
 */
final class RunStartOptions {

    @Option(
            names = "--not-before",
            paramLabel = "TIME",
            description = "When tasks may start: local time such as 2026-12-01T02:00, an instant, or +2h.")
    private @Nullable Instant notBefore;

    @Option(names = "--hold", hidden = true, description = "Refused.")
    private boolean hold;

    @Option(names = "--after", hidden = true, paramLabel = "APP[:CONDITION]", description = "Refused.")
    private @Nullable String after;

    /** Returns the instant before which nothing starts, or null. */
    @Nullable Instant notBefore() {
        return notBefore;
    }

    /** Throws if an option is given that has no effect without a server. */
    void check() {
        if (hold) {
            throw new UserException("--hold has no effect without a server, because nothing could release the"
                    + " application: use sluice submit --hold, or --not-before");
        }
        if (after != null) {
            throw new UserException("--after has no effect without a server: use sluice submit --after, or write after"
                    + " into the job file to order its applications");
        }
    }
}
