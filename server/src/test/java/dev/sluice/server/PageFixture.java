package dev.sluice.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;

/** A server without authentication that all tests of a class share, and its pages. */
abstract class PageFixture extends RoutesFixture {

    private @Nullable TestDaemon daemon;

    @Override
    protected int startServer(Path folder) throws Exception {
        TestDaemon started = TestDaemon.start(TestDaemon.settings(folder));
        daemon = started;
        return started.port();
    }

    @Override
    protected void stopServer() {
        Objects.requireNonNull(daemon).close();
    }

    @AfterAll
    void end() {
        stopServer();
    }

    int port() {
        return Objects.requireNonNull(daemon).port();
    }

    /** Returns a browser without a session. */
    PageClient browser() {
        return new PageClient(port());
    }

    /** Requires that a page is well-formed. */
    static Reply wellFormed(Reply page) {
        assertThat(HtmlCheck.problems(page.text())).as(page.text()).isEmpty();
        return page;
    }
}
