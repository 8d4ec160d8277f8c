package dev.sluice.cli.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.Test;

/** What a process that opens the address of a handover gets. */
final class LinkHandoverTest {

    private static final String LINK = "http://127.0.0.1:7450/ui/sign-in?code=secret";
    private static final Duration LONG = Duration.ofSeconds(60);

    private final HttpClient browser = HttpClient.newHttpClient();

    private HttpResponse<String> get(String address) throws Exception {
        return browser.send(HttpRequest.newBuilder(URI.create(address)).build(), BodyHandlers.ofString());
    }

    private static CompletableFuture<Boolean> awaited(LinkHandover handover) {
        return CompletableFuture.supplyAsync(() -> {
            try {
                return handover.await(LONG);
            } catch (IOException e) {
                throw new CompletionException(e);
            }
        });
    }

    @Test
    void sameUser_atTheAddress_isLedToLinkOnce() throws Exception {
        try (LinkHandover handover = new LinkHandover(LINK, LoopbackPeer::isSameUser)) {
            assertThat(handover.address()).matches("http://127\\.0\\.0\\.1:\\d+/[0-9a-f]{32}");
            URI address = URI.create(handover.address());
            CompletableFuture<Boolean> result = awaited(handover);
            assertThat(get(address.resolve("/favicon.ico").toString()).statusCode())
                    .isEqualTo(403);
            try (Socket idle = new Socket(address.getHost(), address.getPort())) {
                assertThat(idle.isConnected()).isTrue();
                HttpResponse<String> answer = get(handover.address());
                assertThat(answer.statusCode()).isEqualTo(303);
                assertThat(answer.headers().firstValue("Location")).contains(LINK);
            }
            assertThat(result.join()).isTrue();
        }
    }

    @Test
    void otherUser_atTheAddress_isRefused() throws Exception {
        try (LinkHandover handover = new LinkHandover(LINK, (peer, local) -> false)) {
            CompletableFuture<Boolean> result = awaited(handover);
            HttpResponse<String> answer = get(handover.address());
            assertThat(answer.statusCode()).isEqualTo(403);
            assertThat(answer.headers().firstValue("Location")).isEmpty();
            assertThat(result).isNotDone();
        }
    }

    @Test
    void noBrowser_untilTimeout_isReported() throws Exception {
        try (LinkHandover handover = new LinkHandover(LINK, LoopbackPeer::isSameUser)) {
            assertThat(handover.await(Duration.ofMillis(1))).isFalse();
        }
    }

    /** The samples are those of a little-endian machine. */
    @Test
    void peer_inTableOfConnections_needsBothAddressesAndUser() throws Exception {
        InetAddress loopback = InetAddress.getByAddress(new byte[] {127, 0, 0, 1});
        InetSocketAddress peer = new InetSocketAddress(loopback, 0xCAFE);
        InetSocketAddress local = new InetSocketAddress(loopback, 0x1D1A);
        String rest = " 01 00000000:00000000 00:00000000 00000000  1000        0 4242 1 0";
        String mapped = "0000000000000000FFFF0000";
        for (String line : List.of(
                "   1: 0100007F:CAFE 0100007F:1D1A" + rest,
                "   1: " + mapped + "0100007F:CAFE " + mapped + "0100007F:1D1A" + rest)) {
            assertThat(LoopbackPeer.isListed(List.of("header", line), peer, local, "1000"))
                    .isTrue();
            assertThat(LoopbackPeer.isListed(List.of("header", line), peer, local, "1001"))
                    .isFalse();
        }
        for (String line : List.of(
                "   1: 0200007F:CAFE 0100007F:1D1A" + rest,
                "   1: 0100007F:CAFF 0100007F:1D1A" + rest,
                "   1: 0100007F:CAFE 0100007F:1D1B" + rest,
                "   1: 0100007F:1D1A 0100007F:CAFE" + rest,
                "")) {
            assertThat(LoopbackPeer.isListed(List.of(line), peer, local, "1000"))
                    .as(line)
                    .isFalse();
        }
    }
}
