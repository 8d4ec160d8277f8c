package dev.sluice.runtime.detached;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.sluice.runtime.executor.RunExit;
import dev.sluice.runtime.file.PrivateFiles;
import dev.sluice.runtime.machine.Gpus;
import java.io.IOException;
import java.io.InputStream;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotLinkException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The records of one run: {@code gpus}, {@code claim}, {@code stop}, {@code halted}, {@code exceeded} and
 * {@code exit}. Each is created atomically and never replaced, so the first writer wins; only {@code halted} is removed
 * again. The runner writes symbolic links whose targets are the content, and so did the scripts of former versions.
 * {@code task.sh} writes empty files, and their content before to {@code shell} and {@code code}, which also has the
 * processor time that the command has taken.
 *
 * @param path the folder
 */
record RunFolder(Path path) {

    /**
     * An exit code and, for a command that was not started, the reason, URL-encoded because links hold file names; or
     * an exit code and what the shell prints for {@code times}.
     */
    private static final Pattern EXIT = Pattern.compile("([0-9]{1,3})(?: (.*)|(?:\\n.*s.*)*)");

    /** Recorded instead of an exit code for a run that was terminated with unknown outcome. */
    private static final String LOST = "lost";

    /** The maximum number of characters that fit into a link in any language. */
    private static final int MESSAGE_LENGTH_MAX = 300;

    /** Larger than any content that {@code task.sh} writes, in bytes. */
    private static final int CONTENT_LENGTH_MAX = 512;

    String name() {
        return path.getFileName().toString();
    }

