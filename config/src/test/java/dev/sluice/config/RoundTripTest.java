package dev.sluice.config;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.config.problem.Reading;
import dev.sluice.config.queues.QueueConfigurationReader;
import dev.sluice.config.queues.QueueConfigurationWriter;
import dev.sluice.config.situation.Situation;
import dev.sluice.config.situation.SituationReader;
import dev.sluice.config.situation.SituationWriter;
import dev.sluice.core.configuration.PartitionConfiguration;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** What a writer writes, a reader reads as the same value. */
class RoundTripTest {

    private static final int ROUNDS = 150;

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
    void situation_writtenAndRead_isEqual() {
        SplittableRandom seeds = new SplittableRandom(start);
        for (int i = 0; i < ROUNDS; i++) {
            long seed = seeds.nextLong();
            Situation situation = new RandomValues(seed).situation();
            check("yaml", seed, SituationWriter.yaml(situation), situation, SituationReader::read);
            check("json", seed, SituationWriter.json(situation), situation, SituationReader::read);
        }
    }

    private interface TextReader<T> {
        Reading<T> read(String fileName, String text);
    }

    private static <T> void check(String format, long seed, String text, T written, TextReader<T> reader) {
        Reading<T> reading = reader.read("seed-" + seed + "." + format, text);
        assertThat(reading.report()).as("seed %d, %s:%n%s", seed, format, text).isEmpty();
        assertThat(reading.value()).as("seed %d, %s:%n%s", seed, format, text).isEqualTo(written);
    }
}
