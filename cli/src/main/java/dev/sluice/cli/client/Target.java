package dev.sluice.cli.client;

import dev.sluice.core.configuration.PartitionConfiguration;
import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A server and one of its partitions.
 *
 * @param server address without a trailing slash
 * @param tokenFile the file with the access token for the server, or null
 * @param ca the file with the trusted issuers of its certificate, or null
 */
public record Target(
        URI server,
        String partition,
        @Nullable Path tokenFile,
        @Nullable Path ca) {

    /** Environment variable with the address of the server. */
    public static final String VARIABLE = "SLUICE_SERVER";

    /** Server address if no socket is found. */
    public static final String DEFAULT = "http://127.0.0.1:7450";

    /** Sockets of servers on this machine, in the order in which they are looked for. */
    static final List<Path> SOCKETS =
            List.of(Path.of(".sluice", "server", "sluice.sock"), Path.of("/run/sluice/sluice.sock"));

    /** A limit of the kernel. */
    private static final int SOCKET_PATH_MAX = 107;

    private static final Path SELF = Path.of("/proc/self");

    /**
     * Selects the server in this order: {@code --server}, {@code --context}, {@code SLUICE_SERVER}, the current
     * context, the first existing socket of a server on this machine, {@value #DEFAULT}. What a context says in addition
     * applies only to its server.
     *
     * @param server value of the option, or null
     * @param partition value of the option, or null
     * @param context value of the option, or null
     * @param file the context file
     * @param sockets paths of sockets, see {@link #SOCKETS}
     */
    public static Target of(
            @Nullable String server,
            @Nullable String partition,
            @Nullable String context,
            Map<String, String> environment,
            Path file,
            List<Path> sockets) {
        String variable = environment.get(VARIABLE);
        if (server != null) {
            return new Target(address(server, "--server"), orDefault(partition), null, null);
        }
        if (context != null) {
            return of(Contexts.read(file).get(context), partition);
        }
        if (variable != null && !variable.isEmpty()) {
            return new Target(address(variable, VARIABLE), orDefault(partition), null, null);
        }
        Contexts contexts = Contexts.read(file);
        ServerContext current = contexts.find(contexts.current());
        return current == null
                ? new Target(address(local(sockets), ""), orDefault(partition), null, null)
                : of(current, partition);
    }

    private static String local(List<Path> sockets) {
        return sockets.stream()
                .filter(Target::isTrusted)
                .map(socket -> ServerConnection.UNIX + ":" + socket)
                .findFirst()
                .orElse(DEFAULT);
    }

    /**
     * Returns whether a socket exists that nobody could have put into the current folder to receive what this user
     * sends: it belongs to the user, or its path is absolute.
     */
    private static boolean isTrusted(Path socket) {
        try {
            Object owner = Files.getAttribute(socket, "unix:uid", LinkOption.NOFOLLOW_LINKS);
            return socket.isAbsolute() || owner.equals(Files.getAttribute(SELF, "unix:uid"));
        } catch (IOException | UnsupportedOperationException | IllegalArgumentException e) {
            return false;
        }
    }

    private static Target of(ServerContext context, @Nullable String partition) {
        return new Target(
                address(context.server(), "the server of context " + context.name()),
                orDefault(partition == null ? context.partition() : partition),
                context.tokenFile(),
                context.ca());
    }

    private static String orDefault(@Nullable String partition) {
        return partition == null ? PartitionConfiguration.DEFAULT_NAME : partition;
    }

    /**
     * Parses a server address: a URL whose scheme defaults to http, or {@code unix:} with the path of a Unix socket.
     */
    public static URI address(String text, String where) {
        if (text.startsWith(ServerConnection.UNIX + ":")) {
            return socket(text, where);
        }
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

    private static URI socket(String text, String where) {
        String path = text.substring(ServerConnection.UNIX.length() + 1);
        path = path.startsWith("//") ? path.substring(2) : path;
        if (path.isBlank() || path.getBytes(StandardCharsets.UTF_8).length > SOCKET_PATH_MAX) {
            throw ClientException.badInput(
                    where + ": the path of a socket must have 1 to " + SOCKET_PATH_MAX + " bytes");
        }
        try {
            return new URI(ServerConnection.UNIX, path, null);
        } catch (URISyntaxException e) {
            throw ClientException.badInput(wrong(text, where));
        }
    }

    private static String wrong(String text, String where) {
        return where + ": \"" + text + "\" is not a server address such as " + DEFAULT
                + " or unix:/run/sluice/sluice.sock";
    }
}
