package dev.sluice.cli.client;

import dev.sluice.core.configuration.PartitionConfiguration;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A server and one of its partitions.
 *
 * @param server address without a trailing slash
 * @param tokenFile the file with the access token for the server, or null
 */
public record Target(URI server, String partition, @Nullable Path tokenFile) {

    /** Environment variable with the address of the server. */
    public static final String VARIABLE = "SLUICE_SERVER";

    /** Default server address. */
    public static final String DEFAULT = "http://127.0.0.1:7450";

    /**
     * Selects the server in this order: {@code --server}, {@code --context}, {@code SLUICE_SERVER}, the current
     * context, the default. The partition and the token of a context apply only to the server of that context.
     *
     * @param server value of the option, or null
     * @param partition value of the option, or null
     * @param context value of the option, or null
     * @param file the context file
     */
    public static Target of(
            @Nullable String server,
            @Nullable String partition,
            @Nullable String context,
            Map<String, String> environment,
            Path file) {
        String variable = environment.get(VARIABLE);
        if (server != null) {
            return new Target(address(server, "--server"), orDefault(partition), null);
        }
        if (context != null) {
            return of(Contexts.read(file).get(context), partition);
        }
        if (variable != null && !variable.isEmpty()) {
            return new Target(address(variable, VARIABLE), orDefault(partition), null);
        }
        Contexts contexts = Contexts.read(file);
        ServerContext current = contexts.find(contexts.current());
        return current == null ? new Target(address(DEFAULT, ""), orDefault(partition), null) : of(current, partition);
    }

    private static Target of(ServerContext context, @Nullable String partition) {
        return new Target(
                address(context.server(), "the server of context " + context.name()),
                orDefault(partition == null ? context.partition() : partition),
                context.tokenFile());
    }

    private static String orDefault(@Nullable String partition) {
        return partition == null ? PartitionConfiguration.DEFAULT_NAME : partition;
    }

    /** Parses a server address; the scheme defaults to http. */
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
        return where + ": \"" + text + "\" is not a server address such as " + DEFAULT;
    }
}
