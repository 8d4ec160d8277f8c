package dev.sluice.server.configuration;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.config.problem.Problem;
import dev.sluice.config.queues.QueueConfigurationReader;
import dev.sluice.config.snapshot.SecretEncryption;
import dev.sluice.core.command.Command;
import dev.sluice.core.engine.Scheduler;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class ConfigurationsTest {

    @Test
    void warnings_ofCurrentConfiguration_areFound() {
        Scheduler scheduler = new Scheduler();
        var partitions = QueueConfigurationReader.read(
                "q", "partitions: [{queues: [{name: a, properties: {load.percent: '5'}}]}]");
        scheduler.handle(new Command.ApplyConfiguration(partitions.value()), Instant.EPOCH);

        assertThat(new Configurations(scheduler.state(), null, SecretEncryption.DISCARD).warnings())
                .extracting(Problem::message)
                .containsExactly("load.percent has no effect: the parent queue does not have share policy load");
    }
}
