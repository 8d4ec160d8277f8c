package dev.sluice.server.notification;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.security.GeneralSecurityException;
import java.util.Base64;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** The signature of a request as in the Standard Webhooks specification. */
final class WebhookSignature {

    private static final String ALGORITHM = "HmacSHA256";
    private static final String ENCODED = "whsec_";

    private WebhookSignature() {}

    /**
     * Returns the value of the header {@code webhook-signature}.
     *
     * @param secret the key, or {@code whsec_} and the Base64 of the key
     * @param timestamp when the request is sent, in seconds since 1970
     * @throws DeliveryException if the secret is not valid
     */
    static String of(String secret, String id, long timestamp, String content) throws DeliveryException {
        try {
            Mac mac = Mac.getInstance(ALGORITHM);
            mac.init(new SecretKeySpec(key(secret), ALGORITHM));
            byte[] signature = mac.doFinal((id + "." + timestamp + "." + content).getBytes(UTF_8));
            return "v1," + Base64.getEncoder().encodeToString(signature);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every Java platform has " + ALGORITHM, e);
        }
    }

    private static byte[] key(String secret) throws DeliveryException {
        if (!secret.startsWith(ENCODED)) {
            return secret.getBytes(UTF_8);
        }
        try {
            byte[] key = Base64.getDecoder().decode(secret.substring(ENCODED.length()));
            if (key.length > 0) {
                return key;
            }
        } catch (IllegalArgumentException e) {
            // reported below, without the cause, whose message contains a character of the secret
        }
        throw new DeliveryException("the secret begins with whsec_ but is not Base64 after it");
    }
}
