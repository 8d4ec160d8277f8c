package dev.sluice.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.runtime.host.IncrementalQueryRunner;
import dev.sluice.server.yunikorn.YuniKornHistory;
import dev.sluice.server.yunikorn.YuniKornSample;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class YuniKornHistoryTest {

    private static final Instant START = Instant.parse("2026-03-01T00:00:00Z");

    @TempDir
    Path folder;

    @Test
    void samples_beyondADay_replaceTheOldest() throws Exception {
        AtomicLong now = new AtomicLong();
        List<IncrementalQueryRunner> runners = new ArrayList<>();
        try (TestDaemon daemon = TestDaemon.withQueries(DaemonSettings.in(folder), host -> {
                    IncrementalQueryRunner runner = new IncrementalQueryRunner(host);
                    runners.add(runner);
                    return runner;
                });
                YuniKornHistory history = new YuniKornHistory(runners.get(0), () -> START.plusSeconds(now.get()))) {
            assertThat(daemon.port()).isPositive();
            for (int minute = 0; minute <= YuniKornHistory.SAMPLES_MAX; minute++) {
                history.sample();
                now.addAndGet(60);
            }

            assertThat(history.containers()).hasSize(YuniKornHistory.SAMPLES_MAX);
            assertThat(history.applications().get(0))
                    .isEqualTo(new YuniKornSample.OfApplications(
                            START.plusSeconds(60).toEpochMilli() * 1_000_000, "0"));
        }
    }
}
