package dev.sluice.server.routes;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.runtime.local.LogFolder;
import dev.sluice.server.api.LogView;
import dev.sluice.server.route.ProblemException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Logs read in chunks. */
final class TaskLogsTest {

    @TempDir
    private Path folder;

    @Test
    void log_inChunksOfAnySize_splitsNoCharacter() throws Exception {
        String text = "aä€😀z😀€äa";
        TaskLogs logs = new TaskLogs(new LogFolder(folder, true));
        Path file = logs.file("p", "a", "t");
        Files.createDirectories(file.getParent());
        Files.writeString(file, text, UTF_8);
        for (int limit = 4; limit < 30; limit++) {
            StringBuilder read = new StringBuilder();
            LogView part = part(logs, 0, limit);
            while (!part.complete()) {
                assertThat(part.text()).as("limit %s", limit).isNotEmpty();
                read.append(part.text());
                part = part(logs, part.end(), limit);
            }
            assertThat(read.append(part.text()).toString())
                    .as("limit %s", limit)
                    .isEqualTo(text);
        }
    }

    /** Opening a pipe without a writer would block forever. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "mkfifo p/a/t.log",
                "ln -s /etc/passwd p/a/t.log",
                "mkdir p/a/t.log",
                "rmdir p/a; mkdir x; echo secret >x/t.log; ln -s ../x p/a",
            })
    @Timeout(60)
    void log_replacedByTask_isNotRead(String script) throws Exception {
        TaskLogs logs = new TaskLogs(new LogFolder(folder, true));
        Files.createDirectories(logs.file("p", "a", "t").getParent());
        Process shell = new ProcessBuilder("/bin/sh", "-c", script)
                .directory(folder.toFile())
                .inheritIO()
                .start();
        assertThat(shell.waitFor()).isZero();

        assertThatThrownBy(() -> logs.read("p", "a", "t", 0, 1000, true))
                .isInstanceOfSatisfying(
                        ProblemException.class,
                        e -> assertThat(e.problem().status()).isEqualTo(404))
                .hasMessageContaining("a task has replaced it");
    }

    private static LogView part(TaskLogs logs, long offset, int limit) {
        LogView part = logs.read("p", "a", "t", offset, limit, true);
        assertThat(part).isNotNull();
        return part;
    }
}
