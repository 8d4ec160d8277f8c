package dev.sluice.server.configuration;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.config.queues.QueueConfigurationReader;
import dev.sluice.config.queues.QueueConfigurationWriter;
import dev.sluice.core.command.Command;
import dev.sluice.core.command.Reply;
import dev.sluice.core.configuration.PartitionConfiguration;
import dev.sluice.core.engine.Scheduler;
import dev.sluice.core.state.SchedulerState;
import dev.sluice.runtime.journal.Keepsake;
import dev.sluice.runtime.loop.Desk;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The text of a configuration that is made before it is applied. */
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

    private final Scheduler scheduler = new Scheduler();
    private final List<Keepsake> kept = new ArrayList<>();
    private final Desk desk = new Desk() {
        @Override
        public Reply handle(Command command) {
            return scheduler.handle(command, now());
        }

        @Override
        public SchedulerState state() {
            return scheduler.state();
        }

        @Override
        public Scheduler scheduler() {
            return scheduler;
        }

        @Override
        public void keep(Keepsake keepsake) {
            kept.add(keepsake);
        }

        @Override
        public Instant now() {
            return Instant.parse("2026-01-01T12:00:00Z");
        }
    };

    private final List<PartitionConfiguration> partitions =
            QueueConfigurationReader.read("queues.yaml", QUEUES).value();

    @Test
    void text_ofWhatIsApplied_isNotMadeAgain() {
        Configurations configurations = new Configurations(scheduler.state(), null);
        WrittenConfiguration written = WrittenConfiguration.of(partitions);
        assertThat(desk.handle(new Command.ApplyConfiguration(partitions)).refusal())
                .isNull();
        configurations.note(desk, "ann", "why", written::textOf);
        assertThat(kept).hasSize(1);
        assertThat(((Keepsake.ConfigurationRevision) kept.get(0)).text()).isSameAs(written.text());
        assertThat(written.textOf(configurations.holding().partitions())).isSameAs(written.text());
    }

    @Test
    void text_ofAnotherConfiguration_isMade() {
        WrittenConfiguration written = WrittenConfiguration.of(partitions);
        List<PartitionConfiguration> other = List.of(PartitionConfiguration.simplest());
        assertThat(written.textOf(other))
                .isEqualTo(QueueConfigurationWriter.yaml(other))
                .isNotEqualTo(written.text());
    }
}
