package dev.sluice.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.core.application.ApplicationSpec;
import dev.sluice.core.application.ApplicationState;
import dev.sluice.core.application.ApplicationUpdate;
import dev.sluice.core.application.TaskSpec;
import dev.sluice.core.command.Command;
import dev.sluice.core.configuration.Limit;
import dev.sluice.core.configuration.PartitionConfiguration;
import dev.sluice.core.configuration.QueueConfiguration;
import dev.sluice.core.explain.Explainer;
import dev.sluice.core.explain.WaitReason;
import dev.sluice.core.resource.Amount;
import dev.sluice.core.resource.Resources;
import dev.sluice.core.state.LimitUsage;
import dev.sluice.core.testing.ClusterUnderTest;
import dev.sluice.core.testing.QueueTreeText;
import dev.sluice.core.testing.SchedulerExtension;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Limits of users and groups: each is checked in every queue from the leaf up to the root; {@code *} is a limit of each
 * user who is not named, but one that all groups share that are not named.
 */
@ExtendWith(SchedulerExtension.class)
class LimitTest {

    private static final Resources CORE = Resources.parse("vcore", "1");

    @Test
    void userLimit_ofLeaf_limitsUserThere(ClusterUnderTest cluster) {
        cluster(cluster, """
                root
                ├─ a   user(bob: vcore 2)
                └─ b
                """);

        submit(cluster, "bob-a", "root.a", "bob");
        submit(cluster, "amy-a", "root.a", "amy");
        submit(cluster, "bob-b", "root.b", "bob");

        check(cluster, "bob-a=2 amy-a=4 bob-b=4");
        checkReason(
                cluster,
                "bob-a",
                "user-limit",
                "user bob is at the limit of 2 of vcore in queue root.a: 2 used, 1 requested");
    }

    @Test
    void userLimit_ofParents_limitsSumBelow(ClusterUnderTest cluster) {
        cluster(cluster, """
                root       user(bob: vcore 5)
                ├─ p       user(bob: vcore 3)
                │  ├─ a    user(bob: vcore 2)
                │  └─ b
                └─ c
                """);

        submit(cluster, "1", "root.p.a", "bob");
        submit(cluster, "2", "root.p.b", "bob");
        submit(cluster, "3", "root.c", "bob");

        cluster.cycle();
        assertThat(cluster.queue("root.p.a").allocatedTasks()).isLessThanOrEqualTo(2);
        assertThat(cluster.queue("root.p").allocatedTasks()).isLessThanOrEqualTo(3);
        assertThat(cluster.queue("root").allocatedTasks()).isEqualTo(5);
        checkReason(
                cluster,
                "3",
                "user-limit",
                "user bob is at the limit of 5 of vcore in queue root: 5 used, 1 requested");
    }

    @Test
    void userLimit_wildcard_appliesToEachOtherUser(ClusterUnderTest cluster) {
        cluster(cluster, """
                root
                └─ a   user(bob: vcore 3) user(*: vcore 1)
                """);

        submit(cluster, "bob", "root.a", "bob");
        submit(cluster, "amy", "root.a", "amy");
        submit(cluster, "amy2", "root.a", "amy");
        submit(cluster, "eve", "root.a", "eve");

        check(cluster, "bob=3 amy=1 amy2=0 eve=1");
        assertThat(usages(cluster, "root.a")).containsExactly("user amy 1000", "user bob 3000", "user eve 1000");
    }

    @Test
    void groupLimit_ofTwoUsers_isShared(ClusterUnderTest cluster) {
        cluster(cluster, """
                root   group(dev: vcore 3)
                ├─ a
                └─ b
                """);

        submit(cluster, "bob", "root.a", "bob", "dev");
        submit(cluster, "amy", "root.a", "amy", "ops", "dev");
        submit(cluster, "eve", "root.a", "eve", "ops");

        check(cluster, "bob=3 amy=0 eve=4");
        checkReason(
                cluster,
                "amy",
                "group-limit",
                "group dev is at the limit of 3 of vcore in queue root: 3 used, 1 requested");
    }

    @Test
    void groupLimit_wildcard_isSharedByOtherGroups(ClusterUnderTest cluster) {
        cluster(cluster, """
                root
                └─ a   group(dev: vcore 3) group(*: vcore 5)
                """);

        submit(cluster, "bob", "root.a", "bob", "dev");
        submit(cluster, "amy", "root.a", "amy", "ops");
        submit(cluster, "eve", "root.a", "eve", "qa");
        submit(cluster, "joe", "root.a", "joe");

        check(cluster, "bob=3 amy=4 eve=1 joe=4");
        checkReason(
                cluster,
                "eve",
                "group-limit",
                "the other groups are at the limit of 5 of vcore in queue root.a: 5 used, 1 requested");
        assertThat(usages(cluster, "root.a")).containsExactly("group * 5000", "group dev 3000");
    }

