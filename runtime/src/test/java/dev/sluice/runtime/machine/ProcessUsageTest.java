package dev.sluice.runtime.machine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.runtime.executor.MeasuredUse;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The usage of made-up processes. */
final class ProcessUsageTest {

    @TempDir
    Path proc;

    @BeforeEach
    void addSelf() throws IOException {
        process("self", 1, 1, 1, 1);
        Files.writeString(proc.resolve("self/smaps"), "00-01 r-xp\nSize: 8 kB\nKernelPageSize:        4 kB\n");
    }

    private void process(String pid, long parent, long session, long threads, long pages) throws IOException {
        Files.createDirectory(proc.resolve(pid));
        Files.writeString(
                proc.resolve(pid + "/stat"),
                pid + " (a ) b) S " + parent + " 77 " + session + " 0 -1 4194560 1 2 3 4 5 6 7 8 20 0 " + threads
                        + " 0 12345 999999 " + pages + " 18446744073709551615 1 1\n");
    }

    private Map<Long, ProcessUsage.Session> of(Long... sessions) {
        return Objects.requireNonNull(ProcessUsage.of(proc)).of(Set.of(sessions));
    }

    @Test
    void session_withDescendantsInOtherSessions_addsUp() throws IOException {
        process("10", 1, 10, 2, 100);
        process("11", 10, 10, 1, 50);
        process("12", 11, 12, 3, 25); // called setsid
        process("13", 12, 12, 1, 5);
        process("20", 1, 20, 1, 1000);
        ProcessUsage.Session session = Objects.requireNonNull(of(10L, 30L).get(10L));
        assertThat(session.memory(Long.MAX_VALUE)).isEqualTo(180 * 4096);
        assertThat(session.processes()).isEqualTo(7);
        assertThat(of(10L, 30L)).containsOnlyKeys(10L);
    }

    @Test
    void measured_processes_addUpTimesAndTakeHighestPeak() throws IOException {
        process("10", 1, 10, 1, 100);
        process("11", 10, 10, 1, 50);
        Files.writeString(proc.resolve("11/status"), "Name:\tx\nVmPeak:\t9999 kB\nVmHWM:\t     500 kB\n");
        MeasuredUse used = Objects.requireNonNull(of(10L).get(10L)).measured();
        // utime 5, stime 6, cutime 7 and cstime 8 of both, in ticks of 10 ms
        assertThat(used).isEqualTo(new MeasuredUse(Duration.ofMillis(520), 150 * 4096L, 150 * 4096L));
        Files.writeString(proc.resolve("11/status"), "VmHWM:\t     5000 kB\n");
        assertThat(Objects.requireNonNull(of(10L).get(10L)).measured().memoryPeak())
                .isEqualTo(5000 << 10);
    }

    @Test
    void memory_overLimit_countsSharedPagesOnce() throws IOException {
        process("10", 1, 10, 1, 100);
        process("11", 10, 10, 1, 100);
        Files.writeString(proc.resolve("10/smaps_rollup"), "Rss: 400 kB\nPss:     210 kB\nPss_Dirty: 1 kB\n");
        Files.writeString(proc.resolve("11/smaps_rollup"), "Rss: 400 kB\nPss:     200 kB\n");
        ProcessUsage.Session session = Objects.requireNonNull(of(10L).get(10L));
        assertThat(session.memory(500 << 10)).isEqualTo(410 << 10);
        assertThat(session.memory(800 << 10)).isEqualTo(800 << 10);
    }

    @Test
    void request_exceeded_saysByHowMuch() {
        RunRequest request = new RunRequest(0, 1 << 30, Long.MAX_VALUE);
        assertThat(request.exceededBy(1 << 30, 8192)).isNull();
        assertThat(request.exceededBy((1 << 30) + 1, 1))
                .isEqualTo("out-of-memory: used 1025Mi, more than it requests (1Gi)");
        assertThat(request.exceededBy(0, 8193)).isEqualTo("too-many-processes: more than 8192 processes and threads");
        assertThat(RunRequest.NONE.exceededBy(1L << 50, 1)).isNull();
    }
}
