package dev.sluice.core.engine;

import dev.sluice.core.application.RunRef;
import dev.sluice.core.application.TaskRef;
import dev.sluice.core.command.Command;
import dev.sluice.core.command.CommandVisitor;
import dev.sluice.core.command.Refusal;
import dev.sluice.core.state.Application;
import dev.sluice.core.state.Node;
import dev.sluice.core.state.NodeHealth;
import dev.sluice.core.state.Partition;
import dev.sluice.core.state.SchedulerState;
import dev.sluice.core.state.Task;
import dev.sluice.core.state.TaskGroup;
import dev.sluice.core.state.TaskOutcome;
import java.time.Instant;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Looks up what a command names and passes it to the handler of its subject. */
@SuppressWarnings("NullAway") // which does not read that the type argument is nullable
final class CommandHandler implements CommandVisitor<@Nullable Refusal> {

    private final SchedulerState state;
    private final ConfigurationHandler configuration;
    private final SettingsHandler settings;
    private final NodeHandler nodes;
    private final SubmissionHandler submissions;
    private final ApplicationHandler applications;
    private final SuspensionHandler suspensions;
    private final UpdateHandler updates;
    private final TaskReportHandler reports;
    private Instant now = Instant.MIN;

    CommandHandler(SchedulerState state, Emitter emitter, Lifecycle lifecycle) {
        this.state = state;
        this.configuration = new ConfigurationHandler(state, emitter);
        this.settings = new SettingsHandler(emitter);
        this.nodes = new NodeHandler(emitter, lifecycle);
        this.submissions = new SubmissionHandler(emitter, lifecycle);
        this.applications = new ApplicationHandler(emitter, lifecycle);
        this.suspensions = new SuspensionHandler(emitter, lifecycle, applications);
        this.updates = new UpdateHandler(emitter, lifecycle);
        this.reports = new TaskReportHandler(emitter, lifecycle);
    }

    /** Handles a command and returns why it was refused, or null if it was accepted. */
    @Nullable Refusal handle(Command command, Instant at) {
        now = at;
        return command.accept(this);
    }

    @Override
    public @Nullable Refusal applyConfiguration(Command.ApplyConfiguration command) {
        return configuration.apply(command.partitions(), now);
    }

    @Override
    public @Nullable Refusal setClassLoadPercents(Command.SetClassLoadPercents command) {
        return in(command.partition(), partition -> settings.setClassLoadPercents(partition, command, now));
    }

    @Override
    public @Nullable Refusal setRequestorMap(Command.SetRequestorMap command) {
        return in(command.partition(), partition -> settings.setRequestorMap(partition, command, now));
    }

    @Override
    public @Nullable Refusal setRebalanceMinimumDuration(Command.SetRebalanceMinimumDuration command) {
        return in(command.partition(), partition -> settings.setRebalanceMinimumDuration(partition, command, now));
    }

    @Override
    public @Nullable Refusal setRebalanceThreshold(Command.SetRebalanceThreshold command) {
        return in(command.partition(), partition -> settings.setRebalanceThreshold(partition, command, now));
    }

    @Override
    public @Nullable Refusal setThrottle(Command.SetThrottle command) {
        return in(command.partition(), partition -> settings.setThrottle(partition, command.tasksMax(), now));
    }

    @Override
    public @Nullable Refusal setSeed(Command.SetSeed command) {
        return in(command.partition(), partition -> settings.setSeed(partition, command.seed(), now));
    }

    @Override
    public @Nullable Refusal setUsagePriority(Command.SetUsagePriority command) {
        return in(command.partition(), partition -> settings.setUsagePriority(partition, command, now));
    }

    @Override
    public @Nullable Refusal setQueueQuotas(Command.SetQueueQuotas command) {
        return of(command, (partition, application) -> settings.setQueueQuotas(partition, application, command, now));
    }

