package dev.sluice.config;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.config.problem.ParseResult;
import dev.sluice.config.queues.QueueConfigurationReader;
import dev.sluice.config.queues.QueueConfigurationWriter;
import dev.sluice.config.snapshot.Snapshot;
import dev.sluice.config.snapshot.SnapshotReader;
import dev.sluice.config.snapshot.SnapshotWriter;
import dev.sluice.core.configuration.PartitionConfiguration;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Readers read what writers write as equal values. */
class RoundTripTest {

    private static final int ROUNDS = 60;

    private final long start = Long.getLong("seed", 1);

    @Test
    void partitions_writtenAndRead_areEqual() {
        SplittableRandom seeds = new SplittableRandom(start);
        for (int i = 0; i < ROUNDS; i++) {
            long seed = seeds.nextLong();
            List<PartitionConfiguration> partitions = new RandomValues(seed).partitions();
            check("yaml", seed, QueueConfigurationWriter.yaml(partitions), partitions, QueueConfigurationReader::read);
            check("json", seed, QueueConfigurationWriter.json(partitions), partitions, QueueConfigurationReader::read);
        }
    }

    @Test
    void snapshot_writtenAndRead_isEqual() {
        SplittableRandom seeds = new SplittableRandom(start);
        for (int i = 0; i < ROUNDS; i++) {
            long seed = seeds.nextLong();
            Snapshot snapshot = new RandomValues(seed).snapshot();
            check("yaml", seed, SnapshotWriter.yaml(snapshot), snapshot, SnapshotReader::read);
            check("json", seed, SnapshotWriter.json(snapshot), snapshot, SnapshotReader::read);
        }
    }

    private interface TextReader<T> {
        ParseResult<T> read(String fileName, String text);
    }

    private static <T> void check(String format, long seed, String text, T written, TextReader<T> reader) {
        ParseResult<T> reading = reader.read("seed-" + seed + "." + format, text);
        assertThat(reading.report()).as("seed %d, %s:%n%s", seed, format, text).isEmpty();
        assertThat(reading.value()).as("seed %d, %s:%n%s", seed, format, text).isEqualTo(written);
    }
}
