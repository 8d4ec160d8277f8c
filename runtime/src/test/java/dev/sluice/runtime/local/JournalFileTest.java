package dev.sluice.runtime.local;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.runtime.journal.StoreException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The file of a run's journal. */
final class JournalFileTest {

    private static final Instant AT = Instant.ofEpochSecond(1_767_000_000, 5);

    @TempDir
    Path directory;

    private Path path;

    @BeforeEach
    void write() throws Exception {
        path = Files.createFile(directory.resolve("journal"));
        try (JournalFile file = JournalFile.open(path)) {
            append(file, 1, "one");
            append(file, 3, "two");
        }
    }

    private static void append(JournalFile file, long first, String text) throws Exception {
        file.write(first, 2, AT, text.getBytes(UTF_8));
    }

    private List<String> records() throws Exception {
        List<String> records = new ArrayList<>();
        try (JournalFile file = JournalFile.open(path)) {
            file.read((first, events, at, body) -> {
                assertThat(at).isEqualTo(AT);
                assertThat(events).isEqualTo(2);
                records.add(first + " " + new String(body, UTF_8));
            });
        }
        return records;
    }

    @Test
    void records_areReadAgain() throws Exception {
        assertThat(records()).containsExactly("1 one", "3 two");
    }

    @Test
    void record_incompleteAtEnd_isCutOffAndReplaced() throws Exception {
        byte[] whole = Files.readAllBytes(path);
        for (int length = whole.length - 1; length > whole.length / 2; length--) {
            Files.write(path, Arrays.copyOf(whole, length));
            try (JournalFile file = JournalFile.open(path)) {
                file.read((first, events, at, body) -> {});
                append(file, 3, "again");
            }
            assertThat(records()).as("%s bytes", length).containsExactly("1 one", "3 again");
        }
    }

    @Test
    void record_withWrongSumAtEnd_isCutOff() throws Exception {
        byte[] bytes = Files.readAllBytes(path);
        bytes[bytes.length - 6]++;
        Files.write(path, bytes);

        assertThat(records()).containsExactly("1 one");
    }

    @Test
    void zeros_atEnd_areCutOff() throws Exception {
        byte[] bytes = Files.readAllBytes(path);
        Files.write(path, Arrays.copyOf(bytes, bytes.length + 100));

        assertThat(records()).containsExactly("1 one", "3 two");
        assertThat(Files.size(path)).isEqualTo(bytes.length);
    }

    @Test
    void byte_damagedBeforeEnd_isRefusedWithPosition() throws Exception {
        byte[] whole = Files.readAllBytes(path);
        for (int i = 0; i < whole.length / 2; i++) {
            byte[] bytes = whole.clone();
            bytes[i] ^= 0x10;
            Files.write(path, bytes);
            assertThatThrownBy(this::records)
                    .as("byte %s", i)
                    .isInstanceOf(StoreException.class)
                    .hasMessage(path + " is damaged at byte 0: this run cannot be resumed; start it again");
        }
    }

    @Test
    void file_inUse_isRefused() throws Exception {
        try (JournalFile first = JournalFile.open(path)) {
            assertThat(first.path()).isEqualTo(path);
            assertThatThrownBy(() -> JournalFile.open(path))
                    .isInstanceOf(StoreException.class)
                    .hasMessage("a program with the log folder " + directory
                            + " is running: wait for its end, or use another folder");
        }
        assertThat(records()).hasSize(2);
    }
}
