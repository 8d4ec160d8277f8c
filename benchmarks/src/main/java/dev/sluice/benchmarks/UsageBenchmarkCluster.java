package dev.sluice.benchmarks;

import dev.sluice.core.application.ApplicationSpec;
import dev.sluice.core.application.TaskSpec;
import dev.sluice.core.command.Command;
import dev.sluice.core.configuration.PartitionConfiguration;
import dev.sluice.core.configuration.QueueConfiguration;
import dev.sluice.core.configuration.QueueProperties;
import dev.sluice.core.configuration.SharePolicyKind;
import dev.sluice.core.configuration.UsageProperties;
import dev.sluice.core.resource.Resources;
import dev.sluice.core.state.TaskEvent;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;

/**
 * A full cluster of queues that share by usage: 10,000 nodes of 4 cores and 32 GiB, with no free core and half of the
 * memory free, and 1,000 queues below root, each with one application of equal tasks of 1 core and 4 GiB.
 *
 * <p>The load is constant: as many tasks as {@linkplain #end end} are added to the same application, {@link #BATCH} at
 * a time. The tasks that end are random, but the same in every run. Each cycle advances the time by {@link #STEP}.
 */
final class UsageBenchmarkCluster extends FullCluster {

    private static final int NODES = 10_000;
    private static final int QUEUES = 1_000;
    private static final int CORES = 4;
    private static final int BATCH = 10;
    private static final Duration STEP = Duration.ofSeconds(1);
    private static final Resources TASK = Resources.parse("vcore", "1", "memory", "4Gi");

    private final List<TaskEvent.Placed> running = new ArrayList<>();
    private final Random random = new Random(1);
    private final Map<String, Integer> ended = new HashMap<>();
    private int added;

    /** Creates a full cluster with about this many pending tasks. */
    UsageBenchmarkCluster(int waiting) {
        super(STEP);
        List<QueueConfiguration> queues = new ArrayList<>();
        for (int i = 0; i < QUEUES; i++) {
            queues.add(queue("q" + i, 1 + i % 4, List.of()));
        }
        handle(new Command.ApplyConfiguration(List.of(PartitionConfiguration.of(PARTITION, queue("root", 1, queues)))));
        for (int i = 0; i < NODES; i++) {
            Resources capacity = Resources.parse("vcore", "" + CORES, "memory", "32Gi");
            handle(new Command.RegisterNode(PARTITION, "w-" + i, capacity, new TreeMap<>()));
        }
        int each = (NODES * CORES + waiting) / QUEUES;
        for (int i = 0; i < QUEUES; i++) {
            TaskSpec tasks = TaskSpec.of("t", each, TASK);
            handle(new Command.SubmitApplication(PARTITION, ApplicationSpec.open("app-" + i, "root.q" + i, tasks)));
        }
        started(cycle());
        if (running.size() != NODES * CORES) {
            throw new IllegalStateException("only " + running.size() + " tasks are running");
        }
    }

    private static QueueConfiguration queue(String name, double factor, List<QueueConfiguration> children) {
        UsageProperties usage = UsageProperties.DEFAULTS;
        QueueProperties properties = QueueProperties.DEFAULTS
                .withSharePolicy(children.isEmpty() ? SharePolicyKind.FAIR : SharePolicyKind.USAGE)
                .withUsage(new UsageProperties(usage.halftime(), false, usage.drawsMax(), factor));
        return QueueConfiguration.of(name, Resources.NONE, Resources.NONE, 0, properties, children);
    }

    /** Ends tasks, and adds as many pending ones. */
    @Override
    void end(int tasks) {
        for (int i = 0; i < tasks; i++) {
            int last = running.size() - 1;
            TaskEvent.Placed task = running.set(random.nextInt(running.size()), running.get(last));
            running.remove(last);
            handle(new Command.ReportTaskSucceeded(task.run()));
            if (ended.merge(task.application(), 1, Integer::sum) % BATCH == 0) {
                TaskSpec more = TaskSpec.of("more" + added++, BATCH, TASK);
                handle(new Command.AddTasks(PARTITION, task.application(), List.of(more)));
            }
        }
    }

    @Override
    void running(TaskEvent.Placed task) {
        running.add(task);
    }
}
