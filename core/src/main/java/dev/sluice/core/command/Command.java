package dev.sluice.core.command;

import dev.sluice.core.application.ApplicationSpec;
import dev.sluice.core.application.ApplicationUpdate;
import dev.sluice.core.application.RunRef;
import dev.sluice.core.application.Taint;
import dev.sluice.core.application.TaskRef;
import dev.sluice.core.application.TaskSpec;
import dev.sluice.core.configuration.PartitionConfiguration;
import dev.sluice.core.configuration.QueueConfiguration;
import dev.sluice.core.resource.Resources;
import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** An input of the scheduler: a request or a status report. */
public sealed interface Command {

    /** Calls the method of the visitor for this kind of command. */
    <R> R accept(CommandVisitor<R> visitor);

    /**
     * Replaces the configuration of all partitions and removes partitions that it does not name. Removed queues drain
     * first; a partition is only removed once it has no nodes and no live applications.
     */
    record ApplyConfiguration(List<PartitionConfiguration> partitions) implements Command {

        public ApplyConfiguration {
            partitions = List.copyOf(partitions);
        }

        @Override
        public <R> R accept(CommandVisitor<R> visitor) {
            return visitor.applyConfiguration(this);
        }
    }

    /**
     * Changes one setting of a live partition. Settings of load classes are stored in the partition's configuration.
     */
    sealed interface SettingCommand extends Command {

        String partition();
    }

    /**
     * Changes load percentages of classes below this parent, by class name; classes that are not named keep theirs.
     */
    record SetClassLoadPercents(String partition, String queue, Map<String, Integer> percents)
            implements SettingCommand {

        public SetClassLoadPercents {
            percents = Collections.unmodifiableMap(new LinkedHashMap<>(percents));
        }

        @Override
        public <R> R accept(CommandVisitor<R> visitor) {
            return visitor.setClassLoadPercents(this);
        }
    }

    /** Replaces the map from load classes, by path, to regular expressions for their users; the first match wins. */
    record SetRequestorMap(String partition, Map<String, String> requestors) implements SettingCommand {

        public SetRequestorMap {
            requestors = Collections.unmodifiableMap(new LinkedHashMap<>(requestors));
        }

        @Override
        public <R> R accept(CommandVisitor<R> visitor) {
            return visitor.setRequestorMap(this);
        }
    }

    /** Sets how long the spread of the classes below this parent must exceed the threshold before it rebalances. */
    record SetRebalanceMinimumDuration(String partition, String queue, Duration duration) implements SettingCommand {
        @Override
        public <R> R accept(CommandVisitor<R> visitor) {
            return visitor.setRebalanceMinimumDuration(this);
        }
    }

    /** Sets the spread of the classes below this parent, in percentage points, above which it rebalances; 0: never. */
    record SetRebalanceThreshold(String partition, String queue, int threshold) implements SettingCommand {
        @Override
        public <R> R accept(CommandVisitor<R> visitor) {
            return visitor.setRebalanceThreshold(this);
        }
    }

    /**
     * Limits the number of tasks allocated at once; allocated tasks are unaffected.
     *
     * @param tasksMax the maximum; 0: nothing starts; -1: unlimited
     */
    record SetThrottle(String partition, int tasksMax) implements SettingCommand {
        @Override
        public <R> R accept(CommandVisitor<R> visitor) {
            return visitor.setThrottle(this);
        }
    }

    /** Sets the random seed. */
    record SetSeed(String partition, long seed) implements SettingCommand {
        @Override
        public <R> R accept(CommandVisitor<R> visitor) {
            return visitor.setSeed(this);
        }
    }

    /**
     * Sets the usage priority of a queue below a parent with share policy {@code usage}, regardless of its recorded
     * usage.
     *
     * @param priority in cores; 0 or greater
     */
    record SetUsagePriority(String partition, String queue, double priority) implements SettingCommand {
        @Override
        public <R> R accept(CommandVisitor<R> visitor) {
            return visitor.setUsagePriority(this);
        }
    }