    @Override
    public @Nullable Refusal registerNode(Command.RegisterNode command) {
        return in(command.partition(), partition -> nodes.register(partition, command, now));
    }

    @Override
    public @Nullable Refusal updateNode(Command.UpdateNode command) {
        return on(command, (partition, node) -> nodes.update(partition, node, command, now));
    }

    @Override
    public @Nullable Refusal taintNode(Command.TaintNode command) {
        return on(command, (partition, node) -> nodes.taint(partition, node, command.taints(), now));
    }

    @Override
    public @Nullable Refusal takeNodeOffline(Command.TakeNodeOffline command) {
        return on(command, (partition, node) -> nodes.takeOffline(partition, node, now));
    }

    @Override
    public @Nullable Refusal reinstateNode(Command.ReinstateNode command) {
        return on(command, (partition, node) -> nodes.reinstate(partition, node, now));
    }

    @Override
    public @Nullable Refusal suspendNode(Command.SuspendNode command) {
        return on(command, (partition, node) -> nodes.report(partition, node, NodeHealth.SUSPENDED, now));
    }

    @Override
    public @Nullable Refusal reportNodeReady(Command.ReportNodeReady command) {
        return on(command, (partition, node) -> nodes.report(partition, node, NodeHealth.READY, now));
    }

    @Override
    public @Nullable Refusal reportNodeLost(Command.ReportNodeLost command) {
        return on(command, (partition, node) -> nodes.report(partition, node, NodeHealth.LOST, now));
    }

    @Override
    public @Nullable Refusal reportNodeFlaky(Command.ReportNodeFlaky command) {
        return on(command, (partition, node) -> nodes.report(partition, node, NodeHealth.FLAKY, now));
    }

    @Override
    public @Nullable Refusal removeNode(Command.RemoveNode command) {
        return on(command, (partition, node) -> nodes.remove(partition, node, now));
    }

    @Override
    public @Nullable Refusal submitApplication(Command.SubmitApplication command) {
        return in(
                command.partition(),
                partition -> submissions.submit(partition, command.application(), command.numbered(), now));
    }

    @Override
    public @Nullable Refusal adoptApplication(Command.AdoptApplication command) {
        return in(command.partition(), partition -> submissions.adopt(partition, command.application(), now));
    }

    @Override
    public @Nullable Refusal addTasks(Command.AddTasks command) {
        return ofLive(command, (partition, found) -> applications.add(partition, found, command.tasks(), now));
    }

    @Override
    public @Nullable Refusal sealApplication(Command.SealApplication command) {
        return ofLive(command, (partition, found) -> applications.seal(partition, found, now));
    }

    @Override
    public @Nullable Refusal holdApplication(Command.HoldApplication command) {
        return ofLive(command, (partition, found) -> applications.hold(partition, found, now));
    }

    @Override
    public @Nullable Refusal releaseApplication(Command.ReleaseApplication command) {
        return ofLive(command, (partition, found) -> applications.release(partition, found, now));
    }

    @Override
    public @Nullable Refusal updateApplication(Command.UpdateApplication command) {
        return ofLive(command, (partition, found) -> updates.update(partition, found, command.update(), now));
    }

    @Override
    public @Nullable Refusal cancelApplication(Command.CancelApplication command) {
        return ofLive(command, (partition, found) -> applications.cancel(partition, found, command.reason(), now));
    }

    @Override
    public @Nullable Refusal retryApplication(Command.RetryApplication command) {
        return of(command, (partition, found) -> submissions.retry(partition, found, command.all(), now));
    }

    @Override
    public @Nullable Refusal forgetApplication(Command.ForgetApplication command) {
        return of(command, (partition, found) -> applications.forget(partition, found, now));
    }

    @Override
    public @Nullable Refusal stopTask(Command.StopTask command) {
        return ofLive(command, (partition, found) -> {
            TaskGroup group = found.groupOf(command.task());
            return group == null
                    ? taskNotFound(command.task())
                    : applications.stop(partition, group, command.task(), now);
        });
    }

