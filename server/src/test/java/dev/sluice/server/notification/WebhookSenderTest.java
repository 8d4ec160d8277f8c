package dev.sluice.server.notification;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.config.notification.SecretSource;
import dev.sluice.config.notification.Webhook;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Base64;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(60)
class WebhookSenderTest {

    private static final Instant NOW = Instant.parse("2026-01-01T12:00:00Z");
    private static final String CONTENT = "{\"name\": \"ü\"}";

    @TempDir
    private Path folder;

    private static WebhookSender sender(Webhook webhook, Duration timeout, Map<String, String> environment) {
        return new WebhookSender(WebhookSender.client(), webhook, timeout, () -> NOW, new Secrets(environment));
    }

    private static WebhookSender sender(
            Receiver receiver, @Nullable SecretSource secret, Map<String, String> variables) {
        return sender(new Webhook(receiver.url().toString(), null, secret, null), Duration.ofSeconds(30), variables);
    }

    /** HMAC as RFC 2104 defines it, without the classes that the program uses. */
    private static byte[] hmac(byte[] key, byte[] text) throws Exception {
        MessageDigest sha = MessageDigest.getInstance("SHA-256");
        byte[] inner = Arrays.copyOf(key, 64);
        byte[] outer = Arrays.copyOf(key, 64);
        for (int i = 0; i < 64; i++) {
            inner[i] ^= 0x36;
            outer[i] ^= 0x5c;
        }
        sha.update(inner);
        byte[] hash = sha.digest(text);
        sha.update(outer);
        return sha.digest(hash);
    }

    @Test
    void request_signed_isVerifiedByItsDefinition() throws Exception {
        try (Receiver receiver = new Receiver(200)) {
            sender(receiver, new SecretSource(null, "KEY"), Map.of("KEY", "top secret"))
                    .send("id-1", CONTENT);

            Receiver.Received request = receiver.received().get(0);
            String timestamp = request.headers().getFirst("webhook-timestamp");
            assertThat(request.method()).isEqualTo("POST");
            assertThat(request.body()).isEqualTo(CONTENT);
            assertThat(request.headers().getFirst("Content-Type")).isEqualTo("application/json");
            assertThat(request.headers().getFirst("webhook-id")).isEqualTo("id-1");
            assertThat(timestamp).isEqualTo(Long.toString(NOW.getEpochSecond()));
            assertThat(request.headers().getFirst("webhook-signature"))
                    .isEqualTo("v1,"
                            + Base64.getEncoder()
                                    .encodeToString(hmac(
                                            "top secret".getBytes(UTF_8),
                                            ("id-1." + timestamp + "." + request.body()).getBytes(UTF_8))));
        }
    }

    /** The example of the Standard Webhooks libraries. */
    @Test
    void signature_ofTheSpecification_isTheSame() throws Exception {
        assertThat(WebhookSignature.of(
                        "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
                        "msg_p5jXN8AQM9LWM0D4loKWxJek",
                        1_614_265_330,
                        "{\"test\": 2432232314}"))
                .isEqualTo("v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=");
    }

    @Test
    void request_withoutSecret_hasNoSignature() throws Exception {
        try (Receiver receiver = new Receiver(204)) {
            sender(receiver, null, Map.of()).send("id-1", CONTENT);

            assertThat(receiver.received().get(0).headers()).doesNotContainKey("Webhook-signature");
        }
    }

    @Test
    void secretFile_changed_isReadAgain() throws Exception {
        Path file = Files.writeString(folder.resolve("token"), "Bearer one\n");
        try (Receiver receiver = new Receiver(200)) {
            WebhookSender sender = sender(
                    new Webhook(null, new SecretSource(null, "URL"), null, new SecretSource(file.toString(), null)),
                    Duration.ofSeconds(30),
                    Map.of("URL", receiver.url().toString()));
            sender.send("1", CONTENT);
            Files.writeString(file, "Bearer two");
            sender.send("2", CONTENT);

            assertThat(receiver.received())
                    .extracting(request -> request.headers().getFirst("Authorization"))
                    .containsExactly("Bearer one", "Bearer two");
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {301, 302, 400, 404, 429, 500, 503})
    void status_otherThanSuccess_isAFailure(int status) throws Exception {
        try (Receiver receiver = new Receiver(status)) {
            assertThatThrownBy(() -> sender(receiver, null, Map.of()).send("1", CONTENT))
                    .isInstanceOf(DeliveryException.class)
                    .hasMessage("HTTP status " + status);
            assertThat(receiver.received()).hasSize(1);
        }
    }

    @Test
    void receiver_thatHangs_isAFailure() throws Exception {
        try (Receiver receiver = new Receiver(Receiver.HANG)) {
            Webhook webhook = new Webhook(receiver.url().toString(), null, null, null);
            assertThatThrownBy(() ->
                            sender(webhook, Duration.ofMillis(100), Map.of()).send("1", CONTENT))
                    .isInstanceOf(DeliveryException.class)
                    .hasMessage("no response within 100ms");
        }
    }

    @Test
    void receiver_thatIsDown_isAFailure() throws Exception {
        int port;
        try (ServerSocket unused = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = unused.getLocalPort();
        }
        Webhook webhook = new Webhook("http://127.0.0.1:" + port + "/secret-path", null, null, null);
        assertThatThrownBy(
                        () -> sender(webhook, Duration.ofSeconds(30), Map.of()).send("1", CONTENT))
                .isInstanceOf(DeliveryException.class)
                .hasMessage("cannot connect");
    }

    @Test
    void secret_unusable_isNamedButNotShown() throws Exception {
        Path empty = Files.createFile(folder.resolve("empty"));
        Map<String, String> variables = Map.of("URL", "hush://x", "WHSEC", "whsec_hush!", "AUTH", "hush\nhush");
        try (Receiver receiver = new Receiver(200)) {
            String url = receiver.url().toString();
            SecretSource absent = new SecretSource(null, "ABSENT");
            assertFails(new Webhook(url, null, absent, null), variables, "environment variable ABSENT is not set");
            assertFails(
                    new Webhook(url, null, new SecretSource("/no/file", null), null),
                    variables,
                    "file /no/file does not exist");
            assertFails(
                    new Webhook(url, null, new SecretSource(empty.toString(), null), null),
                    variables,
                    "file " + empty + " is empty");
            assertFails(
                    new Webhook(null, new SecretSource(null, "URL"), null, null),
                    variables,
                    "the secret of url is not an http or https address");
            assertFails(
                    new Webhook(url, null, new SecretSource(null, "WHSEC"), null),
                    variables,
                    "the secret begins with whsec_ but is not Base64 after it");
            assertFails(
                    new Webhook(url, null, null, new SecretSource(null, "AUTH")),
                    variables,
                    "the secret of authorization is not a valid header value");
            assertThat(receiver.received()).isEmpty();
        }
    }

    private static void assertFails(Webhook webhook, Map<String, String> variables, String message) {
        assertThatThrownBy(
                        () -> sender(webhook, Duration.ofSeconds(30), variables).check())
                .isInstanceOf(DeliveryException.class)
                .hasMessage(message)
                .hasNoCause();
    }
}
