package dev.sluice.runtime.detached;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.runtime.process.LocalCommand;
import dev.sluice.runtime.process.ProcessTable;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(120)
final class RunSignalsTest {

    private static final RunKey RUN = DetachedRunnerFixture.key(1);
    private static final RunKey OTHER = DetachedRunnerFixture.key(2);

    @TempDir
    Path folder;

    @Test
    void suspendedRun_thatKeepsForking_doesNotDelayOthers() {
        ForkingTable table = new ForkingTable();
        try (DetachedRunnerFixture fixture =
                new DetachedRunnerFixture(folder, DetachedRunnerFixture.SHORT_GRACE, null, table)) {
            fixture.runner.recover(Map.of());
            fixture.startShell(RUN, "echo $PPID >leader; exec sleep 1000");
            table.session = fixture.pids("leader", 1).get(0);
            fixture.runner.signals().suspend(RUN);
            assertThat(fixture.run(OTHER, LocalCommand.of("true"))).isEqualTo("exit code 0");
            table.session = ForkingTable.NONE;
            fixture.runner.signals().resume(RUN);
            fixture.runner.stop(RUN);
            assertThat(fixture.lastOf(RUN)).isEqualTo("exit code 143 (SIGTERM)");
        }
    }

    /** A table in which a session has another process group at each read. Their ids are larger than those of Linux. */
    private static final class ForkingTable implements ProcessTable {

        static final long NONE = -1;

        private final ProcessTable system = ProcessTable.ofThisSystem();
        private long last = 1L << 30;

        /** The session that forks. */
        volatile long session = NONE;

        @Override
        public List<Row> read() {
            List<Row> rows = new ArrayList<>(system.read());
            if (session != NONE) {
                last++;
                rows.add(new Row(last, last, session));
            }
            return rows;
        }
    }
}