    /**
     * Sets the quotas of the queue that a placement rule created for an application; what is not given is as in the
     * template of the queue. Without effect if the queue is configured, or if no queue accepted the application.
     *
     * @param guaranteed the guaranteed amount per resource type, or null
     * @param max the maximum per resource type, or null
     * @param maxApplications the maximum number of running applications; 0: not given
     */
    record SetQueueQuotas(
            String partition,
            String application,
            @Nullable Resources guaranteed,
            @Nullable Resources max,
            long maxApplications)
            implements ApplicationCommand {

        /** Returns the configuration of the queue, given that of its template. */
        public QueueConfiguration applyTo(QueueConfiguration template) {
            return template.withQuotas(
                    guaranteed == null ? template.guaranteed() : guaranteed,
                    max == null ? template.max() : max,
                    maxApplications == 0 ? template.maxApplications() : maxApplications);
        }

        @Override
        public <R> R accept(CommandVisitor<R> visitor) {
            return visitor.setQueueQuotas(this);
        }
    }

    /** A command about one node. */
    sealed interface NodeCommand extends Command {

        String partition();

        String node();
    }

    /** Adds a node. */
    record RegisterNode(
            String partition, String node, Resources capacity, SortedMap<String, String> labels, List<Taint> taints)
            implements NodeCommand {

        public RegisterNode {
            labels = Collections.unmodifiableSortedMap(new TreeMap<>(labels));
            taints = List.copyOf(taints);
        }

        /** Creates a command for a node without taints. */
        public RegisterNode(String partition, String node, Resources capacity, SortedMap<String, String> labels) {
            this(partition, node, capacity, labels, List.of());
        }

        @Override
        public <R> R accept(CommandVisitor<R> visitor) {
            return visitor.registerNode(this);
        }
    }

    /**
     * Changes the capacity and labels of a node, and its taints unless they are null. Running tasks are unaffected,
     * even if they exceed the new capacity, except by taints; see {@link TaintNode}.
     */
    record UpdateNode(
            String partition,
            String node,
            Resources capacity,
            SortedMap<String, String> labels,
            @Nullable List<Taint> taints)
            implements NodeCommand {

        public UpdateNode {
            labels = Collections.unmodifiableSortedMap(new TreeMap<>(labels));
            taints = taints == null ? null : List.copyOf(taints);
        }

        /** Creates a command that leaves the taints of the node as they are. */
        public UpdateNode(String partition, String node, Resources capacity, SortedMap<String, String> labels) {
            this(partition, node, capacity, labels, null);
        }

        @Override
        public <R> R accept(CommandVisitor<R> visitor) {
            return visitor.updateNode(this);
        }
    }

    /**
     * Replaces the taints of a node. A taint that it has already keeps its time; a new one without a time gets that of
     * the command. Running tasks that do not tolerate a taint {@code NoExecute} are stopped and run elsewhere.
     */
    record TaintNode(String partition, String node, List<Taint> taints) implements NodeCommand {

        /** The maximum number of taints of a node. */
        public static final int TAINTS_MAX = 100;

        public TaintNode {
            taints = List.copyOf(taints);
        }

        @Override
        public <R> R accept(CommandVisitor<R> visitor) {
            return visitor.taintNode(this);
        }
    }

    /** Drains a node: running tasks finish, nothing new starts. */
    record TakeNodeOffline(String partition, String node) implements NodeCommand {
        @Override
        public <R> R accept(CommandVisitor<R> visitor) {
            return visitor.takeNodeOffline(this);
        }
    }

    /** Brings an offline node back, unless it is also suspended, lost or flaky. */
    record ReinstateNode(String partition, String node) implements NodeCommand {
        @Override
        public <R> R accept(CommandVisitor<R> visitor) {
            return visitor.reinstateNode(this);
        }
    }

    /**
     * Stops starting tasks on a node until it is reported as ready; running tasks are unaffected. A lost node stays
     * lost.
     */
    record SuspendNode(String partition, String node) implements NodeCommand {
        @Override
        public <R> R accept(CommandVisitor<R> visitor) {
            return visitor.suspendNode(this);
        }
    }

    /**
     * Reports that a node passed its readiness check, or that a lost node responds again: its tasks continue
     * unaffected. Does not shorten the time-out of a flaky node and does not bring an offline one back. A node that
     * responds but is not ready is reported and then suspended.
     */
    record ReportNodeReady(String partition, String node) implements NodeCommand {
        @Override
        public <R> R accept(CommandVisitor<R> visitor) {
            return visitor.reportNodeReady(this);
        }
    }

