package dev.sluice.kubernetes.logs;

import dev.sluice.runtime.process.LogFiles;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.time.temporal.ChronoUnit;

/**
 * The part of a log file that belongs to one run. It is written from its beginning each time that the log is copied, so
 * what readers have seen stays where it is.
 */
final class LogSection {

    private static final int BUFFER = 1 << 16;

    private final Path folder;
    private final Path file;
    private final long begin;

    private LogSection(Path folder, Path file, long begin) {
        this.folder = folder;
        this.file = file;
        this.begin = begin;
    }

    /** Creates the section of a run at the end of the file, unless the file contains nothing but this run's log. */
    static LogSection create(Path folder, Path file, PodLog log) throws IOException {
        boolean ofThisRun = log.run().attempt() == 1
                && Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)
                && !Files.getLastModifiedTime(file, LinkOption.NOFOLLOW_LINKS)
                        .toInstant()
                        .isBefore(log.placedAt().truncatedTo(ChronoUnit.MILLIS));
        if (ofThisRun) {
            return new LogSection(folder, file, 0);
        }
        LogFiles.prepare(folder, file); // adds a separator after the log of an earlier run
        return new LogSection(folder, file, file.toFile().length());
    }

    /** Copies a log until its end. */
    void copy(InputStream log, long bytesMax) throws IOException {
        try (FileChannel channel = LogFiles.open(folder, file)) {
            channel.position(begin);
            byte[] buffer = new byte[BUFFER];
            long left = bytesMax;
            for (int read = log.read(buffer); read >= 0 && left > 0; read = log.read(buffer)) {
                ByteBuffer bytes = ByteBuffer.wrap(buffer, 0, (int) Math.min(read, left));
                left -= bytes.remaining();
                while (bytes.hasRemaining()) {
                    channel.write(bytes);
                }
            }
        }
    }
}
