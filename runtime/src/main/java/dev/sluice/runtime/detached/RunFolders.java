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

/** The directory of the folders of all runs, which belongs to one runner at a time. Names of its own begin with a dot. */
final class RunFolders implements AutoCloseable {

    private final Path directory;
    private final FileChannel lockFile;
    private final FolderRemover remover;

    /**
     * Makes the directory where it is missing and takes it; throws {@link IllegalStateException} where another runner has it or
     * it is of no use.
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
            throw new IllegalStateException(
                    "tasks cannot be run: the folder " + directory + " cannot be used: " + e, e);
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
            throw new IOException("another program runs tasks in it");
        }
        return channel;
    }

    /** Some file systems have no links; better to know before the first task. */
    private void requireLinks() throws IOException {
        RunFolder probe = new RunFolder(Files.createTempDirectory(directory, ".probe-"));
        boolean works = probe.withdraw() && !probe.withdraw() && probe.claim() instanceof RunClaim.Withdrawn;
        remover.remove(probe.path());
        if (!works) {
            throw new IOException("its file system has no symbolic links");
        }
    }

    /** Removes what an earlier program was about to remove. */
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

    /** Every folder of a run that is there, by name. */
    List<RunFolder> all() throws IOException {
        return list().stream()
                .filter(path -> !path.getFileName().toString().startsWith("."))
                .filter(path -> Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS))
                .map(RunFolder::new)
                .toList();
    }

    /**
     * Removes a folder, if it is there. It moves out of the way at once: what had not claimed the run by then finds no place to do so.
     */
    void delete(RunFolder folder) {
        remover.remove(folder.path());
    }

    /** Lets another runner have the directory. */
    @Override
    public void close() {
        try {
            lockFile.close();
        } catch (IOException e) {
            // Given back at the latest when the program ends.
            return;
        }
    }
}
