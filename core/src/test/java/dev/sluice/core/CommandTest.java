package dev.sluice.core;

import static dev.sluice.core.command.Refusal.Code.CONFLICT;
import static dev.sluice.core.command.Refusal.Code.DUPLICATE;
import static dev.sluice.core.command.Refusal.Code.INVALID;
import static dev.sluice.core.command.Refusal.Code.NOT_FOUND;
import static dev.sluice.core.command.Refusal.Code.STALE;
import static dev.sluice.core.command.Refusal.Code.TOO_MUCH;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.core.application.ApplicationCondition;
import dev.sluice.core.application.ApplicationSpec;
import dev.sluice.core.application.StartConditions;
import dev.sluice.core.application.TaskCondition;
import dev.sluice.core.application.TaskSpec;
import dev.sluice.core.command.Command;
import dev.sluice.core.command.Refusal;
import dev.sluice.core.configuration.PartitionConfiguration;
import dev.sluice.core.configuration.QueueConfiguration;
import dev.sluice.core.configuration.QueueProperties;
import dev.sluice.core.resource.Amount;
import dev.sluice.core.resource.Resources;
import dev.sluice.core.state.SchedulerLimits;
import dev.sluice.core.testing.ClusterUnderTest;
import dev.sluice.core.testing.QueueTreeText;
import dev.sluice.core.testing.SchedulerExtension;
import dev.sluice.core.testing.StateText;
import dev.sluice.core.testing.TaskRefs;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every refusal of a command: code, message, and that nothing has changed. */
@ExtendWith(SchedulerExtension.class)
class CommandTest {

    private static final Resources CORE = Resources.parse("vcore", "1");

    /** A command for the {@linkplain #ready cluster} below, and the expected refusal. */
    private record Refused(Command command, Refusal.Code code, String words) {
        @Override
        public String toString() {
            String text = command.toString();
            return code.wireName() + ": " + (text.length() > 120 ? text.substring(0, 120) + "…" : text);
        }
    }

    private static List<Refused> refused() {
        List<Refused> list = new ArrayList<>();
        nodes(list);
        submissions(list);
        applications(list);
        reports(list);
        configurations(list);
        return list;
    }

    private static void nodes(List<Refused> list) {
        list.add(new Refused(register("nowhere", "m", CORE), NOT_FOUND, "partition nowhere not found"));
        list.add(new Refused(register("default", "n", CORE), DUPLICATE, "node n already exists"));
        list.add(new Refused(register("default", "", CORE), INVALID, "node name must have 1 to 256 characters"));
        list.add(new Refused(
                register("default", "x".repeat(257), CORE), INVALID, "node name must have 1 to 256 characters"));
        list.add(new Refused(
                register("default", "m", Resources.of("slots", 1L << 31)),
                TOO_MUCH,
                "slots must be at most 2147483647"));
        list.add(new Refused(
                register("default", "m", Resources.of("memory", SchedulerLimits.SUM_MAX)),
                TOO_MUCH,
                "base units of a resource"));
        list.add(new Refused(
                register("default", "m", Resources.of(Map.of("gpu", Amount.UNLIMITED))), TOO_MUCH, "base units"));
        list.add(new Refused(register("default", "m", types(62)), TOO_MUCH, "limit of 64 resource types"));
        list.add(new Refused(update("absent", CORE), NOT_FOUND, "node absent not found in partition default"));
        list.add(new Refused(update("n", Resources.of("gpu", SchedulerLimits.SUM_MAX + 1)), TOO_MUCH, "base units"));
        list.add(new Refused(update("n", types(62)), TOO_MUCH, "resource types"));
        list.add(new Refused(
                update("n", Resources.of("slots", 1L << 31)), TOO_MUCH, "slots must be at most 2147483647"));
        list.add(new Refused(new Command.TakeNodeOffline("default", "absent"), NOT_FOUND, "node absent not found"));
        list.add(new Refused(new Command.ReinstateNode("default", "absent"), NOT_FOUND, "node absent not found"));
        list.add(new Refused(new Command.SuspendNode("default", "absent"), NOT_FOUND, "node absent not found"));
        list.add(new Refused(new Command.ReportNodeReady("default", "absent"), NOT_FOUND, "node absent not found"));
        list.add(new Refused(new Command.ReportNodeLost("default", "absent"), NOT_FOUND, "node absent not found"));
        list.add(new Refused(new Command.ReportNodeFlaky("nowhere", "n"), NOT_FOUND, "partition nowhere not found"));
        list.add(new Refused(new Command.RemoveNode("default", "absent"), NOT_FOUND, "node absent not found"));
        list.add(new Refused(new Command.RemoveNode("nowhere", "n"), NOT_FOUND, "partition nowhere not found"));
    }

