package dev.sluice.runtime.detached;

import dev.sluice.runtime.file.FolderRemover;
import dev.sluice.runtime.file.PrivateFiles;
import dev.sluice.runtime.file.UserFolders;
import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/** The default working directories of tasks: one per run, named after it, removed when the run has ended. */
final class ScratchFolders {

    /** The names of run folders and of folders being removed; the runner ignores all others. */
    private static final Pattern OWN = Pattern.compile("[0-9]+\\.[^/]*|\\.gone-[^/]*");

    private final Path directory;
    private final FolderRemover remover;

    /**
     * Creates the directory if missing.
     *
     * @param otherUsers whether runs are those of other users than that of this program
     * @throws IllegalStateException if it cannot be created, or other users cannot use it safely
     */
    ScratchFolders(Path directory, FolderRemover remover, boolean otherUsers) {
        this.remover = remover;
        this.directory = directory.toAbsolutePath().normalize();
        try {
            ensureExists();
            PrivateFiles.restrict(directory);
            if (otherUsers) {
                letPass();
            }
        } catch (IOException e) {
            throw new IllegalStateException(
                    "cannot run tasks: unusable folder " + directory + " for scratch folders: " + e
                            + ". Choose another folder with --work",
                    e);
        }
    }

    /** Lets other users pass through the directory and its parent, if it belongs to this program alone. */
    private void letPass() throws IOException {
        UserFolders.open(directory);
        Path parent = directory.getParent();
        if (parent != null && !PrivateFiles.isShared(parent)) {
            UserFolders.open(parent);
        }
        UserFolders.requireSafe(directory);
    }

    /** Creates the directory or restores access to it, whatever tasks have done to it. */
    private void ensureExists() throws IOException {
        Path parent = directory.getParent();
        if (parent != null && Files.isDirectory(parent) && !Files.isExecutable(parent)) {
            PrivateFiles.restore(parent);
        }
        if (parent != null) {
            PrivateFiles.createFolders(parent);
        }
        PrivateFiles.ensureFolder(directory);
    }

    /** Creates the scratch folder of a run. */
    Path create(RunFolder run) throws IOException {
        Path folder = directory.resolve(run.name());
        ensureExists();
        return PrivateFiles.ensureFolder(folder);
    }

    /**
     * Removes the scratch folder of a run, if it exists.
     *
     * @throws IllegalArgumentException if this is not the name of a run's folder
     */
    void remove(String run) {
        if (!OWN.matcher(run).matches()) {
            throw new IllegalArgumentException("not the name of a run's folder: " + run);
        }
        remover.remove(directory.resolve(run));
    }

    /** Removes the scratch folders of all other runs. */
    void removeAllBut(Set<String> runs) throws IOException {
        List<Path> others = new ArrayList<>();
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(directory)) {
            for (Path entry : entries) {
                String name = entry.getFileName().toString();
                if (OWN.matcher(name).matches() && !runs.contains(name)) {
                    others.add(entry);
                }
            }
        } catch (DirectoryIteratorException e) {
            throw e.getCause();
        }
        others.forEach(remover::remove);
    }
}