    @Test
    void userAndGroupLimit_bothApply(ClusterUnderTest cluster) {
        cluster(cluster, """
                root
                └─ a   user(bob: vcore 2) group(dev: vcore 3)
                """);

        submit(cluster, "bob", "root.a", "bob", "dev");
        submit(cluster, "amy", "root.a", "amy", "dev");

        check(cluster, "bob=2 amy=1");
    }

    /** The order of the configuration decides, not that of the user; a leaf comes before the queues above. */
    @Test
    void group_ofSeveral_isFirstConfiguredFromLeafUp(ClusterUnderTest cluster) {
        cluster(cluster, """
                root    group(qa: vcore 1)
                ├─ a    group(ops: vcore 2) group(dev: vcore 3)
                ├─ b    group(ops: vcore 2) group(*: vcore 3)
                └─ c
                """);

        submit(cluster, "ab", "root.a", "bob", "qa", "dev", "ops");
        submit(cluster, "ad", "root.a", "bob", "dev", "qa");
        submit(cluster, "bq", "root.b", "bob", "qa");
        submit(cluster, "cq", "root.c", "bob", "qa");

        check(cluster, "ab=2 ad=3 bq=3 cq=1");
        assertThat(cluster.application("ab").limitGroup()).isEqualTo("ops");
        assertThat(cluster.application("bq").limitGroup())
                .as("hides the group above")
                .isEqualTo("*");
    }

    @Test
    void group_afterFirstAllocation_isFixed(ClusterUnderTest cluster) {
        cluster(cluster, """
                root
                └─ a   group(dev: vcore 2)
                """);
        submit(cluster, "bob", "root.a", "bob", "ops", "dev");
        check(cluster, "bob=2");

        cluster.queues(QueueTreeText.of("""
                root
                └─ a   group(ops: vcore 1) group(dev: vcore 3)
                """));
        submit(cluster, "amy", "root.a", "amy", "ops", "dev");

        check(cluster, "bob=3 amy=1");
        assertThat(usages(cluster, "root.a")).containsExactly("group dev 3000", "group ops 1000");
    }

    @Test
    void group_withoutLimitAnyMore_isChosenAnew(ClusterUnderTest cluster) {
        cluster(cluster, """
                root
                └─ a   group(dev: vcore 2)
                """);
        submit(cluster, "bob", "root.a", "bob", "ops", "dev");
        check(cluster, "bob=2");

        cluster.queues(QueueTreeText.of("""
                root
                └─ a   group(ops: vcore 3)
                """));

        check(cluster, "bob=3");
        assertThat(cluster.application("bob").limitGroup()).isEqualTo("ops");
    }

    @Test
    void maxApplications_ofUser_letsFurtherOnesWait(ClusterUnderTest cluster) {
        cluster(cluster, """
                root   user(*: running 1)
                ├─ a
                └─ b
                """);
        for (String id : List.of("1", "2")) {
            cluster.submit(ApplicationSpec.sealed(id, "root.a", TaskSpec.of("t", 2, CORE))
                    .withUser("bob"));
        }
        submit(cluster, "amy", "root.b", "amy");

        check(cluster, "1=2 2=0 amy=4");
        assertThat(cluster.state("2")).isEqualTo(ApplicationState.ACCEPTED);
        checkReason(cluster, "2", "user-limit", "user bob is at the limit of 1 running application in queue root");
        cluster.startAll().succeedAll("1");
        check(cluster, "2=2 amy=4");
    }

    @Test
    void maxApplications_ofGroup_countsAllMembers(ClusterUnderTest cluster) {
        cluster(cluster, """
                root
                └─ a   group(dev: running 2)
                """);
        submit(cluster, "bob", "root.a", "bob", "dev");
        submit(cluster, "amy", "root.a", "amy", "dev");
        submit(cluster, "eve", "root.a", "eve", "dev");

        check(cluster, "bob=4 amy=4 eve=0");
        checkReason(
                cluster, "eve", "group-limit", "group dev is at the limit of 2 running applications in queue root.a");
    }

