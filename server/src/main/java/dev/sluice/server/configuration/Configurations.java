package dev.sluice.server.configuration;

import dev.sluice.config.queues.QueueConfigurationWriter;
import dev.sluice.core.configuration.PartitionConfiguration;
import dev.sluice.core.state.Partition;
import dev.sluice.core.state.SchedulerState;
import dev.sluice.runtime.journal.Keepsake;
import dev.sluice.runtime.loop.Desk;
import java.time.Instant;
import java.util.List;

/**
 * Which configuration holds, and which number it has. What it is comes from the state; the number grows with every change, whether it
 * came as a file or as the setting of a class.
 */
public final class Configurations {

    private volatile Holding holding;

    /**
     * What holds.
     *
     * @param revision 0 before the first
     */
    public record Holding(long revision, Instant at, String by, String note, List<PartitionConfiguration> partitions) {

        /** Copies the list. */
        public Holding {
            partitions = List.copyOf(partitions);
        }
    }

    /** What holds when the server begins; the revision is the last that was kept, or null if none was. */
    public Configurations(
            SchedulerState state, Keepsake.@org.jspecify.annotations.Nullable ConfigurationRevision last) {
        this.holding = last == null
                ? new Holding(0, Instant.EPOCH, "", "", of(state))
                : new Holding(last.revision(), last.at(), last.actor(), last.note(), of(state));
    }

    /** What holds now; for any thread. */
    public Holding holding() {
        return holding;
    }

    /** The partitions as they are configured now; for any thread. */
    public List<PartitionConfiguration> partitions() {
        return holding.partitions();
    }

    /** Takes note of what a transaction may have changed, and has it kept under the next number if it has. */
    public void note(Desk desk, String by, String note) {
        List<PartitionConfiguration> now = of(desk.state());
        Holding before = holding;
        if (!now.equals(before.partitions()) || before.revision() == 0) {
            Holding after = new Holding(before.revision() + 1, desk.now(), by, note, now);
            holding = after;
            desk.keep(new Keepsake.ConfigurationRevision(
                    after.revision(), by, note, QueueConfigurationWriter.yaml(now), desk.now()));
        }
    }

    private static List<PartitionConfiguration> of(SchedulerState state) {
        return state.partitions().stream().map(Partition::configuration).toList();
    }
}