    /**
     * Reports that a node does not respond. Nothing new starts on it; reports about its tasks are still accepted. The
     * node is removed unless it is reported as ready before its timeout; repeating this command does not extend the
     * timeout.
     */
    record ReportNodeLost(String partition, String node) implements NodeCommand {
        @Override
        public <R> R accept(CommandVisitor<R> visitor) {
            return visitor.reportNodeLost(this);
        }
    }

    /**
     * Reports that tasks fail on a node for its own reasons. Nothing new starts on it for a while; running tasks are
     * unaffected. Repeating this command restarts the time.
     */
    record ReportNodeFlaky(String partition, String node) implements NodeCommand {
        @Override
        public <R> R accept(CommandVisitor<R> visitor) {
            return visitor.reportNodeFlaky(this);
        }
    }

    /**
     * Removes a node. Its tasks are lost: they run again elsewhere without using a retry, up to their number of lost
     * retries.
     */
    record RemoveNode(String partition, String node) implements NodeCommand {
        @Override
        public <R> R accept(CommandVisitor<R> visitor) {
            return visitor.removeNode(this);
        }
    }

    /**
     * Submits an application, subject to the partition's admission limits. With a basis, it cancels the same user's
     * applications with the same basis and another tag, and is refused if its own tag was replaced before. With a tag,
     * its tasks get the priority of the first live application with the same user and tag.
     *
     * @param application what is submitted; its id has no effect if it is numbered
     * @param numbered whether its id is chosen when it is handled: its name and the next number of this name
     */
    record SubmitApplication(String partition, ApplicationSpec application, boolean numbered) implements Command {

        /** Creates a submission of an application under its own id. */
        public SubmitApplication(String partition, ApplicationSpec application) {
            this(partition, application, false);
        }

        @Override
        public <R> R accept(CommandVisitor<R> visitor) {
            return visitor.submitApplication(this);
        }
    }

    /**
     * Adopts an application that is already in its queue, for example from a snapshot: the named queue accepts it
     * regardless of the placement rules. Without a queue, the rules apply. Admission limits do not apply; tag and basis
     * are recorded, but cancel nothing, cause no refusal and inherit no priority.
     */
    record AdoptApplication(String partition, ApplicationSpec application) implements Command {
        @Override
        public <R> R accept(CommandVisitor<R> visitor) {
            return visitor.adoptApplication(this);
        }
    }

    /** A command about an existing application. */
    sealed interface ApplicationCommand extends Command {

        String partition();

        String application();
    }

    /** Adds tasks to an application that is not sealed. */
    record AddTasks(String partition, String application, List<TaskSpec> tasks) implements ApplicationCommand {

        public AddTasks {
            tasks = List.copyOf(tasks);
        }

        @Override
        public <R> R accept(CommandVisitor<R> visitor) {
            return visitor.addTasks(this);
        }
    }

    /** Seals an application: no more tasks can be added. */
    record SealApplication(String partition, String application) implements ApplicationCommand {
        @Override
        public <R> R accept(CommandVisitor<R> visitor) {
            return visitor.sealApplication(this);
        }
    }

    /** Holds an application: running tasks are unaffected, nothing new starts until it is released. */
    record HoldApplication(String partition, String application) implements ApplicationCommand {
        @Override
        public <R> R accept(CommandVisitor<R> visitor) {
            return visitor.holdApplication(this);
        }
    }

    /** Releases a held application. */
    record ReleaseApplication(String partition, String application) implements ApplicationCommand {
        @Override
        public <R> R accept(CommandVisitor<R> visitor) {
            return visitor.releaseApplication(this);
        }
    }

    /** Changes an application that has not ended; tasks on nodes keep what they have. */
    record UpdateApplication(String partition, String application, ApplicationUpdate update)
            implements ApplicationCommand {
        @Override
        public <R> R accept(CommandVisitor<R> visitor) {
            return visitor.updateApplication(this);
        }
    }

