package dev.sluice.server.store;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.sluice.runtime.file.PrivateFiles;
import dev.sluice.runtime.journal.StoreException;
import dev.sluice.runtime.journal.StoreException.Kind;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.jspecify.annotations.Nullable;

/**
 * Exclusive access to a folder by a lock on a file in it, released when the process ends. The file names the holder.
 * Within a process a map of held folders guards the lock, because closing any handle of the file would release it.
 */
final class FolderLock implements AutoCloseable {

    /** The name of the file. */
    static final String FILE = "sluice.lock";

    /** A byte far beyond the text, which stays readable on platforms with mandatory locks. */
    private static final long LOCKED_BYTE = Long.MAX_VALUE - 1;

    private static final ConcurrentMap<Object, String> HELD = new ConcurrentHashMap<>();

    private final Object folder;
    private final RandomAccessFile file;

    private FolderLock(Object folder, RandomAccessFile file) {
        this.folder = folder;
        this.file = file;
    }

    /**
     * Locks a folder.
     *
     * @throws StoreException if it is locked; the message names the holder
     */
    static FolderLock acquire(Path folder) throws IOException, StoreException {
        Object folderKey = key(folder);
        String self = thisProcess();
        String holder = HELD.putIfAbsent(folderKey, self);
        if (holder != null) {
            throw inUse(folder, holder);
        }
        RandomAccessFile file = null;
        try {
            file = new RandomAccessFile(
                    PrivateFiles.ensureFile(folder.resolve(FILE)).toFile(), "rw");
            FileLock lock = tryLock(file);
            if (lock == null) {
                throw inUse(
                        folder, Files.readString(folder.resolve(FILE), UTF_8).strip());
            }
            byte[] text = (self + "\n").getBytes(UTF_8);
            file.setLength(0);
            file.write(text);
            return new FolderLock(folderKey, file);
        } catch (IOException | StoreException | RuntimeException e) {
            if (file != null) {
                file.close();
            }
            HELD.remove(folderKey);
            throw e;
        }
    }

    private static @Nullable FileLock tryLock(RandomAccessFile file) throws IOException {
        try {
            return file.getChannel().tryLock(LOCKED_BYTE, 1, false);
        } catch (OverlappingFileLockException e) {
            return null;
        }
    }

    /**
     * Whether a folder is in use. If not, no process can use it until this is closed, provided that a server has used
     * it before.
     */
    record Guard(boolean isInUse, @Nullable FileChannel file) implements AutoCloseable {

        static Guard of(Path folder) throws IOException {
            Path file = folder.resolve(FILE);
            if (HELD.containsKey(key(folder))) {
                return new Guard(true, null);
            }
            if (!Files.exists(file)) {
                return new Guard(false, null);
            }
            FileChannel channel = FileChannel.open(file, StandardOpenOption.READ);
            try {
                return new Guard(channel.tryLock(LOCKED_BYTE, 1, true) == null, channel);
            } catch (OverlappingFileLockException e) {
                return new Guard(false, channel); // another guard of this process
            } catch (IOException e) {
                channel.close();
                throw e;
            }
        }

        @Override
        public void close() {
            if (file != null) {
                try {
                    file.close();
                } catch (IOException e) {
                    // the lock is released when the process ends
                }
            }
        }
    }

    private static Object key(Path folder) throws IOException {
        Object key = Files.readAttributes(folder, BasicFileAttributes.class).fileKey();
        return key == null ? folder.toRealPath() : key;
    }

    private static StoreException inUse(Path folder, String holder) {
        return new StoreException(
                Kind.IN_USE,
                (holder.isEmpty() ? "another process" : holder) + " is using the data folder " + folder
                        + ". Stop it first, or use another folder");
    }

    private static String thisProcess() {
        ProcessHandle self = ProcessHandle.current();
        Instant start = self.info().startInstant().orElse(Instant.EPOCH).truncatedTo(ChronoUnit.SECONDS);
        return "process " + self.pid() + " on host " + host() + ", started " + start + ",";
    }

    /** Returns the host name. */
    static String host() {
        try {
            return InetAddress.getLocalHost().getHostName();
        } catch (UnknownHostException e) {
            return "unknown";
        }
    }

    @Override
    public void close() {
        try {
            file.close();
        } catch (IOException e) {
            // the lock is released when the process ends
        } finally {
            HELD.remove(folder);
        }
    }
}
