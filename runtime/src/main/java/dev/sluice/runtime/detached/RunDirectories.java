package dev.sluice.runtime.detached;

import dev.sluice.runtime.file.FolderRemover;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The records and scratch folders of all runs; a runner may have neither. */
final class RunDirectories implements AutoCloseable {

    private final FolderRemover remover;
    private final @Nullable RunFolders records;
    private final @Nullable ScratchFolders scratch;

    /**
     * Creates the directories if missing, and locks that of the records.
     *
     * @param otherUsers whether runs are those of other users than that of this program
     * @throws IllegalStateException if another runner has locked it, or one of them is unusable
     */
    RunDirectories(RunnerPaths paths, FolderRemover remover, boolean otherUsers) {
        this.remover = remover;
        Path recordDirectory = paths.records();
        Path scratchDirectory = paths.scratch();
        this.records = recordDirectory == null ? null : new RunFolders(recordDirectory, remover);
        this.scratch = scratchDirectory == null ? null : new ScratchFolders(scratchDirectory, remover, otherUsers);
    }

    /** Returns whether there are records of runs. */
    boolean hasRecords() {
        return records != null;
    }

    /** Returns the directory of the records, or null. */
    @Nullable Path recordDirectory() {
        return records == null ? null : records.directory();
    }

    /** Returns the records of a run; a folder that does not exist if there are no records. */
    RunFolder folder(RunKey key) {
        return records == null ? new RunFolder(Path.of(key.folderName())) : records.folder(key);
    }

    /** Returns the records of all runs, sorted by name. */
    List<RunFolder> all() throws IOException {
        return records == null ? List.of() : records.all();
    }

    /** Creates the records of a run, if there are any; returns false if they already exist. */
    boolean create(RunFolder folder) throws IOException {
        return records == null || folder.create();
    }

    /** Creates the scratch folder of a run; returns null if there are no scratch folders. */
    @Nullable Path createScratch(RunFolder folder) throws IOException {
        return scratch == null ? null : scratch.create(folder);
    }

    /** Removes the records and the scratch folder of a run in the background. */
    void remove(RunFolder folder) {
        if (records != null) {
            records.delete(folder);
        }
        removeScratch(folder.name());
    }

    /** Removes the scratch folder of a run in the background. */
    void removeScratch(String run) {
        if (scratch != null) {
            scratch.remove(run);
        }
    }

    /** Removes the scratch folders of all other runs in the background. */
    void removeScratchAllBut(Set<String> runs) throws IOException {
        if (scratch != null) {
            scratch.removeAllBut(runs);
        }
    }

    /** Removes a folder that runs have shared, if it exists, in the background. */
    void removeShared(Path folder) {
        remover.remove(folder);
    }

    @Override
    public void close() {
        remover.close();
        if (records != null) {
            records.close();
        }
    }
}
