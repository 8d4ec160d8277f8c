package dev.sluice.cli.client;

import dev.sluice.cli.source.FileProblem;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.util.Collection;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocketFactory;
import javax.net.ssl.TrustManagerFactory;
import org.jspecify.annotations.Nullable;

/**
 * The issuers of certificates that a client trusts.
 *
 * @param file a PEM file with their certificates; null for those that the Java runtime trusts
 */
record TrustedIssuers(@Nullable Path file) implements ServerConnection.Tls {

    @Override
    public SSLSocketFactory sockets() {
        try {
            if (file == null) {
                return SSLContext.getDefault().getSocketFactory();
            }
            KeyStore trusted = KeyStore.getInstance(KeyStore.getDefaultType());
            trusted.load(null, null);
            int number = 0;
            for (Certificate certificate : certificates(file)) {
                trusted.setCertificateEntry(Integer.toString(number++), certificate);
            }
            TrustManagerFactory managers = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            managers.init(trusted);
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(null, managers.getTrustManagers(), null);
            return context.getSocketFactory();
        } catch (GeneralSecurityException | IOException e) {
            throw new IllegalStateException("every Java platform has TLS", e);
        }
    }

    private static Collection<? extends Certificate> certificates(Path file) {
        try {
            Collection<? extends Certificate> certificates = CertificateFactory.getInstance("X.509")
                    .generateCertificates(new ByteArrayInputStream(Files.readAllBytes(file)));
            if (!certificates.isEmpty()) {
                return certificates;
            }
        } catch (CertificateException e) {
            throw ClientException.badInput("no certificates in the PEM format in " + file);
        } catch (IOException e) {
            throw ClientException.badInput("cannot read the certificates: " + FileProblem.text(e));
        }
        throw ClientException.badInput("no certificates in the PEM format in " + file);
    }
}
