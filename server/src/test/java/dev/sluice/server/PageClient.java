package dev.sluice.server;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Opens pages like a browser that follows no redirects and runs no scripts; checks the headers of every answer. */
final class PageClient {

    private static final Pattern FORM_TOKEN = Pattern.compile("name=\"formtoken\" value=\"([^\"]+)\"");

    private final HttpClient http =
            HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(10)).build();
    private final String origin;
    private final List<String> headers = new ArrayList<>();
    private final Map<String, String> cookies = new LinkedHashMap<>();

    PageClient(int port) {
        this("127.0.0.1", port);
    }

    /** @param headers sent with every request: names and values */
    PageClient(String host, int port, String... headers) {
        this.origin = "http://" + host + ":" + port;
        this.headers.addAll(List.of(headers));
    }

    /** Opens a page. */
    Reply get(String path, String... more) {
        return send(request(path, more).GET());
    }

    /** Opens a page that has a content security policy of its own. */
    Reply getForeign(String path) {
        return send(request(path).GET(), false);
    }

    /** Sends a form with the token of a page. */
    Reply post(String path, Reply page, Map<String, String> fields, String... more) {
        Matcher token = FORM_TOKEN.matcher(page.text());
        String first = token.find() ? "formtoken=" + token.group(1) : "formtoken=";
        String body = fields.entrySet().stream()
                .map(field -> field.getKey() + "=" + URLEncoder.encode(field.getValue(), UTF_8))
                .collect(Collectors.joining("&", first + "&", ""));
        return send(request(path, more)
                .header("Content-Type", "application/x-www-form-urlencoded")
                .POST(HttpRequest.BodyPublishers.ofString(body)));
    }

    /** Forgets a cookie. */
    void forget(String cookie) {
        cookies.remove(cookie);
    }

    private HttpRequest.Builder request(String path, String... more) {
        HttpRequest.Builder request =
                HttpRequest.newBuilder(URI.create(origin + path)).timeout(Duration.ofSeconds(60));
        List<String> all = new ArrayList<>(headers);
        all.addAll(List.of(more));
        if (!cookies.isEmpty()) {
            all.addAll(List.of("Cookie", String.join("; ", cookies.values())));
        }
        return all.isEmpty() ? request : request.headers(all.toArray(String[]::new));
    }

    private Reply send(HttpRequest.Builder request) {
        return send(request, true);
    }

    private Reply send(HttpRequest.Builder request, boolean own) {
        try {
            HttpResponse<String> response = http.send(request.build(), HttpResponse.BodyHandlers.ofString(UTF_8));
            response.headers()
                    .firstValue("Set-Cookie")
                    .ifPresent(header -> cookies.put(
                            header.substring(0, header.indexOf('=')), header.substring(0, header.indexOf(';'))));
            Reply reply = new Reply(response.statusCode(), response.headers(), response.body());
            if (own && !reply.type().startsWith("application/problem+json")) {
                checkHeaders(reply);
            }
            return reply;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    private static void checkHeaders(Reply reply) {
        assertThat(reply.header("Content-Security-Policy"))
                .contains("default-src 'none'", "script-src 'self'", "style-src 'self'", "frame-ancestors 'none'")
                .doesNotContain("unsafe");
        assertThat(reply.header("X-Content-Type-Options")).isEqualTo("nosniff");
        assertThat(reply.header("Cache-Control")).isNotEmpty();
    }
}
