package dev.sluice.benchmarks;

import dev.sluice.core.application.ApplicationSpec;
import dev.sluice.core.application.TaskSpec;
import dev.sluice.core.command.Command;
import dev.sluice.core.command.Reply;
import dev.sluice.core.configuration.ApplicationSortPolicy;
import dev.sluice.core.configuration.NodeSortPolicy;
import dev.sluice.core.configuration.PartitionConfiguration;
import dev.sluice.core.configuration.QueueConfiguration;
import dev.sluice.core.configuration.QueueProperties;
import dev.sluice.core.engine.Scheduler;
import dev.sluice.core.resource.Resources;
import dev.sluice.core.state.Event;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;

/** A cluster to measure: equal nodes of 100 cores, 100 leaf queues of 10 applications each, tasks of 1 core and 1 GiB. */
final class BenchmarkCluster {

    /** The instant at which everything happens. */
    static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");

    private static final String PARTITION = "default";
    private static final int QUEUES = 100;
    private static final int APPLICATIONS = 1000;
    private static final int CORES = 100;

    private final Scheduler scheduler = new Scheduler();

    BenchmarkCluster(int nodes, NodeSortPolicy nodeOrder, ApplicationSortPolicy sortPolicy) {
        List<QueueConfiguration> leaves = new ArrayList<>();
        QueueProperties properties = QueueProperties.DEFAULTS.withApplicationSortPolicy(sortPolicy);
        for (int i = 0; i < QUEUES; i++) {
            leaves.add(QueueConfiguration.of("q" + i, Resources.NONE, Resources.NONE, 0, properties, List.of()));
        }
        handle(new Command.ApplyConfiguration(List.of(new PartitionConfiguration(
                PARTITION,
                QueueConfiguration.parent("root", leaves.toArray(new QueueConfiguration[0])),
                List.of(),
                nodeOrder,
                PartitionConfiguration.DEFAULT_WEIGHTS,
                false))));
        for (int i = 0; i < nodes; i++) {
            handle(new Command.RegisterNode(
                    PARTITION,
                    "node-" + i,
                    Resources.parse("vcore", "" + CORES, "memory", CORES + "Gi"),
                    new TreeMap<>()));
        }
    }

    /** Submits applications with so many tasks each; a task takes {@code cores} cores and as many GiB. */
    void submit(String prefix, int tasksEach, int cores) {
        Resources resources = Resources.parse("vcore", "" + cores, "memory", cores + "Gi");
        for (int i = 0; i < APPLICATIONS; i++) {
            handle(new Command.SubmitApplication(
                    PARTITION,
                    ApplicationSpec.sealed(prefix + i, "root.q" + i % QUEUES, TaskSpec.of("t", tasksEach, resources))));
        }
    }

    List<Event> cycle() {
        return scheduler.cycle(PARTITION, NOW);
    }

    private void handle(Command command) {
        Reply reply = scheduler.handle(command, NOW);
        if (!reply.isAccepted()) {
            throw new IllegalStateException(command + ": " + reply.refusal());
        }
    }
}
