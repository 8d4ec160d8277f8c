package dev.sluice.runtime.detached;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.sluice.runtime.file.PrivateFiles;
import dev.sluice.runtime.process.ProcessExit;
import java.io.IOException;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotLinkException;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What is written down of one run: the links {@code claim}, {@code stop} and {@code exit}, made by the runner and by
 * {@code task.sh}.
 *
 * @param path the folder
 */
record RunFolder(Path path) {

    /** An exit code and, for a command that was not started, why; encoded as in a URL, for links hold file names. */
    private static final Pattern EXIT = Pattern.compile("([0-9]{1,3})(?: (.*))?");

    /** What stands in the place of the exit code of a run that had to be ended without being known any more. */
    private static final String LOST = "lost";

    /** So many characters fit into a link in any language. */
    private static final int MESSAGE_LENGTH_MAX = 300;

    String name() {
        return path.getFileName().toString();
    }

    boolean exists() {
        return Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS);
    }

    /** Makes the folder; false if it was there. */
    boolean create() throws IOException {
        try {
            PrivateFiles.createFolder(path);
            return true;
        } catch (FileAlreadyExistsException e) {
            return false;
        }
    }

    /** Gives this program its access back, should a task have taken it; whether that was so. */
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
            String text = read("claim");
            if (text == null) {
                return new RunClaim.Free();
            }
            if (text.equals(RunClaim.WITHDRAWN)) {
                return new RunClaim.Withdrawn();
            }
            ProcessIdentity identity = ProcessIdentity.of(text);
            return identity == null ? new RunClaim.Damaged("the claim names no process") : new RunClaim.Held(identity);
        } catch (IOException e) {
            return new RunClaim.Damaged("the claim cannot be read (" + e + ")");
        }
    }

    /** Claims the run so that it never starts; false if it was claimed before. */
    boolean withdraw() throws IOException {
        return write("claim", RunClaim.WITHDRAWN);
    }

    /** Says that the run is to stop, for a command that is just about to start. */
    void markStop() throws IOException {
        boolean unused = write("stop", "-");
    }

    boolean isStopMarked() {
        return Files.isSymbolicLink(path.resolve("stop"));
    }

    /** How the command ended, or null if nothing readable tells it. */
    @Nullable ProcessExit exit() {
        try {
            String text = read("exit");
            Matcher matcher = EXIT.matcher(text == null ? "" : text);
            if (!matcher.matches()) {
                return null;
            }
            int code = Integer.parseInt(matcher.group(1));
            String message = matcher.group(2);
            return message == null
                    ? ProcessExit.ended(code)
                    : ProcessExit.notStarted(code, URLDecoder.decode(message, UTF_8));
        } catch (IOException | IllegalArgumentException unreadable) {
            return null;
        }
    }

    /** Whether something is in the place of the exit code that no program of ours has made. */
    boolean isExitDamaged() {
        try {
            String text = read("exit");
            return text != null && !text.equals(LOST) && exit() == null;
        } catch (IOException e) {
            return true;
        }
    }

    /** Says that the run is lost, so that no exit code is written any more; does nothing where one is there. */
    void fenceExit() throws IOException {
        boolean unused = write("exit", LOST);
    }

    /** Keeps how the command ended, unless something is there already. */
    void writeExit(ProcessExit exit) throws IOException {
        String message = exit.message();
        String shortened = message.substring(0, Math.min(message.length(), MESSAGE_LENGTH_MAX));
        String reason = exit.started() ? "" : " " + URLEncoder.encode(shortened, UTF_8);
        boolean unused = write("exit", exit.code() + reason);
    }

    private @Nullable String read(String link) throws IOException {
        try {
            return Files.readSymbolicLink(path.resolve(link)).toString();
        } catch (NoSuchFileException e) {
            return null;
        } catch (NotLinkException e) {
            throw new IOException("not a symbolic link", e);
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
