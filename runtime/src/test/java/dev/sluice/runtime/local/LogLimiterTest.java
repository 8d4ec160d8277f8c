package dev.sluice.runtime.local;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.core.application.RunRef;
import dev.sluice.core.application.TaskRef;
import dev.sluice.runtime.detached.RunKey;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class LogLimiterTest {

    private static final String LIMITED =
            "\nsluice: log limit of 10 bytes reached; the rest of the output was dropped\n";

    @TempDir
    private Path folder;

    private final AtomicLong free = new AtomicLong(Long.MAX_VALUE);
    private LogLimiter limiter;

    @BeforeEach
    void limit() {
        limiter = limiter(10);
    }

    private LogLimiter limiter(long limit) {
        return new LogLimiter(folder, limit, free::get, 100);
    }

    @AfterEach
    void close() {
        limiter.close();
    }

    private static RunKey key(int number) {
        return new RunKey(new RunRef(new TaskRef("default", "a", "t", number), 1), number);
    }

    private Path log(int number) {
        Path log = folder.resolve(number + ".log");
        limiter.watch(key(number), log);
        return log;
    }

    @Test
    void log_withinLimit_isUnchanged() throws Exception {
        Path log = Files.writeString(log(1), "0123456789");

        limiter.poll();

        assertThat(log).hasContent("0123456789");
    }

    /** The task keeps its file open and continues to write. */
    @Test
    void log_beyondLimit_isTruncatedWithOneNotice() throws Exception {
        Path log = log(1);
        try (OutputStream task = Files.newOutputStream(log, StandardOpenOption.CREATE, StandardOpenOption.APPEND)) {
            for (int i = 0; i < 3; i++) {
                task.write(("0123456789" + "x".repeat(200)).getBytes(UTF_8));
                limiter.poll();
                assertThat(Files.readString(log)).isEqualTo("0123456789" + LIMITED);
                limiter.poll();
                assertThat(Files.readString(log)).isEqualTo("0123456789" + LIMITED);
            }
        }
    }

    @Test
    void log_ofTaskThatEndsBeforeClose_isTruncated() throws Exception {
        Path log = Files.writeString(log(1), "0123456789" + "x".repeat(1000));
        limiter.start();

        limiter.forget(key(1));
        limiter.close();

        assertThat(log).hasContent("0123456789" + LIMITED);
    }

    @Test
    void fullDisk_truncatesLargestLog() throws Exception {
        limiter.close();
        limiter = limiter(1L << 40);
        Path large = Files.write(log(1), new byte[4 << 20]);
        Path small = Files.write(log(2), new byte[3 << 20]);
        limiter.poll();
        assertThat(large).as("with space on the disk").hasSize(4 << 20);
        free.set(99);

        limiter.poll();

        assertThat(Files.size(large)).isBetween(2L << 20, (2L << 20) + 100);
        assertThat(Files.readString(large)).endsWith("sluice: disk full; part of the output was dropped\n");
        assertThat(small).hasSize(3 << 20);
    }

    /** Its task has ended, but the journal cannot record that while the log fills the disk. */
    @Test
    void fullDisk_truncatesLogOfEndedTask() throws Exception {
        limiter.close();
        limiter = limiter(1L << 40);
        Path log = Files.write(log(1), new byte[4 << 20]);
        limiter.forget(key(1), Runnable::run);
        limiter.poll();
        assertThat(log).as("with space on the disk").hasSize(4 << 20);
        free.set(99);

        limiter.poll();

        assertThat(Files.size(log)).isBetween(2L << 20, (2L << 20) + 100);
    }

    @Test
    void log_symbolicLink_isUnchanged() throws Exception {
        Path elsewhere = Files.writeString(folder.resolve("elsewhere"), "x".repeat(1000));
        Files.createSymbolicLink(log(1), elsewhere);

        limiter.poll();

        assertThat(elsewhere).hasSize(1000);
    }
}
