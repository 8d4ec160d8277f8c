package dev.sluice.server;

import static org.assertj.core.api.Assertions.assertThatCode;

import dev.sluice.runtime.journal.ReplayListener;
import java.nio.file.Path;
import java.time.InstantSource;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("slow")
final class PageWarmUpTest {

    /** Every page that is opened must exist and have all parameters that it needs. */
    @Test
    void warmUp_opensPagesWithoutReader(@TempDir Path folder) throws Exception {
        try (Daemon daemon = Daemon.start(DaemonSettings.in(folder), InstantSource.system(), ReplayListener.NONE)) {
            new TestHttpClient(daemon.port())
                    .post(
                            "/partitions/default/applications",
                            "{\"id\": \"a\", \"queue\": \"root.default\", \"tasks\": [{\"id\": \"t\"}]}");
            assertThatCode(daemon::warmUpNow).doesNotThrowAnyException();
        }
    }
}
