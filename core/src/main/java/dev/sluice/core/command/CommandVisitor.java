package dev.sluice.core.command;

/**
 * Handles every kind of command. A new kind adds a method, so nothing that must handle all kinds can forget one.
 *
 * @param <R> the result
 */
public interface CommandVisitor<R> {

    R applyConfiguration(Command.ApplyConfiguration command);

    R setClassLoadPercents(Command.SetClassLoadPercents command);

    R setRequestorMap(Command.SetRequestorMap command);

    R setRebalanceMinimumDuration(Command.SetRebalanceMinimumDuration command);

    R setRebalanceThreshold(Command.SetRebalanceThreshold command);

    R setThrottle(Command.SetThrottle command);

    R setSeed(Command.SetSeed command);

    R setUsagePriority(Command.SetUsagePriority command);

    R setQueueQuotas(Command.SetQueueQuotas command);

    R registerNode(Command.RegisterNode command);

    R updateNode(Command.UpdateNode command);

    R taintNode(Command.TaintNode command);

    R takeNodeOffline(Command.TakeNodeOffline command);

    R reinstateNode(Command.ReinstateNode command);

    R suspendNode(Command.SuspendNode command);

    R reportNodeReady(Command.ReportNodeReady command);

    R reportNodeLost(Command.ReportNodeLost command);

    R reportNodeFlaky(Command.ReportNodeFlaky command);

    R removeNode(Command.RemoveNode command);

    R submitApplication(Command.SubmitApplication command);

    R adoptApplication(Command.AdoptApplication command);

    R addTasks(Command.AddTasks command);

    R sealApplication(Command.SealApplication command);

    R holdApplication(Command.HoldApplication command);

    R releaseApplication(Command.ReleaseApplication command);

    R updateApplication(Command.UpdateApplication command);

    R cancelApplication(Command.CancelApplication command);

    R retryApplication(Command.RetryApplication command);

    R forgetApplication(Command.ForgetApplication command);

    R stopTask(Command.StopTask command);

    R suspendTasks(Command.SuspendTasks command);

    R resumeTasks(Command.ResumeTasks command);

    R reportTaskStarted(Command.ReportTaskStarted command);

    R reportTaskSucceeded(Command.ReportTaskSucceeded command);

    R reportTaskFailed(Command.ReportTaskFailed command);

    R reportTaskLost(Command.ReportTaskLost command);

    R reportTaskNotStarted(Command.ReportTaskNotStarted command);
}
