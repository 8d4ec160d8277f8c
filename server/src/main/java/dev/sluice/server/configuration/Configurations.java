package dev.sluice.server.configuration;

import dev.sluice.config.problem.Problem;
import dev.sluice.config.queues.QueueConfigurationReader;
import dev.sluice.config.queues.QueueConfigurationWriter;
import dev.sluice.core.configuration.PartitionConfiguration;
import dev.sluice.core.configuration.QueueConfiguration;
import dev.sluice.core.state.Partition;
import dev.sluice.core.state.SchedulerState;
import dev.sluice.runtime.journal.HistoryRecord;
import dev.sluice.runtime.loop.TransactionContext;
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

    private volatile CurrentState known;

    /**
     * What holds.
     *
     * @param revision 0 before the first
     */
    public record CurrentRevision(
            long revision, Instant at, String by, String note, List<PartitionConfiguration> partitions) {

        /** Copies the list. */
        public CurrentRevision {
            partitions = List.copyOf(partitions);
        }
    }

    /** What holds, and for looking up the paths of the leaf queues by partition. */
    private record CurrentState(CurrentRevision current, Map<String, Set<String>> leaves) {

        static CurrentState of(CurrentRevision current) {
            Map<String, Set<String>> leaves = new HashMap<>();
            for (PartitionConfiguration partition : current.partitions()) {
                Set<String> paths = new HashSet<>();
                collect(partition.root(), partition.root().name(), paths);
                leaves.put(partition.name(), paths);
            }
            return new CurrentState(current, leaves);
        }

        private static void collect(QueueConfiguration queue, String path, Set<String> leaves) {
            if (!queue.parent()) {
                leaves.add(path);
            }
            queue.children().forEach(child -> collect(child, path + "." + child.name(), leaves));
        }
    }

    /** What holds when the server begins; the revision is the last that was kept, or null if none was. */
    public Configurations(SchedulerState state, HistoryRecord.@Nullable ConfigurationRevision last) {
        this.known = CurrentState.of(
                last == null
                        ? new CurrentRevision(0, Instant.EPOCH, "", "", of(state))
                        : new CurrentRevision(last.revision(), last.at(), last.actor(), last.note(), of(state)));
    }

    /** What holds now; for any thread. */
    public CurrentRevision current() {
        return known.current();
    }

    /** The partitions as they are configured now; for any thread. */
    public List<PartitionConfiguration> partitions() {
        return known.current().partitions();
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
    public void recordRevision(TransactionContext context, String by, String note) {
        recordRevision(context, by, note, QueueConfigurationWriter::yaml);
    }

    /**
     * The same.
     *
     * @param writer writes the configuration that holds now, on the thread of the scheduler
     */
    public void recordRevision(
            TransactionContext context, String by, String note, Function<List<PartitionConfiguration>, String> writer) {
        List<PartitionConfiguration> now = of(context.state());
        CurrentRevision before = known.current();
        if (!now.equals(before.partitions()) || before.revision() == 0) {
            CurrentRevision after = new CurrentRevision(before.revision() + 1, context.now(), by, note, now);
            known = CurrentState.of(after);
            context.addHistoryRecord(new HistoryRecord.ConfigurationRevision(
                    after.revision(), by, note, writer.apply(now), context.now()));
        }
    }

    private static List<PartitionConfiguration> of(SchedulerState state) {
        return state.partitions().stream().map(Partition::configuration).toList();
    }
}
