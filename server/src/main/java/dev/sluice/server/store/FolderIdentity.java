package dev.sluice.server.store;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.sluice.runtime.detached.DetachedRunner;
import dev.sluice.runtime.file.PrivateFiles;
import dev.sluice.runtime.journal.StoreException;
import dev.sluice.runtime.journal.StoreException.Kind;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.List;

/**
 * The identity of a data folder: a random number in a file, which the journal remembers. The folder records which tasks
 * are running; with the same journal and another folder, every task would be started a second time. The text of the
 * identity also marks the processes of tasks.
 *
 * @param folder the data folder
 * @param adopt whether to take over a journal that belongs to another folder
 */
public record FolderIdentity(Path folder, boolean adopt) {

    /** The name of the file. */
    static final String FILE = "identity";

    /** Maximum number of processes listed in a message. */
    private static final int NAMED_MAX = 10;

    /**
     * Returns the identity as 16 hexadecimal digits; generates it if the folder has none.
     *
     * @throws StoreException if the file cannot be read or written
     */
    public String text() throws StoreException {
        return text(number());
    }

    private static String text(long number) {
        return HexFormat.of().toHexDigits(number);
    }

    /** Returns the identity as stored in the journal. */
    long number() throws StoreException {
        Path file = folder.resolve(FILE);
        try {
            return HexFormat.fromHexDigitsToLong(
                    Files.readString(file, US_ASCII).strip());
        } catch (NoSuchFileException none) {
            return create(file);
        } catch (IOException | IllegalArgumentException e) {
            throw new StoreException(
                    Kind.UNUSABLE,
                    "cannot read the data folder's identity from " + file + ": " + Failures.reason(e)
                            + ". Restore the file; or, if none of its tasks is running, delete it and start with"
                            + " --adopt",
                    e);
        }
    }

    private long create(Path file) throws StoreException {
        long number = new SecureRandom().nextLong() >>> 1;
        Path fresh = folder.resolve(FILE + ".new");
        try {
            Files.deleteIfExists(fresh);
            try (FileChannel channel = FileChannel.open(PrivateFiles.createFile(fresh), StandardOpenOption.WRITE)) {
                channel.write(ByteBuffer.wrap((text(number) + "\n").getBytes(US_ASCII)));
                channel.force(true);
            }
            Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE);
            return number;
        } catch (IOException e) {
            throw new StoreException(
                    Kind.UNUSABLE, "cannot write the data folder's identity to " + file + ": " + Failures.reason(e), e);
        }
    }

    /** Throws unless a journal that belongs to the folder with identity {@code former} can be adopted. */
    void requireAdoption(String journal, long former) throws StoreException {
        if (!adopt) {
            throw new StoreException(
                    Kind.UNUSABLE,
                    journal + " belongs to the data folder with identity " + text(former) + ", but " + folder
                            + " has identity " + text()
                            + ". Tasks started from the previous folder may still be running, here"
                            + " or on another machine, and would be started a second time. Use the previous folder"
                            + " (--data);"
                            + " or, if none of its tasks is running, start with --adopt, which reruns unfinished"
                            + " tasks");
        }
        List<Long> running = DetachedRunner.pidsWithMark(text(former));
        if (!running.isEmpty()) {
            throw new StoreException(
                    Kind.UNUSABLE,
                    "cannot adopt " + journal + ": tasks of the data folder with identity " + text(former)
                            + " are still running on this machine, processes "
                            + running.subList(0, Math.min(NAMED_MAX, running.size())) + ". Stop them first");
        }
    }
}
