package dev.sluice.runtime.local;

import dev.sluice.core.application.ApplicationRef;
import dev.sluice.runtime.file.PrivateFiles;
import dev.sluice.runtime.process.LogFiles;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The folders shared by runs, {@code SLUICE_RUN_DIRECTORY}: one for all, or one per application, which exists from the
 * start of its first task until the application has ended.
 */
final class SharedFolders {

    private final @Nullable Path common;
    private final Path directory;
    private final Consumer<Path> remover;

    private SharedFolders(@Nullable Path common, Path directory, Consumer<Path> remover) {
        this.common = common;
        this.directory = directory;
        this.remover = remover;
    }

    /**
     * Returns the folders with these settings.
     *
     * @throws IllegalArgumentException if there is neither a folder for all runs nor a directory of scratch folders
     */
    static SharedFolders of(ProcessSettings settings, Consumer<Path> remover) {
        Path common = settings.runDirectory();
        Path scratch = settings.paths().scratch();
        if (common == null && scratch == null) {
            throw new IllegalArgumentException("no directory for the folders of applications");
        }
        return new SharedFolders(
                common, scratch == null ? Objects.requireNonNull(common) : scratch.resolve("applications"), remover);
    }

    /** Returns whether folders are created and removed, because there is one per application. */
    boolean isManaged() {
        return common == null;
    }

    /** Returns the folder of an application. */
    Path of(ApplicationRef application) {
        return common == null ? directory.resolve(LogFiles.nameFor(application.toString())) : common;
    }

    /** Removes the folder of an application. */
    void remove(ApplicationRef application) {
        if (isManaged()) {
            remover.accept(of(application));
        }
    }

    /** Removes the folders of all other applications. */
    void removeAllBut(Collection<ApplicationRef> active) {
        if (!isManaged()) {
            return;
        }
        Set<Path> needed = new HashSet<>();
        active.forEach(application -> needed.add(of(application)));
        List<Path> others = new ArrayList<>();
        try {
            if (Files.exists(directory, LinkOption.NOFOLLOW_LINKS)) {
                PrivateFiles.ensureFolder(directory);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        try (DirectoryStream<Path> folders = Files.newDirectoryStream(directory)) {
            folders.forEach(folder -> {
                if (!needed.contains(folder)) {
                    others.add(folder);
                }
            });
        } catch (NoSuchFileException noneYet) {
            return;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        others.forEach(remover);
    }
}