    @Test
    void limit_lowered_stopsNothingAndStartsNothingUntilBelow(ClusterUnderTest cluster) {
        cluster(cluster, """
                root
                └─ a   user(bob: vcore 3)
                """);
        submit(cluster, "bob", "root.a", "bob");
        check(cluster, "bob=3");
        cluster.startAll();

        cluster.queues(QueueTreeText.of("""
                root
                └─ a   user(bob: vcore 2)
                """));

        check(cluster, "bob=3");
        cluster.succeed("bob/t-0");
        check(cluster, "bob=2");
        cluster.succeed("bob/t-1");
        check(cluster, "bob=2");
        assertThat(cluster.cycle()).isEmpty();
    }

    @Test
    void limit_addedLater_countsWhatRunsAlready(ClusterUnderTest cluster) {
        cluster(cluster, """
                root
                └─ a
                """);
        submit(cluster, "bob", "root.a", "bob", "dev");
        check(cluster, "bob=4");

        cluster.queues(QueueTreeText.of("""
                root   user(bob: vcore 5) group(dev: vcore 6)
                └─ a
                """));
        submit(cluster, "bob2", "root.a", "bob", "dev");
        submit(cluster, "amy", "root.a", "amy", "dev");

        check(cluster, "bob=4 bob2=1 amy=1");
        assertThat(usages(cluster, "root")).containsExactly("user bob 5000", "group dev 6000");
    }

    @Test
    void limit_removed_limitsNothing(ClusterUnderTest cluster) {
        cluster(cluster, """
                root
                └─ a   user(*: vcore 1)
                """);
        submit(cluster, "bob", "root.a", "bob");
        check(cluster, "bob=1");

        cluster.queues(QueueTreeText.of("""
                root
                └─ a
                """));

        check(cluster, "bob=4");
        assertThat(usages(cluster, "root.a")).isEmpty();
    }

    @Test
    void largeTask_overLimit_doesNotBlockSmallerOne(ClusterUnderTest cluster) {
        cluster(cluster, """
                root
                └─ a   user(bob: vcore 2)
                """);
        cluster.submit(ApplicationSpec.open(
                        "bob",
                        "root.a",
                        TaskSpec.single("large", Resources.parse("vcore", "3")).withPriority(5),
                        TaskSpec.single("huge", Resources.parse("vcore", "4")),
                        TaskSpec.of("small", 3, CORE))
                .withUser("bob"));

        assertThat(cluster.cycle()).containsExactly("bob/small-0 -> n", "bob/small-1 -> n");
        WaitReason reason = reason(cluster, "bob");
        assertThat(reason)
                .isEqualTo(new WaitReason.LimitReached(
                        LimitUsage.Subject.USER,
                        "bob",
                        "root.a",
                        "vcore",
                        new Amount(2000),
                        new Amount(2000),
                        new Amount(3000)));
        assertThat(reason.isPermanent()).as("asks for more than the limit").isTrue();
    }

    @Test
    void amount_zero_allowsNoneAndOtherTypesAreUnlimited(ClusterUnderTest cluster) {
        cluster(cluster, """
                root
                └─ a   user(bob: gpu 0)
                """);
        cluster.node("g", "vcore", "1", "gpu", "1");
        cluster.submit(ApplicationSpec.open(
                        "bob", "root.a", TaskSpec.of("c", 2, CORE), TaskSpec.of("g", 1, Resources.parse("gpu", "1")))
                .withUser("bob"));

        assertThat(cluster.cycle()).hasSize(2).allMatch(placed -> placed.startsWith("bob/c-"));
    }

    @Test
    void usage_ofEndedAndRetriedApplication_isCounted(ClusterUnderTest cluster) {
        cluster(cluster, """
                root
                └─ a   user(bob: vcore 2) group(dev: running 1)
                """);
        cluster.submit(ApplicationSpec.sealed("bob", "root.a", TaskSpec.of("t", 2, CORE))
                .withUser("bob")
                .withGroups(List.of("dev")));
        check(cluster, "bob=2");
        cluster.startAll().cancel("bob").fail("bob/t-0").fail("bob/t-1");
        assertThat(usages(cluster, "root.a")).containsExactly("user bob 0", "group dev 0");

        cluster.retry("bob", true);

        check(cluster, "bob=2");
        assertThat(usages(cluster, "root.a")).containsExactly("user bob 2000", "group dev 2000");
    }

