package dev.sluice.simulator.workload.lines;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.simulator.workload.WorkloadTexts;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LineReaderTest {

    private static final int MAX = LineReader.LINE_BYTES_MAX;

    @TempDir
    Path directory;

    private LineReader open(String text) throws IOException {
        return LineReader.open(WorkloadTexts.write(directory, "file", text));
    }

    private static String line(LineReader lines) {
        return new String(lines.bytes(), lines.start(), lines.end() - lines.start(), StandardCharsets.UTF_8);
    }

    private static List<String> rest(LineReader lines) throws IOException {
        List<String> all = new ArrayList<>();
        while (lines.next()) {
            all.add(lines.number() + (lines.isTooLong() ? "!" : ":") + line(lines));
        }
        return all;
    }

    @Test
    void lines_anyLineEnd_haveTheirNumbers() throws IOException {
        try (LineReader lines = open("\uFEFFa\r\n\nb\rc\n\r\nend")) {
            assertThat(rest(lines)).containsExactly("1:a", "2:", "3:b\rc", "4:", "5:end");
            assertThat(lines.next()).isFalse();
        }
    }

    @Test
    void file_empty_hasNoLine() throws IOException {
        try (LineReader lines = open("")) {
            assertThat(lines.next()).isFalse();
        }
    }

    @Test
    void lines_ofRandomLengths_matchFile() throws IOException {
        Random random = new Random(3);
        StringBuilder text = new StringBuilder();
        List<String> expected = new ArrayList<>();
        for (int i = 1; i <= 200; i++) {
            int length = random.nextInt(4) == 0 ? random.nextInt(3 * MAX) : random.nextInt(200);
            String line = Integer.toString(i % 10).repeat(length);
            text.append(line).append('\n');
            expected.add(i + (length > MAX ? "!" : ":") + Math.min(length, MAX) + " of "
                    + line.chars().distinct().count());
        }
        try (LineReader lines = open(text.toString())) {
            List<String> read = new ArrayList<>();
            while (lines.next()) {
                String line = line(lines);
                read.add(lines.number() + (lines.isTooLong() ? "!" : ":") + line.length() + " of "
                        + line.chars().distinct().count());
            }
            assertThat(read).isEqualTo(expected);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {MAX - 1, MAX, MAX + 1, MAX + 2, 4 * MAX - 1, 4 * MAX, 4 * MAX + 1, 9 * MAX})
    void line_nearMaximumLength_isCompleteOrTruncated(int length) throws IOException {
        String line = "x".repeat(length);
        String kept = (length > MAX ? "1!" : "1:") + line.substring(0, Math.min(MAX, length));
        try (LineReader lines = open(line)) {
            assertThat(rest(lines)).containsExactly(kept);
        }
        try (LineReader lines = open(line + "\nnext")) {
            assertThat(rest(lines)).containsExactly(kept, "2:next");
        }
    }

    @Test
    void line_withoutEnd_isRejectedInBoundedMemory() throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (OutputStream packer = new GZIPOutputStream(bytes)) {
            byte[] zeros = new byte[1 << 20];
            for (int i = 0; i < 66; i++) {
                packer.write(zeros);
            }
        }
        try (LineReader lines = LineReader.open(WorkloadTexts.write(directory, "bomb", bytes.toByteArray()))) {
            assertThatThrownBy(lines::next)
                    .isInstanceOf(IOException.class)
                    .hasMessageEndingWith("bomb: line 1 is longer than 64 MiB: not a file of text lines");
        }
    }

    @Test
    void extend_thenPushBack_restoresLine() throws IOException {
        try (LineReader lines = open("a\r\nb\n\nc")) {
            assertThat(lines.next()).isTrue();
            assertThat(lines.extend()).isTrue();
            assertThat(lines.extend()).isTrue();
            assertThat(line(lines)).isEqualTo("a\r\nb\n");
            assertThat(lines.number()).isOne();
            lines.pushBack();
            assertThat(line(lines)).isEqualTo("a");
            assertThat(rest(lines)).containsExactly("2:b", "3:", "4:c");
            assertThat(lines.extend()).isFalse();
        }
    }

    @Test
    void extend_beyondMaximumLength_changesNothing() throws IOException {
        try (LineReader lines = open("a".repeat(MAX / 2) + "\n" + "b".repeat(MAX / 2) + "\nc")) {
            assertThat(lines.next()).isTrue();
            assertThat(lines.extend()).isFalse();
            assertThat(line(lines)).isEqualTo("a".repeat(MAX / 2));
            assertThat(rest(lines)).containsExactly("2:" + "b".repeat(MAX / 2), "3:c");
        }
    }

    @Test
    void file_ofSeveralGzipMembers_isReadCompletely() throws IOException {
        byte[] one = WorkloadTexts.packed("a\n");
        byte[] both = Arrays.copyOf(one, 2 * one.length);
        System.arraycopy(one, 0, both, one.length, one.length);
        try (LineReader lines = LineReader.open(WorkloadTexts.write(directory, "file.gz", both))) {
            assertThat(rest(lines)).containsExactly("1:a", "2:a");
        }
    }

    @Test
    void file_corrupted_failsWithLineNumber() throws IOException {
        byte[] bytes = WorkloadTexts.packed("abc def\n".repeat(100_000));
        Arrays.fill(bytes, bytes.length / 2, bytes.length / 2 + 20, (byte) 0xff);
        try (LineReader lines = LineReader.open(WorkloadTexts.write(directory, "file.gz", bytes))) {
            assertThatThrownBy(() -> rest(lines))
                    .isInstanceOf(IOException.class)
                    .hasMessageMatching("(?s).*file.gz: (corrupt|truncated) after line [0-9]+: .*");
        }
    }

    @Test
    void file_onlyGzipMagic_fails() {
        Path file = WorkloadTexts.write(directory, "file.gz", new byte[] {0x1f, (byte) 0x8b, 8});
        assertThatThrownBy(() -> LineReader.open(file)).isInstanceOf(IOException.class);
    }
}
