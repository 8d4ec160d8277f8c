package dev.sluice.server.routes;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.sluice.runtime.file.FolderRemover;
import dev.sluice.runtime.local.LogFolder;
import dev.sluice.runtime.process.LogFiles;
import dev.sluice.server.api.LogView;
import dev.sluice.server.route.ProblemException;
import dev.sluice.server.route.ProblemKind;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads and removes the log files of tasks that run on this server. */
public final class TaskLogs {

    private final LogFolder logs;

    /** Reads the logs in this folder. */
    public TaskLogs(LogFolder logs) {
        this.logs = logs;
    }

    /** Returns the log file of a task. */
    public Path file(String partition, String application, String task) {
        return logs.file(partition, application, task);
    }

    /** Returns whether there are logs of an application. */
    boolean exist(String partition, String application) {
        return Files.exists(logs.application(partition, application), LinkOption.NOFOLLOW_LINKS);
    }

    /**
     * Reads a chunk of a log; returns null if there is no log.
     *
     * @param offset the start, in bytes; a negative offset counts from the end
     * @param ended whether the task has ended
     */
    @Nullable LogView read(String partition, String application, String task, long offset, int limit, boolean ended) {
        try (SeekableByteChannel channel = LogFiles.open(logs.folder(), file(partition, application, task))) {
            long size = channel.size();
            long from = Math.min(size, offset < 0 ? Math.max(0, size + Math.max(offset, -size)) : offset);
            ByteBuffer buffer = ByteBuffer.allocate((int) Math.min(limit, size - from));
            channel.position(from);
            boolean more = true;
            while (more && buffer.hasRemaining()) {
                more = channel.read(buffer) >= 0;
            }
            byte[] bytes = Arrays.copyOf(buffer.array(), completeLength(buffer.array(), buffer.position()));
            long end = from + bytes.length;
            return new LogView(task, from, end, ended && end >= size, new String(bytes, UTF_8));
        } catch (NoSuchFileException e) {
            return null;
        } catch (LogFiles.NotAFileException e) {
            throw ProblemException.of(
                    ProblemKind.NOT_FOUND,
                    "the log of task " + task + " is not a regular file; a task has replaced it");
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read the log of " + task + ": " + e.getMessage(), e);
        }
    }

    /**
     * Removes the logs of an application, and whatever tasks have put beside them, except what has been written since
     * an instant.
     *
     * @throws IOException if something cannot be removed; everything else has been
     */
    public void remove(String partition, String application, Instant before) throws IOException {
        Path folder = logs.application(partition, application);
        if (!Files.isDirectory(folder, LinkOption.NOFOLLOW_LINKS)) {
            return;
        }
        List<Path> left = new ArrayList<>();
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(folder)) {
            for (Path entry : entries) {
                if (isOlder(entry, before) && !FolderRemover.removeNow(entry)) {
                    left.add(entry);
                }
            }
        } catch (DirectoryIteratorException e) {
            throw e.getCause();
        }
        if (!left.isEmpty()) {
            throw new IOException("cannot remove " + left.get(0)
                    + (left.size() == 1 ? "" : " and " + (left.size() - 1) + " more files"));
        }
        try {
            Files.deleteIfExists(folder);
        } catch (DirectoryNotEmptyException e) {
            // it contains logs of a later application
        }
    }

    private static boolean isOlder(Path entry, Instant instant) throws IOException {
        try {
            return Files.getLastModifiedTime(entry, LinkOption.NOFOLLOW_LINKS)
                    .toInstant()
                    .isBefore(instant);
        } catch (NoSuchFileException e) {
            return false;
        }
    }

    /** Returns the length up to the last complete UTF-8 character, so that chunks do not split characters. */
    private static int completeLength(byte[] bytes, int length) {
        int lead = length - 1;
        while (lead > 0 && length - lead < 4 && (bytes[lead] & 0xc0) == 0x80) {
            lead--;
        }
        if (lead <= 0) {
            return length;
        }
        int first = bytes[lead] & 0xff;
        int needed = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : first >= 0xc0 ? 2 : 1;
        return length - lead < needed ? lead : length;
    }
}
