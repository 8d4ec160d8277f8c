package dev.sluice.runtime.lasting;

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
import java.util.stream.Stream;

/** The directory of the folders of all runs, which belongs to one runner at a time. Names of its own begin with a dot. */
final class RunFolders implements AutoCloseable {

    private final Path directory;
    private final FileChannel lockFile;

    /**
     * Makes the directory where it is missing and takes it; throws {@link IllegalStateException} where another runner has it or
     * it is of no use.
     */
    RunFolders(Path directory) {
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
        FileChannel channel = FileChannel.open(PrivateFiles.provideFile(file), StandardOpenOption.WRITE);
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
        boolean works = probe.withdraw() && !probe.withdraw() && probe.claim() instanceof Claim.Withdrawn;
        deleteAll(probe.path());
        if (!works) {
            throw new IOException("its file system has no symbolic links");
        }
    }

    /** Deletes what an earlier program was about to delete. */
    private void removeRemains() throws IOException {
        for (Path path : list()) {
            String name = path.getFileName().toString();
            if (name.startsWith(".gone-") || name.startsWith(".probe-")) {
                deleteAll(path);
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
     * Deletes a folder, if it is there. It goes all at once: what had not claimed the run by then finds no place to do so.
     * What cannot be deleted stays behind, out of the way.
     */
    void delete(RunFolder folder) throws IOException {
        if (folder.exists()) {
            Path gone = directory.resolve(".gone-" + folder.name());
            Files.move(folder.path(), gone);
            deleteAll(gone);
        }
    }

    private static void deleteAll(Path path) throws IOException {
        List<Path> paths;
        try (Stream<Path> tree = Files.walk(path)) {
            paths = tree.sorted(Comparator.reverseOrder()).toList();
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
        for (Path each : paths) {
            Files.deleteIfExists(each);
        }
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
