package dev.sluice.server.testing;

import dev.sluice.server.http.ListenSettings.TlsFiles;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.cert.Certificate;
import java.security.cert.X509Certificate;
import java.util.Base64;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;

/** A self-signed certificate, made by the JDK's keytool. */
public final class TestCertificate {

    private static final char[] PASSWORD = "changeit".toCharArray();

    private final X509Certificate certificate;
    private final PrivateKey key;

    private TestCertificate(X509Certificate certificate, PrivateKey key) {
        this.certificate = certificate;
        this.key = key;
    }

    /**
     * Creates a certificate, which takes a second.
     *
     * @param folder for temporary files
     * @param names its names, such as {@code dns:lab.example.org,ip:127.0.0.1}
     */
    public static TestCertificate create(Path folder, String algorithm, String names) throws Exception {
        Path file = folder.resolve("made.p12");
        Files.deleteIfExists(file);
        Process keytool = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "keytool")
                                .toString(),
                        "-genkeypair",
                        "-keystore",
                        file.toString(),
                        "-storetype",
                        "PKCS12",
                        "-storepass",
                        new String(PASSWORD),
                        "-alias",
                        "made",
                        "-keyalg",
                        algorithm,
                        "-dname",
                        "CN=test",
                        "-ext",
                        "san=" + names)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        if (keytool.waitFor() != 0) {
            throw new IllegalStateException("keytool failed");
        }
        KeyStore store = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(file)) {
            store.load(in, PASSWORD);
        }
        return new TestCertificate(
                (X509Certificate) store.getCertificate("made"), (PrivateKey) store.getKey("made", PASSWORD));
    }

    public X509Certificate certificate() {
        return certificate;
    }

    /** Returns a context of servers with this certificate. */
    public SSLContext context() throws Exception {
        KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
        store.load(null, PASSWORD);
        store.setKeyEntry("made", key, PASSWORD, new Certificate[] {certificate});
        KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        keys.init(store, PASSWORD);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(keys.getKeyManagers(), null, null);
        return context;
    }

    public void write(TlsFiles files) throws Exception {
        writeCertificate(files.certificate());
        writeKey(files.key());
    }

    public void writeCertificate(Path file) throws Exception {
        Files.writeString(file, pem("CERTIFICATE", certificate.getEncoded()));
    }

    public void writeKey(Path file) throws Exception {
        Files.writeString(file, pem("PRIVATE KEY", key.getEncoded()));
    }

    private static String pem(String type, byte[] content) {
        return "-----BEGIN " + type + "-----\n" + Base64.getMimeEncoder().encodeToString(content) + "\n-----END " + type
                + "-----\n";
    }
}
