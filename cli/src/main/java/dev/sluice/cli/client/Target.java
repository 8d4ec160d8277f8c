package dev.sluice.cli.client;

import dev.sluice.core.configuration.PartitionConfiguration;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Which server, and which of its partitions.
 *
 * @param server without a slash at its end
 */
public record Target(URI server, String partition) {

    /** The variable with the address of the server. */
    public static final String VARIABLE = "SLUICE_SERVER";

    /** The server where nobody says otherwise. */
    public static final String DEFAULT = "http://127.0.0.1:7450";

    /**
     * What these come to. A server that is named goes before a context that is, that one before the environment, and that before the
     * current context; the partition of a context counts for its own server alone.
     *
     * @param server as it was written, or null
     * @param partition as it was written, or null
     * @param context the name of a context, or null
     * @param file the contexts
     */
    public static Target of(
            @Nullable String server,
            @Nullable String partition,
            @Nullable String context,
            Map<String, String> environment,
            Path file) {
        String variable = environment.get(VARIABLE);
        if (server != null) {
            return new Target(address(server, "--server"), orDefault(partition));
        }
        if (context != null) {
            return of(Contexts.read(file).get(context), partition);
        }
        if (variable != null && !variable.isEmpty()) {
            return new Target(address(variable, VARIABLE), orDefault(partition));
        }
        Contexts contexts = Contexts.read(file);
        ServerContext current = contexts.find(contexts.current());
        return current == null ? new Target(address(DEFAULT, ""), orDefault(partition)) : of(current, partition);
    }

    private static Target of(ServerContext context, @Nullable String partition) {
        return new Target(
                address(context.server(), "the server of context " + context.name()),
                orDefault(partition == null ? context.partition() : partition));
    }

    private static String orDefault(@Nullable String partition) {
        return partition == null ? PartitionConfiguration.DEFAULT_NAME : partition;
    }

    /** The address of a server; http is meant where no scheme is written. */
    public static URI address(String text, String where) {
        String full = text.contains("://") ? text : "http://" + text;
        try {
            URI address = new URI(full.endsWith("/") ? full.substring(0, full.length() - 1) : full);
            boolean known = "http".equals(address.getScheme()) || "https".equals(address.getScheme());
            if (known && address.getHost() != null && address.getQuery() == null && address.getFragment() == null) {
                return address;
            }
        } catch (URISyntaxException e) {
            throw ClientException.badInput(wrong(text, where));
        }
        throw ClientException.badInput(wrong(text, where));
    }

    private static String wrong(String text, String where) {
        return where + ": \"" + text + "\" is no address of a server: write one such as " + DEFAULT;
    }
}