    private static void submissions(List<Refused> list) {
        list.add(new Refused(
                new Command.SubmitApplication("nowhere", ApplicationSpec.open("x", null)),
                NOT_FOUND,
                "partition nowhere not found"));
        list.add(new Refused(
                new Command.AdoptApplication("nowhere", ApplicationSpec.open("x", null)),
                NOT_FOUND,
                "partition nowhere not found"));
        list.add(new Refused(
                submit("running"),
                DUPLICATE,
                "application running already exists (Running): choose another id, or submit it without one to get its"
                        + " name and a number"));
        list.add(new Refused(
                submit("ended"),
                DUPLICATE,
                "application ended already exists (Completed): choose another id, or submit it without one to get its"
                        + " name and a number; or remove the ended one"));
        list.add(new Refused(
                new Command.SubmitApplication("default", ApplicationSpec.sealed("x", null)),
                INVALID,
                "sealed but has no tasks"));
        list.add(new Refused(
                new Command.SubmitApplication(
                        "default",
                        ApplicationSpec.open("x", null)
                                .withStart(
                                        StartConditions.NONE.withAfter(Map.of("absent", ApplicationCondition.ENDED)))),
                NOT_FOUND,
                "application absent not found in partition default"));
        list.add(new Refused(submit("x", task("t"), task("t")), DUPLICATE, "duplicate task id t"));
        list.add(new Refused(submit("x", TaskSpec.of("t", 5, CORE), task("t-3")), DUPLICATE, "duplicate task id t-3"));
        list.add(new Refused(submit("x", task("t-3"), TaskSpec.of("t", 5, CORE)), DUPLICATE, "duplicate task id t-3"));
        list.add(new Refused(
                submit("x", task("t").withAfter(Map.of("u", TaskCondition.STARTED))), INVALID, "depends on u"));
        list.add(new Refused(
                submit("x", task("t").withAfter(Map.of("t", TaskCondition.STARTED))),
                INVALID,
                "cyclic task dependencies"));
        list.add(new Refused(submit("x", TaskSpec.single("t", types(62))), TOO_MUCH, "resource types"));
        list.add(new Refused(
                submit("x", TaskSpec.single("t", Resources.of("gpu", Long.MAX_VALUE))), TOO_MUCH, "base units"));
        list.add(new Refused(
                submit("x", TaskSpec.of("t", 10_000_000, Resources.of("gpu", 1L << 50))), TOO_MUCH, "base units"));
        TaskSpec[] many = new TaskSpec[6];
        for (int i = 0; i < many.length; i++) {
            many[i] = TaskSpec.of("t" + i, TaskSpec.COUNT_MAX, CORE);
        }
        list.add(new Refused(submit("x", many), TOO_MUCH, "limit of 50000000 unfinished tasks"));
    }

