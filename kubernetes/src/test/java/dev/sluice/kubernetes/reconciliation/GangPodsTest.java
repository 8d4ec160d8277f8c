package dev.sluice.kubernetes.reconciliation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.core.application.ApplicationState;
import dev.sluice.core.command.Command;
import dev.sluice.core.explain.StepBudget;
import dev.sluice.core.state.Application;
import dev.sluice.core.state.TaskGroup;
import dev.sluice.kubernetes.execution.PodRequest;
import dev.sluice.kubernetes.reporting.PendingPod;
import dev.sluice.kubernetes.reporting.PendingReasons;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Pods with task groups of YuniKorn, on two nodes of four cores each. */
final class GangPodsTest {

    private static final String JOB = "job";

    private final Cluster cluster = new Cluster();

    @BeforeEach
    void start() {
        cluster.node("n1", "4");
        cluster.node("n2", "4");
    }

    /** Metadata of a pod that belongs to a task group, and declares the gang if there are groups. */
    private static String member(String group, String groups, String parameters) {
        return "creationTimestamp: \"2026-01-01T11:00:00Z\", labels: {applicationId: job}, annotations:"
                + " {yunikorn.apache.org/task-group-name: " + group
                + (groups.isEmpty() ? "" : ", yunikorn.apache.org/task-groups: '[" + groups + "]'")
                + (parameters.isEmpty() ? "" : ", yunikorn.apache.org/schedulingPolicyParameters: " + parameters)
                + "}";
    }

    private static String group(String name, int minMember, int cores) {
        return "{\"name\": \"%s\", \"minMember\": %d, \"minResource\": {\"cpu\": \"%d\"}}"
                .formatted(name, minMember, cores);
    }

    private void worker(String name, int minMember, int cores) {
        cluster.pod(name, String.valueOf(cores), member("worker", group("worker", minMember, cores), ""), "");
    }

    private Application job() {
        return cluster.application(JOB);
    }

    private TaskGroup group(String name) {
        return Objects.requireNonNull(job().group(name));
    }

    /** Lets scheduler and cluster follow each other; each binding succeeds. Returns the pods that were bound. */
    private List<String> settle() {
        List<String> bound = new ArrayList<>();
        for (int round = 0; round < 3; round++) {
            cluster.follow();
            for (PodRequest request : cluster.run()) {
                PodRequest.Bind bind = (PodRequest.Bind) request;
                bound.add(bind.pod().name());
                cluster.view.endBinding(bind.pod().uid(), bind.node());
            }
            cluster.cycle();
        }
        return bound;
    }

    /** Shows a pod as the API server has it after its binding. */
    private void show(String name, int cores, String group, String node, String place, String status) {
        cluster.pod(
                name,
                "sluice",
                String.valueOf(cores),
                member(group + ", sluice.dev/place: " + place, "", ""),
                "nodeName: " + node,
                status);
    }

