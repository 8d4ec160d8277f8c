package dev.sluice.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.runtime.testing.MemoryStore;
import dev.sluice.server.access.AccessSettings;
import dev.sluice.server.http.Credentials;
import dev.sluice.server.http.ListenSettings;
import dev.sluice.server.route.Caller;
import dev.sluice.server.route.Role;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Signing in to the page of a server that requires tokens, and out. */
final class PageSignInTest {

    private static final String NODES = "/ui/partitions/default/nodes";

    /** What a browser sends that follows a link of another site. */
    private static final String[] FOLLOWED = {
        "Sec-Fetch-Site", "cross-site", "Sec-Fetch-Mode", "navigate", "Sec-Fetch-Dest", "document"
    };

    @TempDir
    private Path folder;

    private TestDaemon daemon;
    private String token = "";

    @BeforeEach
    void start() throws Exception {
        try (TestDaemon open = TestDaemon.start(DaemonSettings.in(folder))) {
            token = RoutesFixture.expect(
                            201,
                            "",
                            open.client()
                                    .post(
                                            "/tokens",
                                            "{\"user\": \"ada\", \"role\": \"submitter\", \"expires\": \"1d\"}"))
                    .at("/token");
        }
        daemon = TestDaemon.start(DaemonSettings.in(folder).withAccess(new AccessSettings(false, null)));
    }

    @AfterEach
    void end() {
        daemon.close();
    }

    private PageClient browser() {
        return new PageClient(daemon.port());
    }

    private Reply signIn(PageClient browser, String secret) {
        Reply page = browser.get("/ui/sign-in?next=" + NODES);
        assertThat(HtmlCheck.problems(page.text())).isEmpty();
        return browser.post("/ui/sign-in", page, Map.of("token", secret, "next", NODES));
    }

    @Test
    void page_withoutSession_leadsToSignInAndBack() {
        PageClient browser = browser();
        Reply redirect = browser.get(NODES + "?state=lost");
        assertThat(redirect.status()).isEqualTo(303);
        assertThat(redirect.header("Location"))
                .isEqualTo("/ui/sign-in?next=%2Fui%2Fpartitions%2Fdefault%2Fnodes%3Fstate%3Dlost");

        Reply signedIn = signIn(browser, token);
        assertThat(signedIn.status()).as(signedIn.text()).isEqualTo(303);
        assertThat(signedIn.header("Location")).isEqualTo(NODES);
        assertThat(signedIn.header("Set-Cookie"))
                .matches(Credentials.SESSION_COOKIE
                        + "=[A-Za-z0-9_-]{43}; Path=/ui; Max-Age=43200; HttpOnly; SameSite=Strict");
        Reply page = browser.get(NODES);
        assertThat(page.status()).isEqualTo(200);
        assertThat(page.text()).contains("ada, submitter", "Sign out").doesNotContain(token);
        assertThat(browser.get("/ui/sign-in").header("Location")).isEqualTo("/ui");
    }

    @Test
    void cookie_behindEncryptingProxy_isSecure() throws Exception {
        ListenSettings listen = new ListenSettings("127.0.0.1", null, null, List.of("localhost"));
        daemon.close();
        daemon = TestDaemon.start(
                DaemonSettings.in(folder).withAccess(new AccessSettings(false, null, listen, Set.of())));
        PageClient browser = new PageClient("localhost", daemon.port());
        Reply page = browser.get("/ui/sign-in");
        Reply signedIn = browser.post(
                "/ui/sign-in", page, Map.of("token", token), "Origin", "https://localhost:" + daemon.port());
        assertThat(signedIn.header("Set-Cookie")).endsWith("; HttpOnly; SameSite=Strict; Secure");
    }

    @Test
    void signIn_invalidToken_saysSoAndSetsNoCookie() {
        PageClient browser = browser();
        for (String secret : List.of("slc_guess", "", " ")) {
            Reply refused = signIn(browser, secret);
            assertThat(refused.status()).isEqualTo(401);
            assertThat(refused.header("Set-Cookie")).isEmpty();
            assertThat(refused.text()).contains("role=\"alert\"");
        }
        Reply foreign =
                browser.post("/ui/sign-in", new Reply(200, signIn(browser, "").headers(), ""), Map.of("token", token));
        assertThat(foreign.status()).as("without the token of the form").isEqualTo(403);
        for (int i = 0; i < 20; i++) {
            signIn(browser, "slc_guess" + i);
        }
        assertThat(signIn(browser, "slc_guess").status()).as("many guesses").isEqualTo(429);
    }

    @Test
    void signOut_endsSession() {
        PageClient browser = browser();
        signIn(browser, token);
        Reply page = browser.get(NODES);
        Reply out = browser.post("/ui/sign-out", page, Map.of());
        assertThat(out.header("Set-Cookie")).contains("Max-Age=0");
        assertThat(browser.get(NODES).status()).isEqualTo(303);
    }