    private static void applications(List<Refused> list) {
        list.add(new Refused(add("absent", task("u")), NOT_FOUND, "application absent not found in partition default"));
        list.add(new Refused(
                add("sealed", task("u")), CONFLICT, "cannot add tasks to application sealed: it is sealed"));
        list.add(new Refused(
                add("failing", task("u")), CONFLICT, "cannot add tasks to application failing: it is failing"));
        list.add(new Refused(add("ended", task("u")), CONFLICT, "application ended has already ended (Completed)"));
        list.add(
                new Refused(add("rejected", task("u")), CONFLICT, "application rejected has already ended (Rejected)"));
        list.add(new Refused(add("running", task("t")), DUPLICATE, "duplicate task id t"));
        list.add(new Refused(add("running", task("c-1")), DUPLICATE, "duplicate task id c-1"));
        list.add(new Refused(add("running", TaskSpec.of("s", 3, CORE)), DUPLICATE, "duplicate task id s-1"));
        list.add(new Refused(
                add("running", TaskSpec.of("u", 5_000_000, CORE), TaskSpec.of("v", 1, Resources.of("gpu", -1L >>> 1))),
                TOO_MUCH,
                "base units"));
        list.add(new Refused(
                new Command.SealApplication("default", "absent"),
                NOT_FOUND,
                "application absent not found in partition default"));
        list.add(new Refused(new Command.SealApplication("nowhere", "a"), NOT_FOUND, "partition nowhere not found"));
        list.add(new Refused(new Command.SealApplication("default", "ended"), CONFLICT, "already ended (Completed)"));
        list.add(new Refused(new Command.HoldApplication("default", "ended"), CONFLICT, "already ended (Completed)"));
        list.add(new Refused(new Command.HoldApplication("default", "absent"), NOT_FOUND, "absent"));
        list.add(new Refused(
                new Command.SuspendTasks("default", "ended", List.of()), CONFLICT, "already ended (Completed)"));
        list.add(new Refused(
                new Command.SuspendTasks(
                        "default",
                        "running",
                        List.of(TaskRefs.task("default", "running", "t"), TaskRefs.task("default", "running", "no"))),
                NOT_FOUND,
                "task no not found in application running"));
        list.add(new Refused(new Command.ResumeTasks("default", "ended", List.of()), CONFLICT, "already ended"));
        list.add(new Refused(new Command.ReleaseApplication("default", "ended"), CONFLICT, "already ended"));
        list.add(new Refused(
                new Command.RetryApplication("default", "running", false), CONFLICT, "it has not ended (Running)"));
        list.add(new Refused(
                new Command.RetryApplication("default", "ended", false), CONFLICT, "all its tasks succeeded"));
        list.add(new Refused(new Command.RetryApplication("default", "absent", false), NOT_FOUND, "absent"));
        list.add(new Refused(
                new Command.CancelApplication("default", "ended", ""), CONFLICT, "already ended (Completed)"));
        list.add(new Refused(new Command.CancelApplication("default", "absent", ""), NOT_FOUND, "absent"));
        list.add(new Refused(
                new Command.StopTask(TaskRefs.task("default", "running", "x")),
                NOT_FOUND,
                "task x not found in application"));
        list.add(new Refused(
                new Command.StopTask(TaskRefs.task("default", "running", "c")),
                NOT_FOUND,
                "task c not found in application"));
        list.add(new Refused(
                new Command.StopTask(TaskRefs.task("default", "running", "c-01")), NOT_FOUND, "task c-01 not found"));
        list.add(new Refused(
                new Command.StopTask(TaskRefs.task("default", "running", "c-3")), NOT_FOUND, "task c-3 not found"));
        list.add(new Refused(
                new Command.StopTask(TaskRefs.task("default", "running", "done")), CONFLICT, "done has already ended"));
        list.add(new Refused(
                new Command.StopTask(TaskRefs.task("default", "ended", "t")), CONFLICT, "already ended (Completed)"));
    }

    private static void reports(List<Refused> list) {
        for (String task : List.of("t", "c-0", "done")) {
            int attempt = task.equals("t") ? 7 : 0;
            list.add(new Refused(
                    new Command.ReportTaskStarted(TaskRefs.run("default", "running", task, attempt)), STALE, task));
            list.add(new Refused(
                    new Command.ReportTaskSucceeded(TaskRefs.run("default", "running", task, attempt)), STALE, task));
            list.add(new Refused(
                    new Command.ReportTaskFailed(TaskRefs.run("default", "running", task, attempt), 1, ""),
                    STALE,
                    task));
            list.add(new Refused(
                    new Command.ReportTaskLost(TaskRefs.run("default", "running", task, attempt)), STALE, task));
        }
        list.add(new Refused(
                new Command.ReportTaskStarted(TaskRefs.run("default", "running", "t", 1)),
                STALE,
                "stale report: task t has already started"));
        list.add(new Refused(
                new Command.ReportTaskLost(TaskRefs.run("default", "running", "x", 0)), NOT_FOUND, "task x not found"));
        list.add(new Refused(
                new Command.ReportTaskLost(TaskRefs.run("default", "absent", "t", 0)), NOT_FOUND, "absent"));
        list.add(new Refused(new Command.ReportTaskLost(TaskRefs.run("default", "ended", "t", 0)), STALE, "has ended"));
    }

