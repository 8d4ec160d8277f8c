package dev.sluice.core.command;

import dev.sluice.core.application.ApplicationSpec;
import dev.sluice.core.application.TaskSpec;
import dev.sluice.core.configuration.PartitionConfiguration;
import dev.sluice.core.resource.Resources;
import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** What somebody wants of the scheduler, or reports to it. */
public sealed interface Command {

    /**
     * Makes partitions as these say and takes out those that are not named. Queues that vanish drain first; a partition is only
     * taken out when it has no node and no application that lives.
     */
    record ApplyConfiguration(List<PartitionConfiguration> partitions) implements Command {

        /** Copies the list. */
        public ApplyConfiguration {
            partitions = List.copyOf(partitions);
        }
    }

    /** A command that changes one setting of a partition while it runs. Settings of load classes are part of its configuration. */
    sealed interface SettingCommand extends Command {

        /** The partition. */
        String partition();
    }

    /** Other load percentages for classes below this parent, by the names of the classes; those that are not named keep theirs. */
    record SetClassLoadPercents(String partition, String queue, Map<String, Integer> percents)
            implements SettingCommand {

        /** Copies the map, keeps its order. */
        public SetClassLoadPercents {
            percents = Collections.unmodifiableMap(new LinkedHashMap<>(percents));
        }
    }

    /** Which users go to which class: a regular expression for each class, by its path; the first that matches wins. */
    record SetRequestorMap(String partition, Map<String, String> requestors) implements SettingCommand {

        /** Copies the map, keeps its order. */
        public SetRequestorMap {
            requestors = Collections.unmodifiableMap(new LinkedHashMap<>(requestors));
        }
    }

    /** How long the classes below this parent must be too far apart before it rebalances. */
    record SetRebalanceMinimumDuration(String partition, String queue, Duration duration) implements SettingCommand {}

    /** How far apart the classes below this parent may be, in percentage points; 0: it never rebalances. */
    record SetRebalanceThreshold(String partition, String queue, int threshold) implements SettingCommand {}

    /**
     * The most tasks that may hold a place at once; what holds one keeps it.
     *
     * @param tasksMax how many; 0: nothing starts; -1: as many as fit
     */
    record SetThrottle(String partition, int tasksMax) implements SettingCommand {}

    /** Lots are drawn with this seed from now on. */
    record SetSeed(String partition, long seed) implements SettingCommand {}

    /**
     * A queue below a parent that shares by usage has this usage priority now, whatever it has used.
     *
     * @param priority in cores; 0 or more
     */
    record SetUsagePriority(String partition, String queue, double priority) implements SettingCommand {}

    /** A command about one node. */
    sealed interface NodeCommand extends Command {

        /** The partition of the node. */
        String partition();

        /** The node's name. */
        String node();
    }

    /** A node joins. */
    record RegisterNode(String partition, String node, Resources capacity, SortedMap<String, String> labels)
            implements NodeCommand {

        /** Copies the labels. */
        public RegisterNode {
            labels = Collections.unmodifiableSortedMap(new TreeMap<>(labels));
        }
    }

    /** A node has another capacity or other labels. What runs there goes on, even if it is more than there is now. */
    record UpdateNode(String partition, String node, Resources capacity, SortedMap<String, String> labels)
            implements NodeCommand {

        /** Copies the labels. */
        public UpdateNode {
            labels = Collections.unmodifiableSortedMap(new TreeMap<>(labels));
        }
    }

    /** A node takes no more tasks; what runs there ends in peace. */
    record TakeNodeOffline(String partition, String node) implements NodeCommand {}

    /** A node that was taken offline takes tasks again, unless it is suspended, lost or flaky as well. */
    record ReinstateNode(String partition, String node) implements NodeCommand {}

    /** A node takes no more tasks until it is reported as ready; what runs there goes on. A lost node stays lost. */
    record SuspendNode(String partition, String node) implements NodeCommand {}