    @Override
    public @Nullable Refusal suspendTasks(Command.SuspendTasks command) {
        return ofLive(command, (partition, found) -> suspensions.suspend(partition, found, command.tasks(), now));
    }

    @Override
    public @Nullable Refusal resumeTasks(Command.ResumeTasks command) {
        return ofLive(command, (partition, found) -> suspensions.resume(partition, found, command.tasks(), now));
    }

    @Override
    public @Nullable Refusal reportTaskStarted(Command.ReportTaskStarted command) {
        return ofRun(command, (partition, task) -> reports.started(task, now));
    }

    @Override
    public @Nullable Refusal reportTaskSucceeded(Command.ReportTaskSucceeded command) {
        return ofRun(command, (partition, task) -> reports.ended(partition, task, TaskOutcome.SUCCEEDED, 0, "", now));
    }

    @Override
    public @Nullable Refusal reportTaskFailed(Command.ReportTaskFailed command) {
        return ofRun(
                command,
                (partition, task) ->
                        reports.ended(partition, task, TaskOutcome.FAILED, command.exitCode(), command.detail(), now));
    }

    @Override
    public @Nullable Refusal reportTaskLost(Command.ReportTaskLost command) {
        return ofRun(command, (partition, task) -> reports.ended(partition, task, TaskOutcome.LOST, null, "", now));
    }

    @Override
    public @Nullable Refusal reportTaskNotStarted(Command.ReportTaskNotStarted command) {
        return ofRun(command, (partition, task) -> reports.notStarted(partition, task, now));
    }

    private @Nullable Refusal ofRun(Command.TaskReport report, BiFunction<Partition, Task, @Nullable Refusal> handler) {
        RunRef run = report.run();
        return of(report, (partition, application) -> {
            TaskGroup group = application.groupOf(run.task());
            if (group == null) {
                return taskNotFound(run.task());
            }
            Task task = group.placed(run.task().position());
            return task == null || (run.attempt() != RunRef.CURRENT && run.attempt() != task.attempt())
                    ? new Refusal(
                            Refusal.Code.STALE,
                            "stale report: this run of task " + run.task().id() + " has ended")
                    : handler.apply(partition, task);
        });
    }

    private @Nullable Refusal in(String name, Function<Partition, @Nullable Refusal> handler) {
        Partition partition = state.partition(name);
        return partition == null ? notFound("partition " + name, "") : handler.apply(partition);
    }

    private @Nullable Refusal on(Command.NodeCommand command, BiFunction<Partition, Node, @Nullable Refusal> handler) {
        return in(command.partition(), partition -> {
            Node node = partition.node(command.node());
            return node == null
                    ? notFound("node " + command.node(), " in partition " + partition.name())
                    : handler.apply(partition, node);
        });
    }

    private @Nullable Refusal of(
            Command.ApplicationCommand command, BiFunction<Partition, Application, @Nullable Refusal> handler) {
        return in(command.partition(), partition -> {
            Application application = partition.application(command.application());
            return application == null
                    ? notFound("application " + command.application(), " in partition " + partition.name())
                    : handler.apply(partition, application);
        });
    }

    private @Nullable Refusal ofLive(
            Command.ApplicationCommand command, BiFunction<Partition, Application, @Nullable Refusal> handler) {
        return of(
                command,
                (partition, application) -> application.state().isEnded()
                        ? new Refusal(
                                Refusal.Code.CONFLICT,
                                "application " + application.id() + " has already ended ("
                                        + application.state().wireName() + ")")
                        : handler.apply(partition, application));
    }

    static Refusal taskNotFound(TaskRef task) {
        return notFound("task " + task.id(), " in application " + task.application());
    }

    private static Refusal notFound(String what, String where) {
        return new Refusal(Refusal.Code.NOT_FOUND, what + " not found" + where);
    }
}
