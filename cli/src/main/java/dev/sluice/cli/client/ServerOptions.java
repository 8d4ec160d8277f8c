package dev.sluice.cli.client;

import java.time.Duration;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Options that select the server. */
public final class ServerOptions {

    private static final Duration TIMEOUT = Duration.ofSeconds(30);

    @Option(
            names = "--server",
            paramLabel = "URL",
            description = "Server address. Default: SLUICE_SERVER, else the current context, else " + Target.DEFAULT
                    + ".")
    private @Nullable String server;

    @Option(
            names = "--partition",
            paramLabel = "NAME",
            description = "Partition. Default: that of the context, else default.")
    private @Nullable String partition;

    @Option(
            names = "--context",
            paramLabel = "NAME",
            description = "Context to use instead of the current one (see sluice context).")
    private @Nullable String context;

    @Option(
            names = "--timeout",
            paramLabel = "TIME",
            description =
                    "Time limit. Default: 30s per request; none for commands that wait or follow.")
    private @Nullable Duration timeout;

    private @Nullable Target target;

    /** Returns the server and partition that the options select. */
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

    public String partition() {
        return target().partition();
    }

    /** Returns the value of {@code --partition}, or null. */
    public @Nullable String partitionAsWritten() {
        return partition;
    }

    /** Returns the value of {@code --timeout}, or null. */
    public @Nullable Duration timeout() {
        return timeout;
    }

    public ServerClient client() {
        Duration effectiveTimeout = timeout == null ? TIMEOUT : timeout;
        return new ServerClient(
                target().server(), System.getProperty("user.name", ""), () -> RetryPolicy.of(effectiveTimeout));
    }

    /** Returns a path below the selected partition. */
    public ApiPath inPartition(String... parts) {
        String[] all = new String[parts.length + 2];
        all[0] = "partitions";
        all[1] = partition();
        System.arraycopy(parts, 0, all, 2, parts.length);
        return ApiPath.of(all);
    }
}