    @Test
    void session_tokenRevoked_ends() {
        PageClient browser = browser();
        signIn(browser, token);
        String[] bearer = {"Authorization", "Bearer " + token};
        String id = daemon.client().send("GET", "/tokens", "", "", bearer).at("/0/id");
        RoutesFixture.expect(204, "", daemon.client().send("DELETE", "/tokens/" + id, "", "", bearer));
        assertThat(browser.get(NODES).header("Location")).startsWith("/ui/sign-in");
        Reply update = update(browser, "http://127.0.0.1:" + daemon.port() + NODES + "?q=a");
        assertThat(update.status()).isEqualTo(401);
        assertThat(update.header("HX-Redirect"))
                .isEqualTo("/ui/sign-in?next=%2Fui%2Fpartitions%2Fdefault%2Fnodes%3Fq%3Da");
    }

    /** Sends what a page at this address sends to update itself. */
    private static Reply update(PageClient browser, String address) {
        return browser.get(NODES, "HX-Request", "true", "HX-Current-URL", address);
    }

    @Test
    void update_withoutSessionOfOtherAddress_leadsToOverview() {
        for (String address : List.of(
                "http://evil.example",
                "http://evil.example/",
                "http://127.0.0.1//evil.example/ui",
                "http://127.0.0.1/ui\\evil.example",
                "javascript:alert(1)",
                "/",
                "")) {
            assertThat(update(browser(), address).header("HX-Redirect"))
                    .as(address)
                    .isEqualTo("/ui/sign-in?next=%2Fui");
        }
        assertThat(browser().get(NODES, "HX-Request", "true").header("HX-Redirect"))
                .isEqualTo("/ui/sign-in?next=%2Fui");
    }

    @Test
    void link_isValidOnce() {
        Reply link = RoutesFixture.expect(
                201, "", daemon.client().send("POST", "/sign-in-links", "", "", "Authorization", "Bearer " + token));
        String address = link.at("/address");
        String path = address.substring(address.indexOf("/ui"));
        assertThat(address).startsWith("http://127.0.0.1:" + daemon.port() + "/ui/sign-in?code=");

        assertThat(browser().get(path, FOLLOWED).status())
                .as("followed on a page of another site")
                .isEqualTo(403);
        PageClient browser = browser();
        assertThat(browser.get(path).header("Location")).isEqualTo("/ui");
        assertThat(browser.get("/ui").text()).contains("ada, submitter");

        Reply again = browser().get(path);
        assertThat(again.status()).isEqualTo(401);
        assertThat(again.text()).contains("has been used or is older than 60 s");
        RoutesFixture.expect(401, "unauthenticated", daemon.client().post("/sign-in-links", ""));
    }

    @Test
    void link_ofProxy_isNotCreated(@TempDir Path other) throws Exception {
        Caller behind = new Caller("ada", List.of(), Role.SUBMITTER, Caller.Source.SOCKET, "portal", null);
        try (TestDaemon server =
                TestDaemon.withAuthenticator(new MemoryStore(), TestDaemon.settings(other), credentials -> behind)) {
            Reply refused =
                    RoutesFixture.expect(403, "forbidden", server.client().post("/sign-in-links", ""));
            assertThat(refused.at("/detail")).contains("create the link without a proxy");
        }
    }

    @Test
    void linkFromOtherSite_opensPageOfThisSiteFirst() {
        PageClient browser = browser();
        Reply page = browser.get(NODES, FOLLOWED);
        assertThat(page.status()).isEqualTo(200);
        assertThat(page.text()).contains("http-equiv=\"refresh\"", "href=\"" + NODES + "\"");
        for (String[] other : List.of(
                new String[] {"Sec-Fetch-Site", "cross-site", "Sec-Fetch-Mode", "no-cors", "Sec-Fetch-Dest", "image"},
                new String[] {"Sec-Fetch-Site", "cross-site", "Sec-Fetch-Mode", "navigate", "Sec-Fetch-Dest", "iframe"
                })) {
            assertThat(browser.get(NODES, other).status()).as(other[3]).isEqualTo(403);
        }
        assertThat(daemon.client().send("GET", "/partitions", "", "", FOLLOWED).status())
                .as("the API")
                .isEqualTo(403);
    }

    @Test
    void next_ofOtherSite_isNotFollowed() {
        for (String next :
                List.of("https://evil.example/", "//evil.example", "/ui//evil\\x", "/uix", "/api/v1/health")) {
            PageClient browser = browser();
            Reply page = browser.get("/ui/sign-in");
            Reply signedIn = browser.post("/ui/sign-in", page, Map.of("token", token, "next", next));
            assertThat(signedIn.header("Location")).as(next).isEqualTo("/ui");
        }
    }
}
