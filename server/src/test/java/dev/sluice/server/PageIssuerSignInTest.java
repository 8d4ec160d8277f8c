package dev.sluice.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.gen.ECKeyGenerator;
import dev.sluice.server.access.AccessSettings;
import dev.sluice.server.access.IssuerSignIn;
import dev.sluice.server.access.SignInSettings;
import dev.sluice.server.access.TestIssuer;
import dev.sluice.server.http.Credentials;
import dev.sluice.server.route.Role;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Signing in to the page at an issuer, as a browser does it. */
final class PageIssuerSignInTest {

    private static final String NODES = "/ui/partitions/default/nodes";

    /** What a browser sends that an issuer has led back. */
    private static final String[] LED_BACK = {
        "Sec-Fetch-Site", "cross-site", "Sec-Fetch-Mode", "navigate", "Sec-Fetch-Dest", "document"
    };

    @TempDir
    private Path folder;

    private TestIssuer issuer;
    private TestDaemon daemon;

    @BeforeEach
    void start() throws Exception {
        ECKey key = new ECKeyGenerator(Curve.P_256).keyID("key").generate();
        issuer = new TestIssuer(key);
        daemon = TestDaemon.start(settings(folder, issuer));
    }

    /** Returns settings of a server on a free port, to which the issuer leads browsers back. */
    private static DaemonSettings settings(Path folder, TestIssuer issuer) throws IOException {
        int port;
        try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = free.getLocalPort();
        }
        SignInSettings signIn = new SignInSettings(
                "page",
                null,
                URI.create("http://127.0.0.1:" + port + SignInSettings.REDIRECT_PATH),
                SignInSettings.SCOPES);
        return TestDaemon.onPort(
                TestDaemon.settings(folder)
                        .withAccess(new AccessSettings(
                                false,
                                issuer.settings(Map.of("staff", Role.SUBMITTER)).withSignIn(signIn))),
                port);
    }

    @AfterEach
    void end() {
        daemon.close();
        issuer.close();
    }

    /** Begins to sign in and returns the path to which the issuer leads back. */
    private static String begun(PageClient browser, String next) throws Exception {
        Reply page = browser.get("/ui/sign-in?next=" + next);
        assertThat(HtmlCheck.problems(page.text())).isEmpty();
        assertThat(page.text()).contains("Sign in at 127.0.0.1");
        Reply redirect = browser.get("/ui/sign-in/issuer?next=" + next, "Sec-Fetch-Site", "same-origin");
        assertThat(redirect.status()).isEqualTo(303);
        assertThat(redirect.header("Set-Cookie"))
                .startsWith(IssuerSignIn.COOKIE + "=")
                .endsWith("; Path=/ui/sign-in; Max-Age=600; HttpOnly; SameSite=Lax");
        HttpRequest request =
                HttpRequest.newBuilder(URI.create(redirect.header("Location"))).build();
        String back = HttpClient.newHttpClient()
                .send(request, HttpResponse.BodyHandlers.discarding())
                .headers()
                .firstValue("Location")
                .orElseThrow();
        return back.substring(back.indexOf("/ui/"));
    }

    @Test
    void signIn_atIssuer_opensPageWithSession() throws Exception {
        PageClient browser = new PageClient(daemon.port());
        Reply opening = browser.get(begun(browser, NODES), LED_BACK);
        assertThat(opening.status()).as(opening.text()).isEqualTo(200);
        // Without a link to an icon, browsers ask for /favicon.ico, which does not exist.
        assertThat(opening.text()).contains("content=\"0;url=" + NODES + "\"", "rel=\"icon\"");
        assertThat(opening.header("Set-Cookie"))
                .matches(Credentials.SESSION_COOKIE
                        + "=[A-Za-z0-9_-]{43}; Path=/ui; Max-Age=43200; HttpOnly; SameSite=Strict");
        Reply page = browser.get(NODES);
        assertThat(page.status()).isEqualTo(200);
        assertThat(page.text()).contains("ada, submitter", "Sign out");

        browser.post("/ui/sign-out", page, Map.of());
        assertThat(browser.get(NODES).status()).isEqualTo(303);
    }

    @Test
    void signIn_inBrowserThatHasNotBegun_isRefused() throws Exception {
        String path = begun(new PageClient(daemon.port()), NODES);
        PageClient victim = new PageClient(daemon.port());
        Reply refused = victim.get(path, LED_BACK);
        assertThat(refused.status()).isEqualTo(401);
        assertThat(refused.text()).contains("role=\"alert\"", "not begun in this browser");
        assertThat(victim.get(NODES).status()).isEqualTo(303);
    }

    @Test
    void signIn_begunByOtherSite_staysAtPage() {
        PageClient browser = new PageClient(daemon.port());
        Reply page = browser.get("/ui/sign-in/issuer?next=" + NODES, LED_BACK);
        assertThat(page.status()).isEqualTo(200);
        assertThat(page.header("Set-Cookie")).isEmpty();
        assertThat(page.text()).contains("Sign in at 127.0.0.1");
    }

    @Test
    void next_ofOtherSite_isNotOpened() throws Exception {
        for (String next : List.of("https://evil.example/", "//evil.example", "/uix")) {
            PageClient browser = new PageClient(daemon.port());
            assertThat(browser.get(begun(browser, next), LED_BACK).text())
                    .as(next)
                    .contains("content=\"0;url=/ui\"")
                    .doesNotContain("evil");
        }
    }

    @Test
    void problems_areShownAsText() throws Exception {
        issuer.changeIdTokens(claims -> claims.subject("<script>x").claim("groups", List.of()));
        PageClient browser = new PageClient(daemon.port());
        Reply refused = browser.get(begun(browser, NODES), LED_BACK);
        assertThat(refused.status()).isEqualTo(403);
        assertThat(HtmlCheck.problems(refused.text())).isEmpty();
        assertThat(refused.text())
                .contains("role=\"alert\"", "You are known here as &lt;script&gt;x, but neither")
                .doesNotContain("<script>x");
        assertThat(refused.header("Set-Cookie")).contains(IssuerSignIn.COOKIE + "=;", "Max-Age=0");
    }

    @Test
    @Tag("slow")
    void browser_signsInAndComesBackToThePage(@TempDir Path profile) throws Exception {
        Path program = Chromium.program().orElse(null);
        assumeTrue(program != null, "Chromium is missing");
        String address = "http://127.0.0.1:" + daemon.port();
        try (Chromium browser = Chromium.start(program, profile)) {
            Chromium.Tab tab = browser.tab().open(address + NODES);
            assertThat(tab.axe()).isEmpty();
            tab.click("#issuer");
            tab.awaitText("ada, submitter");
            tab.awaitTrue("location.pathname === '" + NODES + "'");
            tab.click(".reader button");
            tab.awaitText("Sign in at 127.0.0.1");
            assertThat(tab.complaints()).isEmpty();
        }
    }
}
