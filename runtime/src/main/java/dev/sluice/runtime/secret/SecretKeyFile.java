package dev.sluice.runtime.secret;

import dev.sluice.runtime.file.PrivateFiles;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The file with the key of secrets. Thread-safe.
 *
 * @param path the file
 * @param own whether this program creates the file when it is first needed; otherwise it is given
 */
public record SecretKeyFile(Path path, boolean own) {

    /** The name of a file that a program creates. */
    public static final String NAME = "secrets.key";

    /** The name of the credential that a service manager passes. */
    public static final String CREDENTIAL = "sluice-key";

    private static final int KEY_BYTES = 32;
    private static final int LENGTH_MAX = 4096;

    /** Returns the file with the key of a program that has this folder. */
    public static SecretKeyFile in(Path folder) {
        return new SecretKeyFile(folder.resolve(NAME), true);
    }

    /** Returns the file that the service manager passes (systemd: {@code LoadCredential}), else that in the folder. */
    public static SecretKeyFile of(Map<String, String> environment, Path folder) {
        String credentials = environment.get("CREDENTIALS_DIRECTORY");
        Path given = credentials == null ? null : Path.of(credentials, CREDENTIAL);
        return given == null || !Files.exists(given) ? in(folder) : new SecretKeyFile(given, false);
    }

    /**
     * Returns the content of the file; null if it does not exist.
     *
     * @throws IllegalStateException if it cannot be read, others can read it, or it is too short for a key
     */
    @Nullable String read() {
        try {
            if (own && PrivateFiles.isShared(path)) {
                throw new IllegalStateException(
                        "others can read the key of secrets: run chmod 600 " + path + ", or replace it");
            }
            if (Files.size(path) > LENGTH_MAX) {
                throw new IllegalStateException("not a key of secrets: " + path + " is too large");
            }
            String text = Files.readString(path).strip();
            if (text.length() < KEY_BYTES) {
                throw new IllegalStateException(
                        "the key of secrets in " + path + " is too short: write 32 characters or more");
            }
            return text;
        } catch (NoSuchFileException absent) {
            return null;
        } catch (IOException e) {
            throw new IllegalStateException("cannot read the key of secrets: " + e, e);
        }
    }

    /** Writes the key to the disk, because the journal may be there before it otherwise. */
    private static void write(Path file, String text) throws IOException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
            ByteBuffer bytes = StandardCharsets.US_ASCII.encode(text);
            while (bytes.hasRemaining()) {
                channel.write(bytes);
            }
            channel.force(true);
        }
    }

    private static void sync(Path folder) {
        try (FileChannel channel = FileChannel.open(folder, StandardOpenOption.READ)) {
            channel.force(true);
        } catch (IOException unsupported) {
            return; // some systems cannot open folders
        }
    }

    /** Same as {@link #read}, but creates the file with a random key if it does not exist. */
    String readOrCreate() {
        String text = read();
        if (text != null) {
            return text;
        }
        byte[] random = new byte[KEY_BYTES];
        new SecureRandom().nextBytes(random);
        try {
            Path folder = PrivateFiles.createFolders(
                    Objects.requireNonNull(path.toAbsolutePath().getParent(), "a file has a folder"));
            Path complete = PrivateFiles.createFile(
                    path.resolveSibling(NAME + "-" + ProcessHandle.current().pid() + "-" + System.nanoTime()));
            try {
                write(complete, HexFormat.of().formatHex(random) + "\n");
                Files.createLink(path, complete); // fails if another program has created it meanwhile
                sync(folder);
            } catch (FileAlreadyExistsException other) {
                return String.valueOf(read());
            } finally {
                Files.delete(complete);
            }
        } catch (IOException e) {
            throw new IllegalStateException("cannot create the key of secrets: " + e, e);
        }
        return String.valueOf(read());
    }
}