    @Test
    void usage_ofMovedApplication_isCountedInItsQueue(ClusterUnderTest cluster) {
        cluster(cluster, """
                root
                ├─ a   user(bob: vcore 2)
                └─ b   user(bob: vcore 1)
                """);
        cluster.submit(ApplicationSpec.sealed("bob", "root.a", TaskSpec.of("t", 3, CORE))
                .withUser("bob"));

        cluster.handle(new Command.UpdateApplication(
                PartitionConfiguration.DEFAULT_NAME,
                "bob",
                new ApplicationUpdate("root.b", null, null, null, Resources.NONE)));

        check(cluster, "bob=1");
        assertThat(usages(cluster, "root.b")).containsExactly("user bob 1000");
        assertThat(usages(cluster, "root.a")).isEqualTo(List.of("user bob 0"));
    }

    /** What a user at a limit waits for is no demand: the class takes no more than the user can use. */
    @Test
    void loadClass_ofUserAtLimit_isNoDemand(ClusterUnderTest cluster) {
        cluster.queues(QueueTreeText.of("""
                root     load
                ├─ a     percent(50) user(bob: slots 1)
                ├─ b     percent(25)
                └─ c     percent(25)
                """)).nodes("w", 12, "slots", "1");
        for (String leaf : List.of("a", "b", "c")) {
            cluster.submit(ApplicationSpec.open(leaf, "root." + leaf, TaskSpec.of("t", 20, Resources.NONE))
                    .withUser("bob"));
        }

        check(cluster, "a=1 b=6 c=5");
    }

    @Test
    void types_ofLimits_areLimitedInNumber(ClusterUnderTest cluster) {
        List<Limit> limits = new ArrayList<>();
        for (int i = 0; i < 70; i++) {
            limits.add(new Limit("", List.of("u" + i), List.of(), Resources.parse("type" + i, "1"), 0));
        }
        QueueConfiguration root = QueueConfiguration.parent("root", QueueConfiguration.leaf("a"));
        assertThat(cluster.refusal(new Command.ApplyConfiguration(
                                List.of(PartitionConfiguration.of("default", root.withLimits(limits)))))
                        .message())
                .contains("more than 64 resource types");
    }

    /** The queue p is served first because of a task that is then skipped, though b gets the core: in every cycle. */
    @Test
    void priority_ofTaskAtLimit_countsForQueueAbove(ClusterUnderTest cluster) {
        cluster.queues(QueueTreeText.of("""
                root
                ├─ p      priorities(disabled)
                │  ├─ a   user(bob: vcore 1)
                │  └─ b
                └─ c
                """)).node("n", "vcore", "2");
        TaskSpec task = TaskSpec.of("t", 2, CORE);
        cluster.submit(
                ApplicationSpec.open("bob", "root.p.a", task.withPriority(5)).withUser("bob"));
        check(cluster, "bob=1");

        cluster.submit(ApplicationSpec.open("eve", "root.c", task).withUser("eve"));
        cluster.submit(ApplicationSpec.open("amy", "root.p.b", task).withUser("amy"));

        check(cluster, "bob=1 eve=0 amy=1");
    }

    private static ClusterUnderTest cluster(ClusterUnderTest cluster, String drawing) {
        return cluster.queues(QueueTreeText.of(drawing)).node("n", "vcore", "100");
    }

    /** Submits four tasks of one core. */
    private static void submit(ClusterUnderTest cluster, String id, String queue, String user, String... groups) {
        cluster.submit(ApplicationSpec.open(id, queue, TaskSpec.of("t", 4, CORE))
                .withUser(user)
                .withGroups(List.of(groups)));
    }

    /** Runs a cycle and compares the number of running tasks of applications that have not ended. */
    private static void check(ClusterUnderTest cluster, String running) {
        cluster.cycle();
        List<String> found = new ArrayList<>();
        cluster.partition().applications().stream()
                .filter(application -> !application.state().isEnded())
                .forEach(application -> found.add(application.id() + "=" + application.placed()));
        assertThat(String.join(" ", found)).isEqualTo(running);
    }

    private static void checkReason(ClusterUnderTest cluster, String application, String code, String detail) {
        WaitReason reason = reason(cluster, application);
        assertThat(reason.code()).isEqualTo(code);
        assertThat(reason.detail()).isEqualTo(detail);
        assertThat(reason.isPermanent()).isFalse();
    }

    private static WaitReason reason(ClusterUnderTest cluster, String application) {
        return new Explainer(cluster.partition())
                .explain(cluster.application(application))
                .get(0)
                .reason();
    }

    private static List<String> usages(ClusterUnderTest cluster, String queue) {
        int vcore = cluster.partition().types().find("vcore");
        return cluster.queue(queue).limitUsages().stream()
                .map(usage -> usage.subject().wireName() + " " + usage.name() + " " + usage.allocated(vcore))
                .toList();
    }
}
