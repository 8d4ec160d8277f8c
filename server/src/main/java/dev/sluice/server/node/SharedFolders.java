package dev.sluice.server.node;

import dev.sluice.core.application.ApplicationState;
import dev.sluice.core.state.Application;
import dev.sluice.core.state.ApplicationEvent;
import dev.sluice.core.state.Event;
import dev.sluice.core.state.Partition;
import dev.sluice.core.state.SchedulerState;
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
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;

/**
 * The folders shared by the tasks of an application, {@code SLUICE_RUN_DIRECTORY}: one per application, from the start
 * of its first task until the application has ended.
 */
final class SharedFolders {

    private final Path directory;
    private final Consumer<Path> remover;

    /**
     * Creates the folders below this directory, which is created on demand.
     *
     * @param remover removes a folder if it exists
     */
    SharedFolders(Path directory, Consumer<Path> remover) {
        this.directory = directory;
        this.remover = remover;
    }

    /** Returns the folder of an application. */
    Path of(String partition, String application) {
        return directory.resolve(LogFiles.nameFor(partition + "/" + application));
    }

    /** Removes the folder of an application that has ended. */
    void onEvent(Event event) {
        if (event instanceof ApplicationEvent.StateChanged changed
                && changed.to().isEnded()
                && changed.to() != ApplicationState.EXPIRED) {
            remover.accept(of(changed.partition(), changed.application()));
        }
    }

    /** Removes the folders of all ended and unknown applications. */
    void recover(SchedulerState state) {
        Set<Path> needed = new HashSet<>();
        for (Partition partition : state.partitions()) {
            for (Application application : partition.applications()) {
                if (!application.state().isEnded()) {
                    needed.add(of(partition.name(), application.id()));
                }
            }
        }
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
