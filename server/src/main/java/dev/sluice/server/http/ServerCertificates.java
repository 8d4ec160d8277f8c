package dev.sluice.server.http;

import dev.sluice.server.http.ListenSettings.TlsFiles;
import java.io.IOException;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.security.GeneralSecurityException;
import java.security.Principal;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Set;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedKeyManager;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The current certificate of a server. New connections use new files as soon as both are there and belong together;
 * until then the previous certificate stays in use.
 */
final class ServerCertificates extends X509ExtendedKeyManager {

    private static final Logger LOG = LoggerFactory.getLogger(ServerCertificates.class);

    private final TlsFiles files;
    private List<Object> version;
    private Generation current;
    private @Nullable Generation previous;

    /**
     * A certificate under a name of its own, so that a handshake gets the chain and the key of the same one.
     *
     * @param names what the certificate is for
     */
    private record Generation(String alias, ServerCertificate certificate, Set<String> names) {}

    private ServerCertificates(TlsFiles files, List<Object> version, ServerCertificate first) {
        this.files = files;
        this.version = version;
        this.current = new Generation("1", first, first.names());
    }

    /** Reads the files; throws an {@link IOException} that says what is wrong and how to fix it. */
    static ServerCertificates read(TlsFiles files) throws IOException {
        List<Object> version = version(files);
        return new ServerCertificates(files, version, ServerCertificate.read(files));
    }

    /** Returns what changes with the content of the files. */
    private static List<Object> version(TlsFiles files) {
        return List.of(version(files.certificate()), version(files.key()));
    }

    private static Object version(Path file) {
        try {
            BasicFileAttributes attributes = Files.readAttributes(file, BasicFileAttributes.class);
            return List.of(attributes.lastModifiedTime(), attributes.size(), String.valueOf(attributes.fileKey()));
        } catch (IOException e) {
            return e.getClass();
        }
    }

    SSLContext context() {
        try {
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(new KeyManager[] {this}, null, null);
            return context;
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every Java platform has TLS", e);
        }
    }

    private synchronized Generation current() {
        List<Object> now = version(files);
        if (!now.equals(version)) {
            version = now;
            try {
                ServerCertificate read = ServerCertificate.read(files);
                previous = current;
                current = new Generation(Integer.toString(Integer.parseInt(current.alias()) + 1), read, read.names());
                LOG.info(
                        "certificate read again: file={} expires={}",
                        files.certificate(),
                        read.chain().get(0).getNotAfter().toInstant());
            } catch (IOException e) {
                LOG.warn("keeping the previous certificate: reason={}", e.getMessage());
            }
        }
        return current;
    }

    /** Returns the host names and addresses that the current certificate is for. */
    synchronized Set<String> names() {
        return current.names();
    }

    private synchronized @Nullable ServerCertificate find(@Nullable String alias) {
        if (current.alias().equals(alias)) {
            return current.certificate();
        }
        Generation before = previous;
        return before != null && before.alias().equals(alias) ? before.certificate() : null;
    }

    @Override
    public @Nullable String chooseEngineServerAlias(String keyType, Principal[] issuers, SSLEngine engine) {
        return choose(keyType);
    }

    @Override
    public @Nullable String chooseServerAlias(String keyType, Principal[] issuers, Socket socket) {
        return choose(keyType);
    }

    /** Returns the name of the current certificate if its key is of this type. */
    private @Nullable String choose(String keyType) {
        Generation now = current();
        String type = now.certificate().key().getAlgorithm();
        return type.equals(keyType) || (type.equals("EdDSA") && keyType.startsWith("Ed")) ? now.alias() : null;
    }

    @Override
    public X509Certificate @Nullable [] getCertificateChain(@Nullable String alias) {
        ServerCertificate found = find(alias);
        return found == null ? null : found.chain().toArray(X509Certificate[]::new);
    }

    @Override
    public @Nullable PrivateKey getPrivateKey(@Nullable String alias) {
        ServerCertificate found = find(alias);
        return found == null ? null : found.key();
    }

    @Override
    public String[] getServerAliases(String keyType, Principal[] issuers) {
        return new String[] {current().alias()};
    }

    @Override
    public String @Nullable [] getClientAliases(String keyType, Principal[] issuers) {
        return null;
    }

    @Override
    public @Nullable String chooseClientAlias(String[] keyTypes, Principal[] issuers, Socket socket) {
        return null;
    }
}
