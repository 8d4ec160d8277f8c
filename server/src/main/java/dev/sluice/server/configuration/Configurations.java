package dev.sluice.server.configuration;

import dev.sluice.config.problem.Problem;
import dev.sluice.config.queues.QueueConfigurationReader;
import dev.sluice.config.queues.QueueConfigurationWriter;
import dev.sluice.config.snapshot.SecretEncryption;
import dev.sluice.config.snapshot.SubmissionReader;
import dev.sluice.core.configuration.PartitionConfiguration;
import dev.sluice.core.state.Partition;
import dev.sluice.core.state.SchedulerState;
import dev.sluice.runtime.host.TransactionContext;
import dev.sluice.runtime.journal.HistoryRecord;
import java.time.Instant;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The current configuration and its revision number. The configuration comes from the scheduler's state; the number
 * grows with every change, from a file or from the route of a load class.
 */
public final class Configurations {

    private final SecretEncryption encryption;
    private volatile CurrentState currentState;

    /**
     * The current configuration.
     *
     * @param revision its number; 0 before the first
     */
    public record CurrentRevision(
            long revision, Instant at, String by, String note, List<PartitionConfiguration> partitions) {

        public CurrentRevision {
            partitions = List.copyOf(partitions);
        }
    }

    /** The current configuration, and what reads submissions to it. */
    private record CurrentState(CurrentRevision current, SubmissionReader submissions) {

        static CurrentState of(CurrentRevision current, SecretEncryption encryption) {
            return new CurrentState(current, new SubmissionReader(current.partitions(), encryption));
        }
    }

    /**
     * Starts from the configuration of this state.
     *
     * @param last the last recorded revision, or null
     * @param encryption encrypts the secrets of submissions
     */
    public Configurations(
            SchedulerState state, HistoryRecord.@Nullable ConfigurationRevision last, SecretEncryption encryption) {
        this.encryption = encryption;
        this.currentState = CurrentState.of(
                last == null
                        ? new CurrentRevision(0, Instant.EPOCH, "", "", of(state))
                        : new CurrentRevision(last.revision(), last.at(), last.actor(), last.note(), of(state)),
                encryption);
    }

    /** Returns the current configuration. Thread-safe. */
    public CurrentRevision current() {
        return currentState.current();
    }

    /** Returns the current configuration of the partitions. Thread-safe. */
    public List<PartitionConfiguration> partitions() {
        return currentState.current().partitions();
    }

    /**
     * Returns the warnings about the current configuration, with locations in the text written by the server.
     * Thread-safe.
     */
    public List<Problem> warnings() {
        return QueueConfigurationReader.read("configuration", QueueConfigurationWriter.yaml(partitions()))
                .warnings();
    }

    /** Returns a reader of submissions to the current partitions. Thread-safe. */
    public SubmissionReader submissions() {
        return currentState.submissions();
    }

    /** Records a new revision if this transaction changed the configuration. */
    public void recordRevision(TransactionContext context, String by, String note) {
        recordRevision(context, by, note, QueueConfigurationWriter::yaml);
    }

    /**
     * Records a new revision if this transaction changed the configuration.
     *
     * @param writer writes the current configuration, on the scheduler's thread
     */
    public void recordRevision(
            TransactionContext context, String by, String note, Function<List<PartitionConfiguration>, String> writer) {
        List<PartitionConfiguration> now = of(context.state());
        CurrentRevision before = currentState.current();
        if (!now.equals(before.partitions()) || before.revision() == 0) {
            CurrentRevision after = new CurrentRevision(before.revision() + 1, context.now(), by, note, now);
            currentState = CurrentState.of(after, encryption);
            context.addHistoryRecord(new HistoryRecord.ConfigurationRevision(
                    after.revision(), by, note, writer.apply(now), context.now()));
        }
    }

    private static List<PartitionConfiguration> of(SchedulerState state) {
        return state.partitions().stream().map(Partition::configuration).toList();
    }
}
