package dev.sluice.server.view;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.sluice.core.command.Command;
import dev.sluice.core.configuration.PartitionConfiguration;
import dev.sluice.core.configuration.QueueConfiguration;
import dev.sluice.core.configuration.QueueProperties;
import dev.sluice.core.configuration.SharePolicyKind;
import dev.sluice.core.engine.Scheduler;
import dev.sluice.core.state.Partition;
import dev.sluice.server.api.ShareView;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class QueueViewsTest {

    private static final Instant BEGIN = Instant.parse("2026-01-01T12:00:00Z");

    @Test
    void usagePriority_longAfterLastCycle_isDecayed() {
        QueueConfiguration root = QueueConfiguration.parent("root", QueueConfiguration.leaf("a"))
                .withProperties(QueueProperties.DEFAULTS.withSharePolicy(SharePolicyKind.USAGE));
        Scheduler scheduler = new Scheduler();
        scheduler.handle(new Command.ApplyConfiguration(List.of(PartitionConfiguration.of("default", root))), BEGIN);
        scheduler.handle(new Command.SetUsagePriority("default", "root.a", 8.0), BEGIN);
        scheduler.cycle("default", BEGIN);

        assertThat(share(scheduler, Duration.ZERO).usagePriority()).isEqualTo(8.0);
        assertThat(share(scheduler, Duration.ofMinutes(20)).usagePriority()).isCloseTo(4.0, within(1e-9));
        assertThat(share(scheduler, Duration.ofMinutes(40)).effectivePriority()).isCloseTo(2.0, within(1e-9));
    }

    private static ShareView share(Scheduler scheduler, Duration later) {
        Partition partition = Objects.requireNonNull(scheduler.state().partition("default"));
        QueueViews views = new QueueViews(scheduler, partition, BEGIN.plus(later));
        return views.of(Objects.requireNonNull(partition.queues().find("root.a")))
                .share();
    }
}
