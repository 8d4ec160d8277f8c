package dev.sluice.server.http;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Where a server listens, besides its port.
 *
 * @param address the IP address
 * @param socket the path of the Unix socket, or null for none
 * @param tls the certificate and its key; null for unencrypted connections
 * @param hostNames names by which clients reach the server, in addition to the address and those of the certificate
 */
public record ListenSettings(
        String address, @Nullable Path socket, @Nullable TlsFiles tls, List<String> hostNames) {

    /** The default address. */
    public static final String LOOPBACK_ADDRESS = "127.0.0.1";

    /** Maximum length of the path of a Unix socket, in bytes: a limit of the kernel. */
    static final int SOCKET_PATH_MAX = 107;

    private static final Pattern HOST_NAME = Pattern.compile("[a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?");
    private static final Pattern IP_4 = Pattern.compile("[0-9]{1,3}(\\.[0-9]{1,3}){3}");
    private static final Pattern IP_6 = Pattern.compile("[0-9A-Fa-f:.]*:[0-9A-Fa-f:.]*");

    /** Only the loopback address. */
    public static final ListenSettings LOOPBACK = new ListenSettings(LOOPBACK_ADDRESS, null, null, List.of());

    /**
     * Files of a certificate, in the PEM format.
     *
     * @param certificate the certificate, followed by those of its issuers
     * @param key the private key
     */
    public record TlsFiles(Path certificate, Path key) {}

    /** Throws {@link IllegalArgumentException} if a value is invalid. */
    public ListenSettings {
        if (!IP_4.matcher(address).matches() && !IP_6.matcher(address).matches()) {
            throw notAnAddress(address);
        }
        inetAddress(address);
        hostNames = hostNames.stream()
                .map(name -> name.toLowerCase(Locale.ROOT))
                .distinct()
                .toList();
        for (String name : hostNames) {
            if (!HOST_NAME.matcher(name).matches()) {
                throw new IllegalArgumentException("\"" + name + "\" is not the name of a host");
            }
        }
        if (socket != null && !isShortEnough(socket)) {
            throw new IllegalArgumentException("the path of the socket " + socket + " has more than " + SOCKET_PATH_MAX
                    + " bytes: choose a shorter one with --socket");
        }
    }

    /** Returns whether the kernel accepts a path for a socket. */
    public static boolean isShortEnough(Path socket) {
        return socket.toString().getBytes(StandardCharsets.UTF_8).length <= SOCKET_PATH_MAX;
    }

    private static IllegalArgumentException notAnAddress(String address) {
        return new IllegalArgumentException("\"" + address + "\" is not an IP address such as 127.0.0.1 or 0.0.0.0");
    }

    private static InetAddress inetAddress(String address) {
        try {
            return InetAddress.getByName(address); // resolves no names, since it is numeric
        } catch (UnknownHostException e) {
            throw notAnAddress(address);
        }
    }

    /** Returns whether only this machine can reach the address. */
    public boolean isLoopback() {
        return inetAddress(address).isLoopbackAddress();
    }

    /** Returns the address that clients on this machine use, as in a URL. */
    public String urlHost() {
        InetAddress parsed = inetAddress(address);
        if (parsed.isAnyLocalAddress()) {
            return LOOPBACK_ADDRESS;
        }
        return address.contains(":") ? "[" + address + "]" : address;
    }

    /** Throws {@link IllegalArgumentException} if others could read requests or send them without credentials. */
    public void requireSafe(boolean insecure) {
        if (isLoopback()) {
            return;
        }
        if (insecure) {
            throw new IllegalArgumentException("without credentials (--insecure) the server listens on the loopback"
                    + " address only, not on " + address);
        }
        if (tls == null) {
            throw new IllegalArgumentException("connections to " + address
                    + " must be encrypted: add --tls-certificate and --tls-key, or listen on " + LOOPBACK_ADDRESS);
        }
    }

    /** Returns a copy with this socket. */
    public ListenSettings withSocket(@Nullable Path newSocket) {
        return new ListenSettings(address, newSocket, tls, hostNames);
    }
}