    private static void configurations(List<Refused> list) {
        PartitionConfiguration simplest = PartitionConfiguration.simplest();
        list.add(new Refused(apply(simplest, simplest), DUPLICATE, "duplicate partition default"));
        list.add(new Refused(apply(), CONFLICT, "cannot remove partition default: it still has nodes or applications"));
        list.add(new Refused(apply(of("root\n├─ a\n└─ a")), DUPLICATE, "duplicate queue root.a"));
        list.add(new Refused(apply(of("root\n└─ default\n   └─ x")), CONFLICT, "cannot become a parent"));
        list.add(new Refused(apply(of("root")), CONFLICT, "cannot become a leaf"));
        QueueConfiguration deep = QueueConfiguration.leaf("leaf");
        for (int i = 0; i < 64; i++) {
            deep = QueueConfiguration.parent("root", deep);
        }
        list.add(new Refused(apply(PartitionConfiguration.of("default", deep)), INVALID, "at most 64 levels"));
        list.add(new Refused(
                apply(PartitionConfiguration.of("default", queue(QueueProperties.DEFAULTS, types(62)))),
                TOO_MUCH,
                "more than 64 resource types"));
        list.add(new Refused(
                apply(simplest, PartitionConfiguration.of("new", queue(QueueProperties.DEFAULTS, types(62)))),
                TOO_MUCH,
                "partition new would have more than 64 resource types"));
    }

    @ParameterizedTest
    @MethodSource("refused")
    void invalidCommand_inAnyState_isRefusedWithReason(Refused refused, ClusterUnderTest cluster) {
        ready(cluster);
        String before = StateText.of(cluster.scheduler().state());

        Refusal refusal = cluster.refusal(refused.command());

        assertThat(refusal.code()).isEqualTo(refused.code());
        assertThat(refusal.message()).contains(refused.words()).hasSizeLessThan(1000);
        assertThat(StateText.of(cluster.scheduler().state())).isEqualTo(before);
        assertThat(cluster.partition().changes().isEmpty()).isTrue();
    }

    /** Adds a node n, and one application in each kind of state, named after that state. */
    private static void ready(ClusterUnderTest cluster) {
        cluster.configure(PartitionConfiguration.simplest()).node("n", "vcore", "3", "memory", "1Gi");
        cluster.submitSealed("ended", null, task("t")).cycle();
        cluster.succeed("ended/t");
        cluster.submit("failing", null, task("t")).cycle();
        cluster.cancel("failing");
        cluster.submit("rejected", "root.nowhere", task("t"));
        cluster.submit("running", null, task("t"), task("s-1")).cycle();
        cluster.startAll().stop("running/s-1").add("running", task("done")).stop("running/done");
        cluster.submit("sealed", null, TaskSpec.of("large", 3, Resources.parse("vcore", "9")))
                .seal("sealed");
        cluster.add("running", TaskSpec.of("c", 3, Resources.parse("vcore", "9")));
        cluster.cycle();
        cluster.partition().changes().clear();
    }

    private static Command register(String partition, String node, Resources capacity) {
        return new Command.RegisterNode(partition, node, capacity, new TreeMap<>());
    }

    private static Command update(String node, Resources capacity) {
        return new Command.UpdateNode("default", node, capacity, new TreeMap<>());
    }

    private static Command submit(String id, TaskSpec... tasks) {
        return new Command.SubmitApplication("default", ApplicationSpec.open(id, null, tasks));
    }

    private static Command add(String application, TaskSpec... tasks) {
        return new Command.AddTasks("default", application, List.of(tasks));
    }

    private static Command apply(PartitionConfiguration... partitions) {
        return new Command.ApplyConfiguration(List.of(partitions));
    }

    private static PartitionConfiguration of(String drawing) {
        return PartitionConfiguration.of("default", QueueTreeText.of(drawing));
    }

    private static QueueConfiguration queue(QueueProperties properties, Resources max) {
        return QueueConfiguration.of(
                "root",
                Resources.NONE,
                max,
                0,
                properties,
                List.of(QueueConfiguration.leaf("default"), QueueConfiguration.leaf("other")));
    }

    private static TaskSpec task(String name) {
        return TaskSpec.single(name, CORE);
    }

    private static Resources types(int count) {
        Map<String, Amount> amounts = new TreeMap<>();
        for (int i = 0; i < count; i++) {
            amounts.put("type-" + i, new Amount(1));
        }
        return Resources.of(amounts);
    }
}
