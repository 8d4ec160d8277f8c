package dev.sluice.cli.run;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.sluice.cli.terminal.Style;
import dev.sluice.cli.terminal.TextWidth;
import dev.sluice.runtime.process.LogFiles;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;

/** The last lines of a log, as shown for a failed task. */
final class LogTail {

    private static final int BYTES_MAX = 8192;
    private static final int WIDTH_MAX = 160;

    private LogTail() {}

    /**
     * Returns the last lines of a log, indented, shortened and without control characters; a remark if there are none,
     * and nothing if the log cannot be read or {@code linesMax} is 0.
     */
    static List<String> of(Path log, int linesMax, Style style) {
        if (linesMax == 0) {
            return List.of();
        }
        List<String> lines;
        try (FileChannel file = LogFiles.open(Objects.requireNonNull(log.getParent()), log)) {
            long start = Math.max(0, file.size() - BYTES_MAX);
            ByteBuffer bytes = ByteBuffer.allocate(BYTES_MAX);
            int length = 0;
            while (bytes.hasRemaining() && length >= 0) {
                length = file.read(bytes, start + bytes.position());
            }
            lines = new String(bytes.array(), 0, bytes.position(), UTF_8)
                    .lines()
                    .toList();
            // the first line is incomplete, unless it is the only one
            lines = start > 0 && lines.size() > 1 ? lines.subList(1, lines.size()) : lines;
        } catch (IOException e) {
            return List.of();
        }
        if (lines.isEmpty()) {
            return List.of(style.faint("  (no output)"));
        }
        return lines.stream()
                .skip(Math.max(0, lines.size() - linesMax))
                .map(line -> style.faint("  │ ")
                        + TextWidth.shortened(TextWidth.printable(line.replace("\t", "    ")), WIDTH_MAX))
                .toList();
    }
}