    boolean exists() {
        return Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS);
    }

    /** Creates the folder; returns false if it already exists. */
    boolean create() throws IOException {
        try {
            PrivateFiles.createFolder(path);
            return true;
        } catch (FileAlreadyExistsException e) {
            return false;
        }
    }

    /** Restores this program's access to the folder if a task removed it; returns whether that was necessary. */
    boolean restoreAccess() {
        if (!exists() || (Files.isReadable(path) && Files.isWritable(path) && Files.isExecutable(path))) {
            return false;
        }
        try {
            PrivateFiles.restore(path);
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    RunClaim claim() {
        try {
            String text = read("claim", "shell");
            if (text == null) {
                return new RunClaim.Unclaimed();
            }
            if (text.equals(RunClaim.WITHDRAWN)) {
                return new RunClaim.Withdrawn();
            }
            ProcessIdentity identity = ProcessIdentity.of(text);
            return identity == null ? new RunClaim.Damaged("malformed claim") : new RunClaim.Claimed(identity);
        } catch (IOException e) {
            return new RunClaim.Damaged("unreadable claim (" + e + ")");
        }
    }

    /** Claims the run so that it never starts; returns false if it is already claimed. */
    boolean withdraw() throws IOException {
        return write("claim", RunClaim.WITHDRAWN);
    }

    /** Records the GPUs of a run that is about to start. */
    void writeGpus(List<Integer> indices) throws IOException {
        boolean unused = indices.isEmpty() || write("gpus", Gpus.text(indices));
    }

    /** Returns the GPUs of the run; empty if there is no readable record. */
    List<Integer> gpus() {
        try {
            return Stream.of(Files.readSymbolicLink(path.resolve("gpus"))
                            .toString()
                            .split(",", -1))
                    .map(Integer::valueOf)
                    .toList();
        } catch (IOException | IllegalArgumentException none) {
            return List.of();
        }
    }

    /** Records which limit the run has exceeded, if possible. */
    void writeExceeded(String reason) {
        try {
            boolean unused = write("exceeded", URLEncoder.encode(reason, UTF_8));
        } catch (IOException notRecorded) {
            return; // after a restart the exit code is reported without the reason
        }
    }

    /** Returns which limit the run has exceeded, or null. */
    @Nullable String exceeded() {
        try {
            return URLDecoder.decode(
                    Files.readSymbolicLink(path.resolve("exceeded")).toString(), UTF_8);
        } catch (IOException | IllegalArgumentException | UnsupportedOperationException none) {
            return null;
        }
    }

    /** Records that the run is to stop, for a command that is about to start. */
    void markStop() throws IOException {
        boolean unused = write("stop", "-");
    }

    boolean isStopMarked() {
        return Files.isSymbolicLink(path.resolve("stop"));
    }

    /** Records that the processes of the run are halted. */
    void markHalted() throws IOException {
        boolean unused = write("halted", "-");
    }

    /** Records that the processes of the run continue. */
    void unmarkHalted() throws IOException {
        Files.deleteIfExists(path.resolve("halted"));
    }

    boolean isHaltMarked() {
        return Files.isSymbolicLink(path.resolve("halted"));
    }

    /** Returns how the command ended, or null if no readable exit code is recorded. */
    @Nullable RunExit exit() {
        try {
            String text = read("exit", "code");
            Matcher matcher = EXIT.matcher(text == null ? "" : text);
            if (!matcher.matches()) {
                return null;
            }
            int code = Integer.parseInt(matcher.group(1));
            String message = matcher.group(2);
            return message == null ? RunExit.ended(code) : RunExit.notStarted(code, URLDecoder.decode(message, UTF_8));
        } catch (IOException | IllegalArgumentException unreadable) {
            return null;
        }
    }

    /** Returns the processor time of the command and the descendants it waited for, or null if it is not recorded. */
    @Nullable Duration cpuTime() {
        try {
            String text = read("exit", "code");
            return text == null ? null : ShellTimes.ofChildren(text.substring(text.indexOf('\n') + 1));
        } catch (IOException none) {
            return null;
        }
    }

    /** Returns whether there is an exit code that was not written by this program. */
    boolean isExitDamaged() {
        try {
            String text = read("exit", "code");
            return text != null && !text.equals(LOST) && exit() == null;
        } catch (IOException e) {
            return true;
        }
    }

    /**
     * Marks the run as lost, if possible, so that the processes terminated next write no exit code as if they had ended
     * by themselves; does nothing if one exists.
     */
    void fenceExit() {
        try {
            boolean unused = write("exit", LOST);
        } catch (IOException e) {
            return; // that exit code is reported, which is correct because no process of the run is alive then
        }
    }

    /** Records how the command ended, unless an exit code exists. */
    void writeExit(RunExit exit) throws IOException {
        String message = exit.message();
        String shortened = message.substring(0, Math.min(message.length(), MESSAGE_LENGTH_MAX));
        String reason = exit.started() ? "" : " " + URLEncoder.encode(shortened, UTF_8);
        boolean unused = write("exit", exit.code() + reason);
    }

    /**
     * Returns the content of a record, or null if there is none.
     *
     * @param content the name of the file with the content, if the record is a file
     */
    private @Nullable String read(String record, String content) throws IOException {
        try {
            return Files.readSymbolicLink(path.resolve(record)).toString();
        } catch (NoSuchFileException e) {
            return null;
        } catch (NotLinkException e) {
            requireFile(path.resolve(record));
            if (Files.size(path.resolve(record)) > 0) {
                throw new IOException("not an empty file: " + record);
            }
            return content(path.resolve(content));
        }
    }

    private static String content(Path file) throws IOException {
        requireFile(file);
        try (InputStream in = Files.newInputStream(file, LinkOption.NOFOLLOW_LINKS)) {
            String text = new String(in.readNBytes(CONTENT_LENGTH_MAX), UTF_8);
            if (!text.endsWith("\n")) {
                throw new IOException("incomplete file " + file.getFileName());
            }
            return text.stripTrailing();
        }
    }

    private static void requireFile(Path file) throws IOException {
        if (!Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
            throw new IOException("not a file: " + file.getFileName());
        }
    }

    private boolean write(String link, String content) throws IOException {
        try {
            Files.createSymbolicLink(path.resolve(link), Path.of(content));
            return true;
        } catch (FileAlreadyExistsException e) {
            return false;
        }
    }
}
