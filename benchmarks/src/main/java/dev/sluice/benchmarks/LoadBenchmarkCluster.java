package dev.sluice.benchmarks;

import dev.sluice.core.application.ApplicationSpec;
import dev.sluice.core.application.ApplicationState;
import dev.sluice.core.application.TaskSpec;
import dev.sluice.core.command.Command;
import dev.sluice.core.command.CommandResult;
import dev.sluice.core.configuration.ApplicationSortPolicy;
import dev.sluice.core.configuration.LoadProperties;
import dev.sluice.core.configuration.PartitionConfiguration;
import dev.sluice.core.configuration.QueueConfiguration;
import dev.sluice.core.configuration.QueueProperties;
import dev.sluice.core.configuration.SharePolicyKind;
import dev.sluice.core.resource.Resources;
import dev.sluice.core.state.ApplicationEvent;
import dev.sluice.core.state.Event;
import dev.sluice.core.state.TaskEvent;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A full cluster of load classes: 10,000 busy nodes of one slot, ten classes below root, sorted {@code fewestrunning},
 * and 3,000 applications. Every other application has one group of equal tasks; in the others each task is a group of
 * its own.
 *
 * <p>The load is constant: the longest-running tasks {@linkplain #end end}, and an application whose last task has
 * ended is replaced by one of the same size in the same class. Ended applications are forgotten after a few hundred
 * cycles, because each advances the time by {@link #STEP}.
 */
final class LoadBenchmarkCluster extends FullCluster {

    private static final int NODES = 10_000;
    private static final int APPLICATIONS = 3000;
    private static final int[] PERCENTS = {30, 20, 15, 10, 8, 6, 5, 3, 2, 1};

    /** The time between two cycles; an ended application is retained for three days. */
    private static final Duration STEP = Duration.ofMinutes(20);

    private final Deque<TaskEvent.Placed> running = new ArrayDeque<>();
    private final int tasksEach;
    private int submitted;

    /** Creates a full cluster with about this many pending tasks. */
    LoadBenchmarkCluster(int waiting) {
        super(STEP);
        tasksEach = (NODES + waiting) / APPLICATIONS;
        List<QueueConfiguration> classes = new ArrayList<>();
        for (int i = 0; i < PERCENTS.length; i++) {
            classes.add(queue("c" + i, PERCENTS[i], List.of()));
        }
        handle(new Command.ApplyConfiguration(
                List.of(PartitionConfiguration.of(PARTITION, queue("root", null, classes)))));
        for (int i = 0; i < NODES; i++) {
            handle(new Command.RegisterNode(PARTITION, "w-" + i, Resources.parse("slots", "1"), new TreeMap<>()));
        }
        for (int i = 0; i < APPLICATIONS; i++) {
            submit(i % PERCENTS.length);
        }
        started(cycle());
        if (running.size() != NODES) {
            throw new IllegalStateException("only " + running.size() + " tasks are running");
        }
    }

    private static QueueConfiguration queue(String name, @Nullable Integer percent, List<QueueConfiguration> children) {
        QueueProperties properties = QueueProperties.DEFAULTS
                .withApplicationSortPolicy(ApplicationSortPolicy.FEWEST_RUNNING)
                .withSharePolicy(children.isEmpty() ? SharePolicyKind.FAIR : SharePolicyKind.LOAD)
                .withLoad(LoadProperties.DEFAULTS.withPercent(percent));
        return QueueConfiguration.of(name, Resources.NONE, Resources.NONE, 0, properties, children);
    }

    private void submit(int loadClass) {
        // there are ten classes and two kinds of applications, so the kind alternates per round of classes
        boolean uniform = (submitted / PERCENTS.length) % 2 == 0;
        TaskSpec[] tasks = new TaskSpec[uniform ? 1 : tasksEach];
        for (int i = 0; i < tasks.length; i++) {
            tasks[i] = uniform
                    ? TaskSpec.of("t", tasksEach, Resources.NONE)
                    : TaskSpec.single("task-" + i, Resources.NONE);
        }
        handle(new Command.SubmitApplication(
                PARTITION, ApplicationSpec.sealed("app-" + submitted + "-" + loadClass, "root.c" + loadClass, tasks)));
        submitted++;
    }

    /** Ends the longest-running tasks, and replaces applications that have ended. */
    @Override
    void end(int tasks) {
        for (int i = 0; i < tasks; i++) {
            TaskEvent.Placed task = running.remove();
            CommandResult reply = handle(new Command.ReportTaskSucceeded(task.run()));
            for (Event event : reply.events()) {
                if (event instanceof ApplicationEvent.StateChanged changed
                        && changed.to() == ApplicationState.COMPLETED) {
                    String application = changed.application();
                    submit(Integer.parseInt(application.substring(application.lastIndexOf('-') + 1)));
                }
            }
        }
    }

    @Override
    void running(TaskEvent.Placed task) {
        running.add(task);
    }
}
