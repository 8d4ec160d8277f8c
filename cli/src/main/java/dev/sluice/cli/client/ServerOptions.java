package dev.sluice.cli.client;

import java.time.Duration;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options about the server that is asked. */
public final class ServerOptions {

    private static final Duration TIMEOUT = Duration.ofSeconds(30);

    @Option(
            names = "--server",
            paramLabel = "URL",
            description = "The server. Default: SLUICE_SERVER, else that of the current context, else " + Target.DEFAULT
                    + ".")
    private @Nullable String server;

    @Option(
            names = "--partition",
            paramLabel = "NAME",
            description = "The partition. Default: that of the context, else default.")
    private @Nullable String partition;

    @Option(
            names = "--context",
            paramLabel = "NAME",
            description = "The context to use instead of the current one (see sluice context).")
    private @Nullable String context;

    @Option(
            names = "--timeout",
            paramLabel = "TIME",
            description =
                    "Give up after this time. Default: 30s for an answer; what waits or follows does so without end.")
    private @Nullable Duration timeout;

    private @Nullable Target target;

    /** Which server, and which partition of it. */
    public Target target() {
        Target known = target;
        if (known == null) {
            known = Target.of(
                    server,
                    partition,
                    context,
                    System.getenv(),
                    Contexts.file(System.getenv(), System.getProperty("user.home", "")));
            target = known;
        }
        return known;
    }

    /** The partition that is meant. */
    public String partition() {
        return target().partition();
    }

    /** The partition that was written on the command line, or null. */
    public @Nullable String partitionAsWritten() {
        return partition;
    }

    /** After which time to give up, or null if that was not said. */
    public @Nullable Duration timeout() {
        return timeout;
    }

    /** Asks the server. */
    public ServerClient client() {
        Duration effectiveTimeout = timeout == null ? TIMEOUT : timeout;
        return new ServerClient(
                target().server(), System.getProperty("user.name", ""), () -> RetryPolicy.of(effectiveTimeout));
    }

    /** A path below the partition. */
    public ApiPath inPartition(String... parts) {
        String[] all = new String[parts.length + 2];
        all[0] = "partitions";
        all[1] = partition();
        System.arraycopy(parts, 0, all, 2, parts.length);
        return ApiPath.of(all);
    }
}
