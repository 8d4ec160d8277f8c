package dev.sluice.server.configuration;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.config.queues.QueueConfigurationReader;
import dev.sluice.config.queues.QueueConfigurationWriter;
import dev.sluice.config.snapshot.SecretEncryption;
import dev.sluice.core.command.Command;
import dev.sluice.core.configuration.PartitionConfiguration;
import dev.sluice.runtime.journal.HistoryRecord;
import dev.sluice.server.TestTransactionContext;
import java.util.List;
import org.junit.jupiter.api.Test;

final class WrittenConfigurationTest {

    private static final String QUEUES = """
            partitions:
              - name: default
                queues:
                  - name: root
                    queues:
                      - {name: land, resources: {max: {vcore: 4}}}
                      - {name: sea, properties: {application.sort.policy: fair}}
            """;

    private final TestTransactionContext context = new TestTransactionContext();
    private final List<PartitionConfiguration> partitions =
            QueueConfigurationReader.read("queues.yaml", QUEUES).value();

    @Test
    void text_ofSameConfiguration_isReused() {
        Configurations configurations = new Configurations(context.state(), null, SecretEncryption.DISCARD);
        WrittenConfiguration written = WrittenConfiguration.of(partitions);
        assertThat(context.handle(new Command.ApplyConfiguration(partitions)).refusal())
                .isNull();
        configurations.recordRevision(context, "ann", "why", written::textOf);
        assertThat(context.kept()).hasSize(1);
        assertThat(((HistoryRecord.ConfigurationRevision) context.kept().get(0)).text())
                .isSameAs(written.text());
        assertThat(written.textOf(configurations.current().partitions())).isSameAs(written.text());
    }

    @Test
    void text_ofOtherConfiguration_isWritten() {
        WrittenConfiguration written = WrittenConfiguration.of(partitions);
        List<PartitionConfiguration> other = List.of(PartitionConfiguration.simplest());
        assertThat(written.textOf(other))
                .isEqualTo(QueueConfigurationWriter.yaml(other))
                .isNotEqualTo(written.text());
    }
}
