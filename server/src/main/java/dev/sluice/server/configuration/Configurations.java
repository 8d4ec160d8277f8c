package dev.sluice.server.configuration;

import dev.sluice.config.problem.Problem;
import dev.sluice.config.queues.QueueConfigurationReader;
import dev.sluice.config.queues.QueueConfigurationWriter;
import dev.sluice.core.configuration.PartitionConfiguration;
import dev.sluice.core.configuration.QueueConfiguration;
import dev.sluice.core.state.Partition;
import dev.sluice.core.state.SchedulerState;
import dev.sluice.runtime.journal.Keepsake;
import dev.sluice.runtime.loop.Desk;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Which configuration holds, and which number it has. What it is comes from the state; the number grows with every change, whether it
 * came as a file or as the setting of a class.
 */
public final class Configurations {

    private volatile Known known;

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

    /** What holds, and for looking up the paths of the leaf queues by partition. */
    private record Known(Holding holding, Map<String, Set<String>> leaves) {

        static Known of(Holding holding) {
            Map<String, Set<String>> leaves = new HashMap<>();
            for (PartitionConfiguration partition : holding.partitions()) {
                Set<String> paths = new HashSet<>();
                collect(partition.root(), partition.root().name(), paths);
                leaves.put(partition.name(), paths);
            }
            return new Known(holding, leaves);
        }

        private static void collect(QueueConfiguration queue, String path, Set<String> leaves) {
            if (!queue.parent()) {
                leaves.add(path);
            }
            queue.children().forEach(child -> collect(child, path + "." + child.name(), leaves));
        }
    }

    /** What holds when the server begins; the revision is the last that was kept, or null if none was. */
    public Configurations(SchedulerState state, Keepsake.@Nullable ConfigurationRevision last) {
        this.known = Known.of(
                last == null
                        ? new Holding(0, Instant.EPOCH, "", "", of(state))
                        : new Holding(last.revision(), last.at(), last.actor(), last.note(), of(state)));
    }

    /** What holds now; for any thread. */
    public Holding holding() {
        return known.holding();
    }

    /** The partitions as they are configured now; for any thread. */
    public List<PartitionConfiguration> partitions() {
        return known.holding().partitions();
    }

    /** What looks wrong with what holds now, with its places in the text that the server writes; for any thread. */
    public List<Problem> warnings() {
        return QueueConfigurationReader.read("configuration", QueueConfigurationWriter.yaml(partitions()))
                .warnings();
    }

    /** Whether this is the path of a leaf queue of this partition, as it is configured; for any thread. */
    public boolean isLeaf(String partition, String path) {
        Set<String> leaves = known.leaves().get(partition);
        return leaves != null && leaves.contains(path);
    }

    /** Takes note of what a transaction may have changed, and has it kept under the next number if it has. */
    public void note(Desk desk, String by, String note) {
        note(desk, by, note, QueueConfigurationWriter::yaml);
    }

    /**
     * The same.
     *
     * @param writer writes the configuration that holds now, on the thread of the scheduler
     */
    public void note(Desk desk, String by, String note, Function<List<PartitionConfiguration>, String> writer) {
        List<PartitionConfiguration> now = of(desk.state());
        Holding before = known.holding();
        if (!now.equals(before.partitions()) || before.revision() == 0) {
            Holding after = new Holding(before.revision() + 1, desk.now(), by, note, now);
            known = Known.of(after);
            desk.keep(new Keepsake.ConfigurationRevision(after.revision(), by, note, writer.apply(now), desk.now()));
        }
    }

    private static List<PartitionConfiguration> of(SchedulerState state) {
        return state.partitions().stream().map(Partition::configuration).toList();
    }
}
