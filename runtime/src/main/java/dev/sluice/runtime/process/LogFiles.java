package dev.sluice.runtime.process;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.sluice.runtime.file.PrivateFiles;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.WritableByteChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HexFormat;
import java.util.Set;

/** The log files of tasks: their names, and what is written into them besides the output of the task. */
public final class LogFiles {

    /** The longest file name made here; systems allow 255 bytes, and callers may add an ending. */
    static final int NAME_LENGTH_MAX = 200;

    /** How many characters of the checksum stand at the end of a name that was too long. */
    private static final int CHECKSUM_LENGTH = 16;

    private LogFiles() {}

    /**
     * A file name for any name of a task. Letters, digits, {@code _}, {@code -} and {@code .} inside are kept; any other byte
     * of the name becomes {@code %} and two hexadecimal digits, so that different names have different files. A name that is
     * too long is cut and ends in {@code ~} and a checksum. (Names that differ in case alone share a file on systems that do
     * not tell them apart.)
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
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }

    /**
     * Creates a log file and its folder, for their owner alone; a file that holds an earlier attempt gets a line that separates the next
     * one.
     */
    public static void prepare(Path logFile) throws IOException {
        Path folder = logFile.toAbsolutePath().getParent();
        if (folder != null && !folder.toFile().isDirectory()) {
            PrivateFiles.createFolders(folder);
        }
        PrivateFiles.provideFile(logFile);
        if (logFile.toFile().length() > 0) {
            append(logFile, "--- started again at " + Instant.now().truncatedTo(ChronoUnit.SECONDS) + " ---");
        }
    }

    /** Adds a line of this program's own to a log file. */
    public static void append(Path logFile, String line) throws IOException {
        try (WritableByteChannel channel = Files.newByteChannel(
                logFile,
                Set.of(StandardOpenOption.CREATE, StandardOpenOption.APPEND),
                PrivateFiles.fileAttributes())) {
            ByteBuffer bytes = UTF_8.encode(line + "\n");
            while (bytes.hasRemaining()) {
                channel.write(bytes);
            }
        }
    }

    /** Tells why a task was not started, where the log can be written; the listener hears of it in any case. */
    public static void appendIfPossible(Path logFile, ProcessExit exit) {
        try {
            append(logFile, "sluice: " + exit.message());
        } catch (IOException toldToTheListener) {
            return;
        }
    }
}
