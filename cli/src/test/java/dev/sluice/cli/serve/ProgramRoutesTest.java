package dev.sluice.cli.serve;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.cli.ProgramTest;
import dev.sluice.runtime.journal.ReplayListener;
import dev.sluice.server.Daemon;
import dev.sluice.server.DaemonSettings;
import dev.sluice.server.RoutesContract;
import java.io.IOException;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** The routes of a packaged server. */
@ProgramTest
@Tag("slow")
final class ProgramRoutesTest extends RoutesContract {

    private @Nullable ServerProcess server;

    @Override
    protected int startServer(Path folder) throws Exception {
        ServerProcess started = ServerProcess.start(folder.resolve("data"), "--slots", "4");
        server = started;
        return started.port();
    }

    @Override
    protected void stopServer() {
        Objects.requireNonNull(server).close();
    }

    private static JsonNode description(int port) throws IOException {
        return new RetryingTestClient(port).get("/openapi.json").json();
    }

    /** The version is that of the jar. */
    @Test
    void openApi_ofPackagedProgram_equalsThatOfTheTests(@TempDir Path folder) throws Exception {
        ObjectNode packaged =
                (ObjectNode) description(Objects.requireNonNull(server).port());
        ObjectNode here;
        try (Daemon daemon = Daemon.start(DaemonSettings.in(folder), InstantSource.system(), ReplayListener.NONE)) {
            here = (ObjectNode) description(daemon.port());
        }
        ((ObjectNode) packaged.get("info")).remove("version");
        ((ObjectNode) here.get("info")).remove("version");

        assertThat(packaged).isEqualTo(here);
        assertThat(packaged.at("/components/schemas/CancelDocument").has("required"))
                .isFalse();
    }
}
