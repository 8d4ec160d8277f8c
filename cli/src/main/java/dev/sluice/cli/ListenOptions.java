package dev.sluice.cli;

import dev.sluice.server.DaemonSettings;
import dev.sluice.server.http.ListenSettings;
import dev.sluice.server.http.ListenSettings.TlsFiles;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Options for where a server listens. */
final class ListenOptions {

    @Option(
            names = "--socket",
            paramLabel = "PATH",
            description = "Unix socket to listen on, in an existing folder that only the server's user can write."
                    + " Default: sluice.sock in the data folder, which only that user can access.")
    private @Nullable Path socket;

    @Option(
            names = "--listen",
            paramLabel = "ADDRESS",
            defaultValue = ListenSettings.LOOPBACK_ADDRESS,
            description = "IP address to listen on, such as 0.0.0.0; requires TLS beyond this machine. Default: "
                    + ListenSettings.LOOPBACK_ADDRESS + ".")
    private String address = ListenSettings.LOOPBACK_ADDRESS;

    @Option(
            names = "--tls-certificate",
            paramLabel = "FILE",
            description = "PEM file with the certificate and those of its issuers; read again when it changes.")
    private @Nullable Path certificate;

    @Option(
            names = "--tls-key",
            paramLabel = "FILE",
            description = "PEM file with the private key of the certificate (PKCS #8, unencrypted).")
    private @Nullable Path key;

    @Option(
            names = "--host-name",
            paramLabel = "NAME",
            split = ",",
            description = "Names by which clients reach the server, besides those in the certificate; needed behind"
                    + " a proxy.")
    private List<String> hostNames = List.of();

    /**
     * Returns the settings; throws {@link UserException} if an option is invalid or missing.
     *
     * @param data the data folder
     */
    ListenSettings settings(Path data) {
        if ((certificate == null) != (key == null)) {
            throw new UserException(
                    certificate == null
                            ? "--tls-key requires --tls-certificate"
                            : "--tls-certificate requires --tls-key");
        }
        TlsFiles tls = certificate == null || key == null ? null : new TlsFiles(certificate, key);
        try {
            return new ListenSettings(address, socket == null ? defaultSocket(data) : socket, tls, hostNames);
        } catch (IllegalArgumentException e) {
            throw new UserException(String.valueOf(e.getMessage()));
        }
    }

    /** Returns the socket in the data folder, by its path from the current folder if only that is short enough. */
    private static Path defaultSocket(Path data) {
        Path inData = data.resolve(DaemonSettings.SOCKET);
        if (ListenSettings.isShortEnough(inData)) {
            return inData;
        }
        Path relative = Path.of("").toAbsolutePath().relativize(inData.toAbsolutePath());
        return ListenSettings.isShortEnough(relative) ? relative : inData;
    }
}
