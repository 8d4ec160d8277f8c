package dev.sluice.cli.run;

import dev.sluice.core.application.TaskRef;
import dev.sluice.core.state.Event;
import dev.sluice.core.state.PartitionEvent;
import dev.sluice.runtime.host.Projection;
import dev.sluice.runtime.journal.JournalEntry;
import dev.sluice.runtime.local.LogFolder;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** The log files of a run; they have a folder per partition if its events name several. Confined to one thread. */
public final class RunLogs implements Projection {

    private final Path directory;
    private final Set<String> partitions = new HashSet<>();

    /** @param directory the log folder of the run */
    public RunLogs(Path directory) {
        this.directory = directory;
    }

    @Override
    public void committed(long first, List<JournalEntry> entries) {
        for (JournalEntry entry : entries) {
            for (Event event : entry.events()) {
                if (event instanceof PartitionEvent.Configured) {
                    partitions.add(event.partition());
                } else if (event instanceof PartitionEvent.Removed) {
                    partitions.remove(event.partition());
                }
            }
        }
    }

    /** Returns the log file of a task. */
    public Path file(TaskRef task) {
        return new LogFolder(directory, partitions.size() > 1).file(task);
    }
}
