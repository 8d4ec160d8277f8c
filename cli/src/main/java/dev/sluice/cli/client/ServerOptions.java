package dev.sluice.cli.client;

import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Iterator;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Options that select the server. */
public final class ServerOptions {

    /** First character of a completion candidate that the completion script looks up by its name. */
    public static final String CANDIDATES_MARKER = "@";

    private static final Duration TIMEOUT = Duration.ofSeconds(30);

    /** Completion candidates: the names of partitions. */
    public static final class PartitionCandidates implements Iterable<String> {
        @Override
        public Iterator<String> iterator() {
            return List.of(CANDIDATES_MARKER + "partitions").iterator();
        }
    }

    /** Completion candidates: the names of contexts. */
    public static final class ContextCandidates implements Iterable<String> {
        @Override
        public Iterator<String> iterator() {
            return List.of(CANDIDATES_MARKER + "contexts").iterator();
        }
    }

    @Option(
            names = "--server",
            paramLabel = "URL",
            description = "Server address, or unix:PATH. Default: SLUICE_SERVER, else the current context, else the"
                    + " socket .sluice/server/sluice.sock or /run/sluice/sluice.sock, else " + Target.DEFAULT + ".")
    private @Nullable String server;

    @Option(
            names = "--partition",
            paramLabel = "PARTITION",
            completionCandidates = PartitionCandidates.class,
            description = "Partition. Default: that of the context, else default.")
    private @Nullable String partition;

    @Option(
            names = "--context",
            paramLabel = "CONTEXT",
            completionCandidates = ContextCandidates.class,
            description = "Context to use instead of the current one (see sluice context).")
    private @Nullable String context;

    @Option(
            names = "--token-file",
            paramLabel = "FILE",
            description = "File with an access token. Default: that of the context, else SLUICE_TOKEN.")
    private @Nullable Path tokenFile;

    @Option(
            names = "--ca",
            paramLabel = "FILE",
            description = "PEM file with the issuers of certificates to trust. Default: that of the context, else those"
                    + " that Java trusts.")
    private @Nullable Path ca;

    @Option(
            names = "--timeout",
            paramLabel = "TIME",
            description = "Time limit. Default: 30s per request; none for commands that wait or follow.")
    private @Nullable Duration timeout;

    @Spec(Spec.Target.MIXEE)
    private @Nullable CommandSpec command;

    private @Nullable Target target;
    private @Nullable String token;

    /** Returns the server and partition that the options select. */
    public Target target() {
        Target known = target;
        if (known == null) {
            known = Target.of(
                    server,
                    partition,
                    context,
                    System.getenv(),
                    Contexts.file(System.getenv(), System.getProperty("user.home", "")),
                    Target.SOCKETS);
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
        return client(timeout == null ? TIMEOUT : timeout);
    }

    /** Returns a client whose requests have this time limit. */
    public ServerClient client(Duration limit) {
        if (token == null) {
            token = ClientToken.of(tokenFile, target(), System.getenv(), this::warn);
        }
        return new ServerClient(
                target().server(), System.getProperty("user.name", ""), token, issuers(), () -> RetryPolicy.of(limit));
    }

    private @Nullable Path issuers() {
        if (ca != null && !Files.isReadable(ca)) {
            throw ClientException.badInput("--ca: cannot read " + ca);
        }
        if (ca != null && !"https".equals(target().server().getScheme())) {
            warn("--ca has no effect on " + target().server() + ": use an https address, or remove it");
            ca = null;
        }
        return ca == null ? target().ca() : ca;
    }

    private void warn(String warning) {
        if (command != null) {
            PrintWriter err = command.commandLine().getErr();
            err.println("sluice: warning: " + warning);
            err.flush();
        }
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
