package dev.sluice.runtime.process;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.sluice.runtime.executor.RunExit;
import dev.sluice.runtime.file.PrivateFiles;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HexFormat;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The log files of tasks: their names, and the lines written in addition to the output of the task. */
public final class LogFiles {

    /** The beginning of the line between the outputs of two runs of a task. */
    public static final String SEPARATOR = "--- restarted at ";

    /** The maximum length of a file name; systems allow 255 bytes, and callers may add an extension. */
    static final int NAME_LENGTH_MAX = 200;

    /** The number of checksum characters at the end of a shortened name. */
    private static final int CHECKSUM_LENGTH = 16;

    private LogFiles() {}

    /**
     * Returns a file name for a task name. Letters, digits, {@code _}, {@code -} and inner {@code .} are kept; any
     * other byte is replaced by {@code %} and two hexadecimal digits, so different names have different files. A name
     * that is too long is cut and ends in {@code ~} and a checksum. (On case-insensitive file systems names that differ
     * only in case share a file.)
     */
    public static String nameFor(String name) {
        StringBuilder safe = new StringBuilder(name.length() + 8);
        for (byte b : name.getBytes(UTF_8)) {
            char c = (char) (b & 0xff);
            if (isSafe(c) || (c == '.' && safe.length() > 0)) {
                safe.append(c);
            } else {
                safe.append('%').append(HexFormat.of().withUpperCase().toHexDigits(b));
            }
        }
        if (safe.length() > NAME_LENGTH_MAX) {
            safe.setLength(NAME_LENGTH_MAX - CHECKSUM_LENGTH - 1);
            safe.append('~').append(checksum(name));
        }
        return safe.isEmpty() ? "%" : safe.toString();
    }

    private static boolean isSafe(char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
    }

    private static String checksum(String name) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(name.getBytes(UTF_8));
            return HexFormat.of().formatHex(digest).substring(0, CHECKSUM_LENGTH);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("SHA-256 is required on every Java platform", e);
        }
    }

    /**
     * Creates a log file and its folder, accessible only to their owner. Adds a separator line to a file with the
     * output of an earlier attempt. Moves or removes anything at the path that is not a regular file, such as a
     * symbolic link or a pipe.
     */
    public static void prepare(Path logFile) throws IOException {
        Path folder = logFile.toAbsolutePath().getParent();
        if (folder != null && !folder.toFile().isDirectory()) {
            PrivateFiles.createFolders(folder);
        }
        if (Files.exists(logFile, LinkOption.NOFOLLOW_LINKS) && !isFile(logFile)) {
            PrivateFiles.setAside(logFile);
        }
        PrivateFiles.ensureFile(logFile);
        if (logFile.toFile().length() > 0) {
            append(logFile, SEPARATOR + Instant.now().truncatedTo(ChronoUnit.SECONDS) + " ---");
        }
    }

    /**
     * Same as {@link #prepare(Path)} for a log file below this directory; also replaces symbolic links that a task
     * created instead of the folders in between.
     *
     * @param directory the directory of all logs; null: the parent folders are not checked
     */
    public static void prepare(@Nullable Path directory, Path logFile) throws IOException {
        if (directory != null) {
            PrivateFiles.createFolders(directory);
            Path folder = directory;
            Path inside = directory.relativize(logFile);
            for (int i = 0; i < inside.getNameCount() - 1; i++) {
                folder = folder.resolve(inside.getName(i));
                PrivateFiles.ensureFolder(folder);
            }
        }
        prepare(logFile);
    }

    private static boolean isFolder(Path path) {
        return Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS);
    }

    private static boolean isFile(Path path) {
        return Files.isRegularFile(path, LinkOption.NOFOLLOW_LINKS);
    }

    /**
     * Opens a log file for reading and writing. Never blocks and never follows a symbolic link, whatever a task has
     * created at the path: a pipe opened in both directions does not wait for a peer.
     *
     * @throws NoSuchFileException if the file does not exist
     * @throws NotAFileException if it is not a regular file, or a folder below the directory is a symbolic link
     */
    public static FileChannel open(Path directory, Path logFile) throws IOException {
        requireFile(directory, logFile);
        FileChannel channel =
                FileChannel.open(logFile, StandardOpenOption.READ, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS);
        try {
            long unused = channel.position(); // fails for a pipe
            requireFile(directory, logFile);
            return channel;
        } catch (IOException e) {
            channel.close();
            throw e instanceof NotAFileException ? e : new NotAFileException(logFile);
        }
    }

    private static void requireFile(Path directory, Path logFile) throws IOException {
        Path path = directory;
        for (Path name : directory.relativize(logFile)) {
            path = path.resolve(name);
            if (!Files.exists(path, LinkOption.NOFOLLOW_LINKS)) {
                throw new NoSuchFileException(path.toString());
            }
            if (path.equals(logFile) ? !isFile(path) : !isFolder(path)) {
                throw new NotAFileException(path);
            }
        }
    }

    /** Thrown when a log is not a regular file, or its folder is not a folder. */
    public static final class NotAFileException extends FileSystemException {

        private static final long serialVersionUID = 1;

        NotAFileException(Path path) {
            super(path.toString(), null, "not a log file; a task has replaced it");
        }
    }

    /** Appends a line of this program to a log file. */
    public static void append(Path logFile, String line) throws IOException {
        Path file = logFile.toAbsolutePath();
        try (FileChannel channel = open(Objects.requireNonNull(file.getParent()), file)) {
            channel.position(channel.size());
            ByteBuffer bytes = UTF_8.encode(line + "\n");
            while (bytes.hasRemaining()) {
                channel.write(bytes);
            }
        }
    }

    /** Writes to the log why a task was not started, if possible; the listener is called in any case. */
    public static void appendIfPossible(Path logFile, RunExit exit) {
        try {
            append(logFile, "sluice: " + exit.message());
        } catch (IOException reportedToListener) {
            return;
        }
    }
}
