package dev.sluice.server.view;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.sluice.core.application.ApplicationSpec;
import dev.sluice.core.application.TaskSpec;
import dev.sluice.core.command.Command;
import dev.sluice.core.configuration.Limit;
import dev.sluice.core.configuration.PartitionConfiguration;
import dev.sluice.core.configuration.QueueConfiguration;
import dev.sluice.core.configuration.QueueProperties;
import dev.sluice.core.configuration.SharePolicyKind;
import dev.sluice.core.engine.Scheduler;
import dev.sluice.core.resource.Resources;
import dev.sluice.core.state.Partition;
import dev.sluice.server.api.LimitView;
import dev.sluice.server.api.ShareView;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
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

    @Test
    void limits_ofUsersAndGroups_showUsage() {
        QueueConfiguration root = QueueConfiguration.parent("root", QueueConfiguration.leaf("a"))
                .withLimits(List.of(
                        new Limit("", List.of("bob"), List.of("dev"), Resources.parse("vcore", "2", "gpu", "0"), 0),
                        new Limit("", List.of(Limit.ALL), List.of(), Resources.NONE, 3)));
        Scheduler scheduler = new Scheduler();
        scheduler.handle(new Command.ApplyConfiguration(List.of(PartitionConfiguration.of("default", root))), BEGIN);
        scheduler.handle(
                new Command.RegisterNode("default", "n", Resources.parse("vcore", "8"), new TreeMap<>()), BEGIN);
        TaskSpec task = TaskSpec.single("t", Resources.parse("vcore", "1"));
        scheduler.handle(
                new Command.SubmitApplication(
                        "default",
                        ApplicationSpec.sealed("one", "root.a", task)
                                .withUser("eve")
                                .withGroups(List.of("dev"))),
                BEGIN);
        scheduler.cycle("default", BEGIN);
        Partition partition = Objects.requireNonNull(scheduler.state().partition("default"));
        QueueViews views = new QueueViews(scheduler, partition, BEGIN);

        Map<String, Long> max = Map.of("gpu", 0L, "vcore", 2000L);
        assertThat(views.of(partition.queues().root()).limits())
                .containsExactly(
                        new LimitView("user", "eve", Map.of(), Map.of("vcore", 1000L), 3L, 1),
                        new LimitView("user", "bob", max, Map.of(), null, 0),
                        new LimitView("group", "dev", max, Map.of("vcore", 1000L), null, 1));
        assertThat(views.of(Objects.requireNonNull(partition.queues().find("root.a")))
                        .limits())
                .isNull();
    }

    private static ShareView share(Scheduler scheduler, Duration later) {
        Partition partition = Objects.requireNonNull(scheduler.state().partition("default"));
        QueueViews views = new QueueViews(scheduler, partition, BEGIN.plus(later));
        return views.of(Objects.requireNonNull(partition.queues().find("root.a")))
                .share();
    }
}
