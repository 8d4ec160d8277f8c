package dev.sluice.runtime.detached;

import dev.sluice.runtime.file.FolderRemover;
import dev.sluice.runtime.file.PrivateFiles;
import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/** The folders that tasks run in unless they name another directory: one for each run, named after it, removed when the run is over. */
final class ScratchFolders {

    /** The names of folders of runs, and of those that are being removed; whatever else is here is somebody else's. */
    private static final Pattern OWN = Pattern.compile("[0-9]+\\..*|\\.gone-.*");

    private final Path directory;
    private final FolderRemover remover;

    /** Makes the directory where it is missing; throws {@link IllegalStateException} where that is not possible. */
    ScratchFolders(Path directory, FolderRemover remover) {
        this.remover = remover;
        this.directory = directory.toAbsolutePath().normalize();
        try {
            ensureExists();
            PrivateFiles.restrict(directory);
        } catch (IOException e) {
            throw new IllegalStateException(
                    "tasks cannot be run: the folder " + directory + " for their scratch folders cannot be used: " + e
                            + ". Choose another one with --work",
                    e);
        }
    }

    /** Makes the directory, whatever tasks have done to it. */
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

    /** Makes the scratch folder of a run. */
    Path create(RunFolder run) throws IOException {
        Path folder = directory.resolve(run.name());
        ensureExists();
        return PrivateFiles.ensureFolder(folder);
    }

    /** Removes the scratch folder of a run, if it has one. */
    void remove(String run) {
        remover.remove(directory.resolve(run));
    }

    /** Removes those of all other runs. */
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