    /** Cancels an application: running tasks are stopped, pending ones are dropped. */
    record CancelApplication(String partition, String application, String reason) implements ApplicationCommand {
        @Override
        public <R> R accept(CommandVisitor<R> visitor) {
            return visitor.cancelApplication(this);
        }
    }

    /**
     * Runs tasks of an ended application again, as new attempts with all their retries: those that failed or were
     * stopped or dropped, or all. It is subject to the admission limits.
     */
    record RetryApplication(String partition, String application, boolean all) implements ApplicationCommand {
        @Override
        public <R> R accept(CommandVisitor<R> visitor) {
            return visitor.retryApplication(this);
        }
    }

    /** Removes an ended application before its retention time is over, which frees its id. */
    record ForgetApplication(String partition, String application) implements ApplicationCommand {
        @Override
        public <R> R accept(CommandVisitor<R> visitor) {
            return visitor.forgetApplication(this);
        }
    }

    /** Stops one task, or drops it if it is not allocated. */
    record StopTask(TaskRef task) implements ApplicationCommand {

        @Override
        public String partition() {
            return task.partition();
        }

        @Override
        public String application() {
            return task.application();
        }

        @Override
        public <R> R accept(CommandVisitor<R> visitor) {
            return visitor.stopTask(this);
        }
    }

    /**
     * Suspends tasks: their processes halt, but they keep their resources, and their timeouts do not advance. Without
     * tasks, suspends all that are starting or running, and holds the application. Either all are suspended or, if one
     * is neither starting nor running, none.
     */
    record SuspendTasks(String partition, String application, List<TaskRef> tasks) implements ApplicationCommand {

        public SuspendTasks {
            tasks = List.copyOf(tasks);
        }

        @Override
        public <R> R accept(CommandVisitor<R> visitor) {
            return visitor.suspendTasks(this);
        }
    }

    /** Resumes suspended tasks. Without tasks, resumes all, and releases the application. */
    record ResumeTasks(String partition, String application, List<TaskRef> tasks) implements ApplicationCommand {

        public ResumeTasks {
            tasks = List.copyOf(tasks);
        }

        @Override
        public <R> R accept(CommandVisitor<R> visitor) {
            return visitor.resumeTasks(this);
        }
    }

    /**
     * A report about one run of a task. A report about an ended run, or about a run other than the current one, is
     * refused as stale. {@link RunRef#CURRENT} stands for the current run.
     */
    sealed interface TaskReport extends ApplicationCommand {

        /** Returns the run that is reported on. */
        RunRef run();

        @Override
        default String partition() {
            return run().task().partition();
        }

        @Override
        default String application() {
            return run().task().application();
        }
    }

    /** Reports that a task started. */
    record ReportTaskStarted(RunRef run) implements TaskReport {
        @Override
        public <R> R accept(CommandVisitor<R> visitor) {
            return visitor.reportTaskStarted(this);
        }
    }

    /** Reports that a task ended successfully. */
    record ReportTaskSucceeded(RunRef run) implements TaskReport {
        @Override
        public <R> R accept(CommandVisitor<R> visitor) {
            return visitor.reportTaskSucceeded(this);
        }
    }

    /**
     * Reports that a task failed, or ended after it was told to stop.
     *
     * @param exitCode the exit code of its process, or null if unknown
     * @param detail a description for people; may be empty
     */
    record ReportTaskFailed(RunRef run, @Nullable Integer exitCode, String detail) implements TaskReport {
        @Override
        public <R> R accept(CommandVisitor<R> visitor) {
            return visitor.reportTaskFailed(this);
        }
    }

    /**
     * Reports that the outcome of a task is unknown because its node or runner is gone. It runs again without using a
     * retry, up to its number of lost retries.
     */
    record ReportTaskLost(RunRef run) implements TaskReport {
        @Override
        public <R> R accept(CommandVisitor<R> visitor) {
            return visitor.reportTaskLost(this);
        }
    }

    /**
     * Reports that a node could not start a task. This does not count as a failure: the task is pending again with its
     * retries intact. Suspend the node first, or the task is placed there again at once.
     */
    record ReportTaskNotStarted(RunRef run) implements TaskReport {
        @Override
        public <R> R accept(CommandVisitor<R> visitor) {
            return visitor.reportTaskNotStarted(this);
        }
    }
}
