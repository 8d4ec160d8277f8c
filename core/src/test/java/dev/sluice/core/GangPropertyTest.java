package dev.sluice.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.core.application.ApplicationSpec;
import dev.sluice.core.application.Gang;
import dev.sluice.core.application.TaskSpec;
import dev.sluice.core.command.Command;
import dev.sluice.core.configuration.ApplicationSortPolicy;
import dev.sluice.core.configuration.LoadProperties;
import dev.sluice.core.configuration.PartitionConfiguration;
import dev.sluice.core.configuration.QueueConfiguration;
import dev.sluice.core.configuration.QueueProperties;
import dev.sluice.core.configuration.SharePolicyKind;
import dev.sluice.core.engine.Scheduler;
import dev.sluice.core.resource.Resources;
import dev.sluice.core.state.Application;
import dev.sluice.core.state.Partition;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Two gangs, each of which fits alone: in one cycle one of them starts, and the other holds nothing. */
class GangPropertyTest {

    private static final Instant NOW = Instant.parse("2026-01-01T12:00:00Z");
    private static final int CLUSTERS = 150;

    @ParameterizedTest
    @EnumSource(SharePolicyKind.class)
    void oneOfTwoGangs_thatFitAlone_starts(SharePolicyKind policy) {
        int both = 0;
        int one = 0;
        for (int seed = 0; seed < CLUSTERS; seed++) {
            Random random = new Random(seed);
            PartitionConfiguration configuration = configuration(policy, random);
            List<Integer> nodes = new ArrayList<>();
            for (int i = 1 + random.nextInt(6); i > 0; i--) {
                nodes.add(1 + random.nextInt(8));
            }
            int cores = nodes.stream().mapToInt(Integer::intValue).sum();
            ApplicationSpec a = gang("a", "root.a", 1 + random.nextInt(cores));
            ApplicationSpec b = gang("b", random.nextBoolean() ? "root.a" : "root.b", 1 + random.nextInt(cores));

            assertThat(started(configuration, nodes, a))
                    .as("a alone, seed %s", seed)
                    .isEqualTo(1);
            assertThat(started(configuration, nodes, b))
                    .as("b alone, seed %s", seed)
                    .isEqualTo(1);
            int started = started(configuration, nodes, a, b);
            assertThat(started).as("gangs that start, seed %s", seed).isGreaterThanOrEqualTo(1);
            both += started == 2 ? 1 : 0;
            one += started == 1 ? 1 : 0;
        }
        assertThat(both).as("clusters in which both fit").isPositive();
        assertThat(one).as("clusters in which one fits").isPositive();
    }

    private static ApplicationSpec gang(String id, String queue, int workers) {
        return ApplicationSpec.sealed(id, queue, TaskSpec.of("w", workers, Resources.parse("vcore", "1")))
                .withGang(Gang.of(Map.of("w", workers)));
    }

    private static PartitionConfiguration configuration(SharePolicyKind policy, Random random) {
        int percent = 1 + random.nextInt(98);
        ApplicationSortPolicy sort = List.of(ApplicationSortPolicy.values()).get(random.nextInt(4));
        return PartitionConfiguration.of(
                "p",
                QueueConfiguration.parent("root", leaf("a", percent, sort), leaf("b", 100 - percent, sort))
                        .withProperties(QueueProperties.DEFAULTS.withSharePolicy(policy)));
    }

    private static QueueConfiguration leaf(String name, int percent, ApplicationSortPolicy sort) {
        return QueueConfiguration.leaf(name)
                .withProperties(QueueProperties.DEFAULTS
                        .withApplicationSortPolicy(sort)
                        .withLoad(LoadProperties.DEFAULTS.withPercent(percent)));
    }

    /** Returns how many of these gangs start in one cycle; checks that the others hold nothing. */
    private static int started(PartitionConfiguration configuration, List<Integer> nodes, ApplicationSpec... gangs) {
        Scheduler scheduler = new Scheduler();
        scheduler.handle(new Command.ApplyConfiguration(List.of(configuration)), NOW);
        for (int i = 0; i < nodes.size(); i++) {
            Resources cores = Resources.parse("vcore", Integer.toString(nodes.get(i)));
            scheduler.handle(new Command.RegisterNode("p", "n" + i, cores, new TreeMap<>()), NOW);
        }
        for (ApplicationSpec gang : gangs) {
            assertThat(scheduler
                            .handle(new Command.SubmitApplication("p", gang), NOW)
                            .isAccepted())
                    .isTrue();
        }
        scheduler.cycle("p", NOW);
        Partition partition = Objects.requireNonNull(scheduler.state().partition("p"));
        int started = 0;
        for (Application application : partition.applications()) {
            assertThat(application.boundTasks()).as("all or nothing").isIn(0, (int) application.tasks());
            started += application.boundTasks() > 0 ? 1 : 0;
        }
        return started;
    }
}
