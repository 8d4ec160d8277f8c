package dev.sluice.runtime.detached;

import dev.sluice.runtime.file.FolderRemover;
import dev.sluice.runtime.file.PrivateFiles;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** The directory of all run folders, used by one runner at a time. The runner's own files in it begin with a dot. */
final class RunFolders implements AutoCloseable {

    private final Path directory;
    private final FileChannel lockFile;
    private final FolderRemover remover;

    /**
     * Creates the directory if missing and locks it.
     *
     * @throws IllegalStateException if another runner has locked it or it is unusable
     */
    RunFolders(Path directory, FolderRemover remover) {
        this.remover = remover;
        try {
            PrivateFiles.restrict(PrivateFiles.createFolders(directory));
            this.directory = directory.toRealPath();
            this.lockFile = lock(this.directory.resolve(".lock"));
            try {
                removeRemains();
                requireLinks();
            } catch (IOException | RuntimeException e) {
                lockFile.close();
                throw e;
            }
        } catch (IOException e) {
            throw new IllegalStateException("cannot run tasks: unusable folder " + directory + ": " + e, e);
        }
    }

    private static FileChannel lock(Path file) throws IOException {
        FileChannel channel = FileChannel.open(PrivateFiles.ensureFile(file), StandardOpenOption.WRITE);
        FileLock lock;
        try {
            lock = channel.tryLock();
        } catch (OverlappingFileLockException heldByThisProgram) {
            lock = null;
        }
        if (lock == null) {
            channel.close();
            throw new IOException("another program uses it");
        }
        return channel;
    }

    /** Fails early on file systems without symbolic links. */
    private void requireLinks() throws IOException {
        RunFolder probe = new RunFolder(Files.createTempDirectory(directory, ".probe-"));
        boolean works = probe.withdraw() && !probe.withdraw() && probe.claim() instanceof RunClaim.Withdrawn;
        remover.remove(probe.path());
        if (!works) {
            throw new IOException("the file system does not support symbolic links");
        }
    }

    /** Removes folders whose removal an earlier program did not finish. */
    private void removeRemains() throws IOException {
        for (Path path : list()) {
            String name = path.getFileName().toString();
            if (name.startsWith(FolderRemover.REMOVED_PREFIX) || name.startsWith(".probe-")) {
                remover.remove(path);
            }
        }
    }

    private List<Path> list() throws IOException {
        List<Path> paths = new ArrayList<>();
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(directory)) {
            entries.forEach(paths::add);
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
        paths.sort(Comparator.naturalOrder());
        return paths;
    }

    Path directory() {
        return directory;
    }

    RunFolder folder(RunKey key) {
        return new RunFolder(directory.resolve(key.folderName()));
    }

    /** Returns all run folders, sorted by name. */
    List<RunFolder> all() throws IOException {
        return list().stream()
                .filter(path -> !path.getFileName().toString().startsWith("."))
                .filter(path -> Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS))
                .map(RunFolder::new)
                .toList();
    }

    /**
     * Removes a folder, if it exists. It is renamed immediately, so a process that has not claimed the run yet no
     * longer can.
     */
    void delete(RunFolder folder) {
        remover.remove(folder.path());
    }

    /** Unlocks the directory. */
    @Override
    public void close() {
        try {
            lockFile.close();
        } catch (IOException e) {
            // The lock is released when the program ends at the latest.
            return;
        }
    }
}