    /**
     * A node's readiness check has passed, or a lost node is heard from again: its tasks go on as if nothing had happened. It does
     * not shorten the time of a flaky node, and brings no offline one back. A node that is heard from but not ready is reported
     * and then suspended.
     */
    record ReportNodeReady(String partition, String node) implements NodeCommand {}

    /**
     * Nothing is heard from a node. It takes no tasks; reports of its tasks are still taken. Unless it is reported as ready
     * before its time is over, it is removed; lost once more changes nothing about that time.
     */
    record ReportNodeLost(String partition, String node) implements NodeCommand {}

    /** A node is set aside because tasks go wrong there; what runs there goes on. Flaky once more, its time begins anew. */
    record ReportNodeFlaky(String partition, String node) implements NodeCommand {}

    /** A node leaves; what runs there is lost and will run again elsewhere without using up a retry, unless it was lost too often. */
    record RemoveNode(String partition, String node) implements NodeCommand {}

    /**
     * Somebody submits an application, within the limits of what the partition takes in. With a basis, it cancels those applications
     * of the same user and basis that have another tag, and is refused if its own tag was replaced before. With a tag, its tasks get
     * the priority of the first living application of the same user and tag.
     */
    record SubmitApplication(String partition, ApplicationSpec application) implements Command {}

    /**
     * Takes an application over that is in its queue already, as a snapshot tells it: the queue that it names takes it, whatever
     * the placement rules say. One that names no queue goes by the rules. No limit of what the partition takes in holds
     * for it; its tag and basis are noted, but it cancels nothing, is not refused for them and inherits no priority.
     */
    record AdoptApplication(String partition, ApplicationSpec application) implements Command {}

    /** A command about one application that is there. */
    sealed interface ApplicationCommand extends Command {

        /** The partition of the application. */
        String partition();

        /** The application's id. */
        String application();
    }

    /** More tasks for an application that is not sealed. */
    record AddTasks(String partition, String application, List<TaskSpec> tasks) implements ApplicationCommand {

        /** Copies the list. */
        public AddTasks {
            tasks = List.copyOf(tasks);
        }
    }

    /** Nothing more will be added to an application. */
    record SealApplication(String partition, String application) implements ApplicationCommand {}

    /** Stops what an application runs and drops the rest. */
    record CancelApplication(String partition, String application, String reason) implements ApplicationCommand {}

    /** Forgets an application that has ended, before its time to be remembered is over; its id is free then. */
    record ForgetApplication(String partition, String application) implements ApplicationCommand {}

    /** Stops one task, or drops it if it holds no place. */
    record StopTask(String partition, String application, String task) implements ApplicationCommand {}

    /**
     * A report of one run of a task. Reports about a run that is over, or about another run than the one that holds the place, are
     * refused as stale.
     */
    sealed interface TaskReport extends ApplicationCommand {

        /** The task's id. */
        String task();

        /** Which run of the task, from 1; 0: whichever holds the place. */
        int attempt();
    }

    /** A task has started. */
    record ReportTaskStarted(String partition, String application, String task, int attempt) implements TaskReport {}

    /** A task has ended well. */
    record ReportTaskSucceeded(String partition, String application, String task, int attempt) implements TaskReport {}

    /**
     * A task has ended badly, or ended after it was told to stop.
     *
     * @param exitCode what its process answered, or null if that is not known
     * @param detail what else is known, for people; may be empty
     */
    record ReportTaskFailed(
            String partition,
            String application,
            String task,
            int attempt,
            @Nullable Integer exitCode,
            String detail) implements TaskReport {}

    /**
     * Nobody knows how a task ended: its node or its runner is gone. It runs again without using up a retry, unless it was lost too
     * often.
     */
    record ReportTaskLost(String partition, String application, String task, int attempt) implements TaskReport {}

    /**
     * A task was not started because its node could not, which is no fault of the task: it is pending again with all its tries. Whoever
     * reports this suspends the node first, or the task is placed there again at once.
     */
    record ReportTaskNotStarted(String partition, String application, String task, int attempt) implements TaskReport {}
}