    private PendingPod reason(String pod) {
        PendingReasons reasons = new PendingReasons(cluster.view, cluster.refusals);
        assertThat(reasons.step(cluster.partition(), cluster.now, new StepBudget(10_000)))
                .isTrue();
        return reasons.answer().stream()
                .filter(each -> each.pod().name().equals(pod))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void gang_thatDoesNotFit_waitsAsAWhole() {
        for (int i = 0; i < 3; i++) {
            worker("w" + i, 3, 3);
        }
        assertThat(settle()).isEmpty();
        assertThat(group("worker").unallocated()).isEqualTo(3);
        assertThat(reason("w2").kind()).isEqualTo("gang-incomplete");
        assertThat(reason("w2").message()).startsWith("2 of 3 members of the gang fit");
        assertThat(reason("w2").conditionReason()).isEqualTo("Unschedulable");
        cluster.node("n3", "4");
        assertThat(settle()).containsExactly("w0", "w1", "w2");
        assertThat(settle()).isEmpty();
    }

    @Test
    void place_isHeldForAPodThatComesLater_andItIsBoundOnce() {
        cluster.pod("driver", "1", member("driver", group("driver", 1, 1) + "," + group("executor", 2, 3), ""), "");
        assertThat(settle()).containsExactly("driver");
        assertThat(group("executor").placed()).hasSize(2);
        cluster.pod("e1", "3", member("executor", "", ""), "");
        assertThat(settle()).containsExactly("e1");
        cluster.pod("e2", "3", member("executor", "", ""), "");
        assertThat(settle()).containsExactly("e2");
        assertThat(settle()).isEmpty();
        assertThat(job().tasks()).isEqualTo(3);
        assertThat(cluster.node("n1").capacity()).hasToString("slots 10, vcore 4");
    }

    @Test
    void podBeyondTheMinimum_hasATaskOfItsOwn() {
        worker("w0", 1, 2);
        cluster.pod("w1", "2", member("worker", "", ""), "");
        assertThat(settle()).containsExactlyInAnyOrder("w0", "w1");
        assertThat(cluster.task(JOB, "w1").placed(0)).isNotNull();
        assertThat(job().group("w0.u-w0")).isNull();
    }

    @Test
    void podThatRequestsMoreThanItsPlace_hasATaskOfItsOwn() {
        worker("w0", 2, 1);
        settle();
        cluster.pod("w1", "2", member("worker", "", ""), "");
        assertThat(settle()).containsExactly("w1");
        assertThat(cluster.task(JOB, "w1").placed(0)).isNotNull();
        assertThat(group("worker").placed()).hasSize(2);
    }

    @Test
    void firstPodsThatRequestMoreThanTheGroupSays_getIt() {
        cluster.pod("w0", "2", member("worker", group("worker", 2, 1), ""), "");
        settle();
        assertThat(group("worker").spec().resources()).hasToString("vcore 2");
    }

    @Test
    void podThatFitsNoAllocatedNode_hasATaskOfItsOwn() {
        worker("w0", 2, 1);
        settle();
        cluster.pod("w1", "sluice", "1", member("worker", "", ""), "nodeSelector: {disk: ssd}", "");
        assertThat(settle()).isEmpty();
        assertThat(cluster.task(JOB, "w1").isUnallocated(0)).isTrue();
    }

    @Test
    void podThatWaits_andDoesNotFitThePlaceThatIsAllocated_hasATaskOfItsOwn() {
        cluster.pod("w0", "sluice", "3", member("worker", group("worker", 3, 3), ""), "nodeSelector: {disk: ssd}", "");
        settle();
        assertThat(group("worker").unallocated()).isEqualTo(3);
        assertThat(job().group("w0.u-w0")).isNull();
        cluster.node("n3", "4");
        assertThat(settle()).isEmpty();
        assertThat(group("worker").placed()).hasSize(3);
        assertThat(cluster.task(JOB, "w0").isUnallocated(0)).isTrue();
    }

    @Test
    void placeOfARunningPodThatIsDeleted_isNotTakenByAnother() {
        worker("w0", 1, 1);
        settle();
        String place = GangPlaces.place(Objects.requireNonNull(group("worker").placed(0)));
        String node = Objects.requireNonNull(group("worker").placed(0)).node().name();
        show("w0", 1, "worker", node, place, "phase: Running");
        settle();
        assertThat(cluster.reports).isEmpty();
        cluster.view.removePod("u-w0");
        worker("w1", 1, 1);
        assertThat(settle()).containsExactly("w1");
        assertThat(group("worker").stopped()).isEqualTo(1);
        assertThat(cluster.task(JOB, "w1").placed(0)).isNotNull();
    }

    @Test
    void failedBinding_givesThePlaceBack_andThePodTakesItAgain() {
        worker("w0", 2, 1);
        cluster.follow();
        cluster.cycle();
        cluster.follow();
        PodRequest.Bind bind = (PodRequest.Bind) cluster.run().get(0);
        cluster.view.endBinding("u-w0", null);
        cluster.handle(new Command.ReportTaskNotStarted(bind.run()));
        assertThat(settle()).containsExactly("w0");
    }

    @Test
    void podDeletedBeforeItsBinding_leavesThePlaceToAnother() {
        worker("w0", 2, 1);
        worker("w1", 2, 1);
        cluster.follow();
        cluster.cycle();
        cluster.follow();
        assertThat(cluster.run()).hasSize(2);
        cluster.view.endBinding("u-w0", "n1");
        cluster.view.removePod("u-w1");
        assertThat(settle()).isEmpty();
        worker("w2", 2, 1);
        assertThat(settle()).containsExactly("w2");
        assertThat(job().tasks()).isEqualTo(2);
    }

    @Test
    void podThatEnds_endsItsTask_andItsSuccessorHasItsOwn() {
        worker("w0", 1, 1);
        cluster.pod("keeps", "1", "labels: {applicationId: job}", "");
        settle();
        String place = GangPlaces.place(Objects.requireNonNull(group("worker").placed(0)));
        String node = Objects.requireNonNull(group("worker").placed(0)).node().name();
        show("w0", 1, "worker", node, place, "phase: Failed");
        settle();
        assertThat(group("worker").failed()).isEqualTo(1);
        cluster.pod("w1", "1", member("worker", "", ""), "");
        assertThat(settle()).containsExactly("w1");
        assertThat(cluster.task(JOB, "w1").placed(0)).isNotNull();
    }

    @Test
    void restart_findsWhichPodsHaveTakenWhichPlaces() {
        cluster.pod("driver", "1", member("driver", group("driver", 1, 1) + "," + group("executor", 2, 3), ""), "");
        cluster.pod("e1", "3", member("executor", "", ""), "");
        settle();
        String driver = GangPlaces.place(Objects.requireNonNull(group("driver").placed(0)));
        String driverNode =
                Objects.requireNonNull(group("driver").placed(0)).node().name();
        String executor =
                GangPlaces.place(Objects.requireNonNull(group("executor").placed(0)));
        String executorNode =
                Objects.requireNonNull(group("executor").placed(0)).node().name();
        cluster.restart();
        cluster.node("n1", "4");
        cluster.node("n2", "4");
        show("driver", 1, "driver", driverNode, driver, "phase: Running");
        show("e1", 3, "executor", executorNode, executor, "phase: Running");
        cluster.pod("e2", "3", member("executor", "", ""), "");
        assertThat(cluster.followAll()).isEmpty();
        List<PodRequest> requests = cluster.runAll();
        assertThat(requests).hasSize(1);
        PodRequest.Bind bind = (PodRequest.Bind) requests.get(0);
        assertThat(bind.pod().name()).isEqualTo("e2");
        assertThat(bind.run().task().id()).isEqualTo("executor-1");
        assertThat(cluster.reports).containsExactly("ReportTaskStarted", "ReportTaskStarted");
        assertThat(cluster.node("n1").capacity()).hasToString("slots 10, vcore 4");
    }

    @Test
    void placeThatNoPodTakes_expiresAfterTheTimeout() {
        cluster.pod(
                "w0",
                "1",
                member("worker", group("worker", 3, 1), "\"placeholderTimeoutInSeconds=60 gangSchedulingStyle=Hard\""),
                "");
        settle();
        assertThat(group("worker").placed()).hasSize(3);
        cluster.now = cluster.now.plus(Duration.ofSeconds(59));
        cluster.view.changes().touchTask(new TaskKey(JOB, ""));
        settle();
        assertThat(group("worker").placed()).hasSize(3);
        cluster.now = cluster.now.plus(Duration.ofSeconds(1));
        cluster.view.changes().touchTask(new TaskKey(JOB, ""));
        settle();
        assertThat(group("worker").placed()).hasSize(1);
        assertThat(group("worker").stopped()).isEqualTo(2);
        assertThat(job().state()).isEqualTo(ApplicationState.RUNNING);
    }

    private void timeOut(String style) {
        for (int i = 0; i < 3; i++) {
            cluster.pod(
                    "w" + i,
                    "3",
                    member(
                            "worker",
                            group("worker", 4, 3),
                            "\"placeholderTimeoutInSeconds=60 gangSchedulingStyle=" + style + "\""),
                    "");
        }
        assertThat(settle()).isEmpty();
        cluster.now = cluster.now.plus(Duration.ofSeconds(61));
        cluster.cycle();
    }

    @Test
    void softGang_thatDidNotStartInTime_startsSingly_andUnusedPlacesAreDropped() {
        timeOut("Soft");
        assertThat(settle()).containsExactly("w0", "w1");
        assertThat(group("worker").unallocated()).isEqualTo(1);
        assertThat(group("worker").stopped()).isEqualTo(1);
    }

    @Test
    void hardGang_thatDidNotStartInTime_fails_andItsPodsSayWhy() {
        timeOut("Hard");
        assertThat(settle()).isEmpty();
        assertThat(job().state()).isEqualTo(ApplicationState.FAILED);
        cluster.followAll();
        assertThat(cluster.refusal("u-w0"))
                .startsWith("application job (Failed)")
                .endsWith(": delete the pod");
        assertThat(job().state()).isEqualTo(ApplicationState.FAILED);
        for (int i = 0; i < 3; i++) {
            cluster.view.removePod("u-w" + i);
        }
        cluster.pod(
                "next", "3", member("worker", group("worker", 1, 3), "").replace("2026-01-01T11", "2026-01-02T11"), "");
        assertThat(settle()).containsExactly("next");
    }

    @Test
    void lastPodThatEnds_freesThePlacesThatNoPodHasTaken() {
        cluster.pod("driver", "1", member("driver", group("driver", 1, 1) + "," + group("executor", 2, 3), ""), "");
        settle();
        cluster.view.removePod("u-driver");
        settle();
        assertThat(job().placed()).isZero();
    }

    @Test
    void podWithoutAnApplication_cannotDeclareAGang() {
        cluster.pod(
                "w0",
                "1",
                member("worker", group("worker", 2, 1), "").replace("labels: {applicationId: job}, ", ""),
                "");
        cluster.follow();
        assertThat(cluster.refusal("u-w0")).contains("no other pod can join").contains("app-id");
    }

    @Test
    void secondPodWithTheSamePlace_occupiesItsNodeLikeAnyOther() {
        worker("w0", 1, 1);
        settle();
        String place = GangPlaces.place(Objects.requireNonNull(group("worker").placed(0)));
        String node = Objects.requireNonNull(group("worker").placed(0)).node().name();
        show("w0", 1, "worker", node, place, "");
        show("w1", 1, "worker", node, place, "");
        settle();
        assertThat(cluster.node(node).capacity()).hasToString("slots 9, vcore 3");
        show("w1", 1, "worker", node, place, "phase: Succeeded");
        settle();
        assertThat(group("worker").placed()).hasSize(1);
        assertThat(cluster.node(node).capacity()).hasToString("slots 10, vcore 4");
    }

    @Test
    void rejectedGang_isRefusedWithTheReason() {
        cluster.parentOfNamespaces();
        worker("w0", 2, 1);
        settle();
        cluster.followAll();
        assertThat(job().state()).isEqualTo(ApplicationState.REJECTED);
        assertThat(cluster.refusal("u-w0")).startsWith("application job (Rejected): no placement rule");
    }

    @Test
    void groupThatTheGangDoesNotHave_hasNoEffect() {
        worker("w0", 1, 1);
        cluster.pod("other", "1", member("unknown", "", ""), "");
        assertThat(settle()).containsExactlyInAnyOrder("w0", "other");
    }

    @Test
    void cancelledGang_isNotSubmittedAgain() {
        worker("w0", 9, 3);
        settle();
        cluster.handle(new Command.CancelApplication("default", JOB, "enough"));
        settle();
        cluster.followAll();
        assertThat(cluster.refusal("u-w0")).startsWith("application job (").contains("enough");
        assertThat(job().state().isEnded()).isTrue();
    }
}
