package dev.sluice.server;

import java.nio.file.Path;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The contract tests against a server in this process. */
final class RoutesTest extends RoutesContract {

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
}
