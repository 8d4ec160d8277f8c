package dev.sluice.server.http;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.sluice.server.http.ListenSettings.TlsFiles;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.CertificateParsingException;
import java.security.cert.X509Certificate;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Base64;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * A certificate with its private key.
 *
 * @param chain the certificate, followed by those of its issuers
 */
record ServerCertificate(List<X509Certificate> chain, PrivateKey key) {

    private static final Pattern KEY =
            Pattern.compile("-----BEGIN PRIVATE KEY-----([A-Za-z0-9+/=\\s]+)-----END PRIVATE KEY-----");
    private static final Pattern OTHER_KEY = Pattern.compile("-----BEGIN ((RSA|EC|ENCRYPTED) PRIVATE KEY)-----");
    private static final int DNS_NAME = 2;
    private static final int IP_ADDRESS = 7;

    ServerCertificate {
        chain = List.copyOf(chain);
    }

    /** Reads the files; throws an {@link IOException} that says what is wrong and how to fix it. */
    static ServerCertificate read(TlsFiles files) throws IOException {
        List<X509Certificate> chain = chain(files.certificate());
        PublicKey publicKey = chain.get(0).getPublicKey();
        PrivateKey key = key(files.key(), publicKey.getAlgorithm());
        if (!belongTogether(key, publicKey)) {
            throw new IOException(
                    "the key in " + files.key() + " does not belong to the certificate in " + files.certificate());
        }
        return new ServerCertificate(chain, key);
    }

    private static List<X509Certificate> chain(Path file) throws IOException {
        try {
            Collection<? extends java.security.cert.Certificate> read = CertificateFactory.getInstance("X.509")
                    .generateCertificates(new ByteArrayInputStream(Files.readAllBytes(file)));
            List<X509Certificate> chain =
                    read.stream().map(X509Certificate.class::cast).toList();
            if (!chain.isEmpty()) {
                return chain;
            }
        } catch (CertificateException e) {
            throw new IOException("no certificates in the PEM format in " + file + ": " + e.getMessage(), e);
        } catch (IOException e) {
            throw unreadable(file, e);
        }
        throw new IOException("no certificates in the PEM format in " + file);
    }

    private static IOException unreadable(Path file, IOException e) {
        return new IOException("cannot read " + file + ": " + e.getClass().getSimpleName(), e);
    }

    private static PrivateKey key(Path file, String algorithm) throws IOException {
        String text;
        try {
            text = new String(Files.readAllBytes(file), US_ASCII);
        } catch (IOException e) {
            throw unreadable(file, e);
        }
        Matcher key = KEY.matcher(text);
        if (!key.find()) {
            Matcher other = OTHER_KEY.matcher(text);
            throw new IOException("no unencrypted key in the PEM format PKCS #8 in " + file
                    + (other.find()
                            ? ": convert the " + other.group(1) + " with openssl pkcs8 -topk8 -nocrypt"
                            : " (BEGIN PRIVATE KEY)"));
        }
        try {
            byte[] encoded = Base64.getMimeDecoder().decode(key.group(1));
            return KeyFactory.getInstance(algorithm).generatePrivate(new PKCS8EncodedKeySpec(encoded));
        } catch (GeneralSecurityException | IllegalArgumentException e) {
            throw new IOException(
                    "the key in " + file + " is not an " + algorithm + " key, which the certificate requires", e);
        }
    }

    private static boolean belongTogether(PrivateKey key, PublicKey publicKey) throws IOException {
        String algorithm = switch (publicKey.getAlgorithm()) {
            case "RSA" -> "SHA256withRSA";
            case "EC" -> "SHA256withECDSA";
            case "EdDSA" -> "EdDSA";
            default ->
                throw new IOException(
                        "certificates with " + publicKey.getAlgorithm() + " keys are not supported: use RSA or EC");
        };
        byte[] message = "sluice".getBytes(US_ASCII);
        try {
            Signature signature = Signature.getInstance(algorithm);
            signature.initSign(key);
            signature.update(message);
            byte[] signed = signature.sign();
            signature.initVerify(publicKey);
            signature.update(message);
            return signature.verify(signed);
        } catch (GeneralSecurityException e) {
            return false;
        }
    }

    /** Returns the host names and addresses that the certificate is for; a name may begin with {@code *.}. */
    Set<String> names() {
        try {
            Collection<List<?>> names = chain.get(0).getSubjectAlternativeNames();
            return names == null
                    ? Set.of()
                    : names.stream()
                            .filter(name ->
                                    name.get(0).equals(DNS_NAME) || name.get(0).equals(IP_ADDRESS))
                            .map(name -> String.valueOf(name.get(1)).toLowerCase(Locale.ROOT))
                            .collect(Collectors.toUnmodifiableSet());
        } catch (CertificateParsingException e) {
            return Set.of();
        }
    }
}
