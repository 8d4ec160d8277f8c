package dev.sluice.server.routes;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.server.api.LogView;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Logs that are read in parts. */
final class TaskLogsTest {

    @TempDir
    private Path folder;

    @Test
    void log_inPartsOfAnySize_tearsNoCharacter() throws Exception {
        String text = "aä€😀z😀€äa";
        TaskLogs logs = new TaskLogs(folder);
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

    private static LogView part(TaskLogs logs, long offset, int limit) {
        LogView part = logs.read("p", "a", "t", offset, limit, true);
        assertThat(part).isNotNull();
        return part;
    }
}
