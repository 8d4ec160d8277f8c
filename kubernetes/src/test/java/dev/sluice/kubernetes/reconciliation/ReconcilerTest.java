package dev.sluice.kubernetes.reconciliation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.core.application.ApplicationSpec;
import dev.sluice.core.application.ApplicationState;
import dev.sluice.core.application.TaskSpec;
import dev.sluice.core.command.Command;
import dev.sluice.core.resource.Resources;
import dev.sluice.core.state.TaskGroup;
import dev.sluice.kubernetes.translation.Manifests;
import java.util.List;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Each difference between a cluster and the state is removed by the commands, which are none the second time. */
final class ReconcilerTest {

    private static final String APP = "labels: {applicationId: job}";

    private final Cluster cluster = new Cluster();

    @Test
    void nodes_areRegisteredUpdatedAndRemoved() {
        cluster.node("n", "4");
        assertThat(cluster.follow()).containsExactly("RegisterNode");
        assertThat(cluster.follow()).isEmpty();
        cluster.node("n", "4");
        assertThat(cluster.view.changes().takeNodes())
                .as("an update without a change")
                .isEmpty();
        cluster.node("n", "8");
        assertThat(cluster.follow()).containsExactly("UpdateNode");
        assertThat(cluster.node("n").capacity()).hasToString("slots 10, vcore 8");
        cluster.view.put(Manifests.node("{metadata: {name: n, labels: {disk: ssd}}, status: {allocatable: "
                + "{cpu: 8, pods: 10}, conditions: [{type: Ready, status: \"True\"}]}}"));
        assertThat(cluster.follow()).containsExactly("UpdateNode");
        assertThat(cluster.node("n").labels()).containsEntry("disk", "ssd");
        cluster.view.removeNode("n");
        assertThat(cluster.follow()).containsExactly("RemoveNode");
        assertThat(cluster.followAll()).isEmpty();
    }

    @Test
    void nodesOfOthers_areLeftAlone() {
        cluster.node("n", "4");
        cluster.handle(new Command.RegisterNode("default", "local", Resources.NONE, new TreeMap<>()));
        assertThat(cluster.followAll()).containsExactly("RegisterNode");
    }

    @Test
    void nodeThatWasLost_isReadyAgain() {
        cluster.node("n", "4");
        cluster.follow();
        cluster.handle(new Command.ReportNodeLost("default", "n"));
        assertThat(cluster.followAll()).containsExactly("ReportNodeReady");
        assertThat(cluster.followAll()).isEmpty();
    }

    @Test
    void taint_keepsTheTimeThatTheSchedulerGaveIt() {
        String node = "{metadata: {name: n}, spec: {taints: [{key: k, effect: NoExecute%s}]}}";
        cluster.view.put(Manifests.node(node.formatted("")));
        assertThat(cluster.follow()).containsExactly("RegisterNode");
        assertThat(cluster.followAll()).isEmpty();
        cluster.view.put(Manifests.node(node.formatted(", timeAdded: \"2026-01-01T11:00:00Z\"")));
        assertThat(cluster.follow()).containsExactly("UpdateNode");
        assertThat(cluster.followAll()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"Succeeded", "Failed"})
    void podsOfOthers_occupyTheirNodesUntilTheyEnd(String phase) {
        cluster.node("n", "4");
        cluster.pod("web", "default-scheduler", "1500m", "", "nodeName: n", "phase: Running");
        cluster.pod("unbound", "default-scheduler", "1", "", "", "");
        cluster.follow();
        assertThat(cluster.node("n").capacity()).hasToString("slots 9, vcore 2500m");
        cluster.pod("web", "default-scheduler", "1500m", "", "nodeName: n", "phase: " + phase);
        assertThat(cluster.follow()).containsExactly("UpdateNode");
        assertThat(cluster.node("n").capacity()).hasToString("slots 10, vcore 4");
    }

    @Test
    void podThatIsDeleted_occupiesItsNodeUntilItIsGone() {
        cluster.node("n", "4");
        String deleted = "deletionTimestamp: \"2026-01-01T12:00:00Z\"";
        cluster.pod("web", "default-scheduler", "1", deleted, "nodeName: n", "phase: Running");
        cluster.follow();
        assertThat(cluster.node("n").capacity()).hasToString("slots 9, vcore 3");
        cluster.view.removePod("u-web");
        cluster.follow();
        assertThat(cluster.node("n").capacity()).hasToString("slots 10, vcore 4");
    }

    @Test
    void pods_areSubmittedInOrderOfCreation() {
        cluster.pod("a", "1", APP + ", creationTimestamp: \"2026-01-01T11:00:02Z\"", "");
        cluster.pod("b", "1", APP + ", creationTimestamp: \"2026-01-01T11:00:01Z\"", "");
        assertThat(cluster.follow()).containsExactly("SubmitApplication");
        assertThat(cluster.application("job").groups())
                .extracting(TaskGroup::name)
                .containsExactly("b.u-b", "a.u-a");
        assertThat(cluster.application("job").queue().path()).isEqualTo("root.team-a");
        cluster.pod("third", "1", APP, "");
        assertThat(cluster.follow()).containsExactly("AddTasks");
        assertThat(cluster.followAll()).isEmpty();
    }

    @Test
    void applications_haveQueueUserAndTags() {
        cluster.view.put(Manifests.namespace("yunikorn.apache.org/parentqueue: root.p"));
        cluster.pod("p", "1", "labels: {queue: root.a, applicationId: job, yunikorn.apache.org/username: bob}", "");
        cluster.follow();
        assertThat(cluster.application("job").queue().path()).isEqualTo("root.a");
        assertThat(cluster.application("job").spec().user()).isEqualTo("bob");
        assertThat(cluster.application("job").spec().tags())
                .containsEntry("namespace", "team-a")
                .containsEntry("namespace.parentqueue", "root.p");
    }

    @Test
    void gatedPod_waitsForItsGates() {
        cluster.pod("p", "sluice", "1", APP, "schedulingGates: [{name: g}]", "");
        assertThat(cluster.follow()).isEmpty();
        cluster.pod("p", "1", APP, "");
        assertThat(cluster.follow()).containsExactly("SubmitApplication");
    }

    @Test
    void pendingPod_thatIsDeleted_isStopped() {
        cluster.pod("p", "1", APP, "");
        cluster.pod("q", "1", APP, "");
        cluster.follow();
        cluster.view.removePod("u-p");
        cluster.pod("q", "1", APP + ", deletionTimestamp: \"2026-01-01T12:00:00Z\"", "");
        assertThat(cluster.follow()).containsExactly("StopTask", "StopTask");
        assertThat(cluster.task("job", "p").stopped()).isOne();
        assertThat(cluster.followAll()).isEmpty();
    }

    @Test
    void newPod_insteadOfTheOnlyOne_keepsTheApplication() {
        cluster.node("n", "1");
        cluster.pod("p", "1", APP, "");
        cluster.pod("q", "1", APP, "");
        cluster.follow();
        cluster.cycle();
        cluster.handle(
                new Command.ReportTaskFailed(cluster.allocated("job", "p").run(), 1, ""));
        cluster.view.removePod("u-p");
        cluster.view.removePod("u-q");
        cluster.pod("r", "1", APP, "");
        assertThat(cluster.follow()).containsExactly("AddTasks", "StopTask");
        assertThat(cluster.task("job", "r").isUnallocated(0)).isTrue();
    }

    @Test
    void podBoundByAnother_isStoppedAndOccupiesItsNode() {
        cluster.node("n", "4");
        cluster.pod("p", "1", APP, "");
        cluster.follow();
        cluster.pod("p", "sluice", "1", APP, "nodeName: n", "");
        assertThat(cluster.follow()).containsExactly("UpdateNode", "StopTask");
        assertThat(cluster.node("n").capacity()).hasToString("slots 9, vcore 3");
    }

    @Test
    void allocatedTask_isNotCountedTwice_whenItsPodIsBound() {
        cluster.node("n", "4");
        cluster.pod("p", "1", APP, "");
        cluster.follow();
        cluster.cycle();
        assertThat(cluster.allocated("job", "p").node().name()).isEqualTo("n");
        cluster.pod("p", "sluice", "1", APP, "nodeName: n", "");
        assertThat(cluster.follow()).isEmpty();
        assertThat(cluster.node("n").capacity()).hasToString("slots 10, vcore 4");
    }

    @Test
    void podBoundByAnother_beforeItsBindingFails_occupiesItsNode() {
        cluster.node("n", "4");
        cluster.pod("p", "1", APP, "");
        cluster.follow();
        cluster.cycle();
        cluster.node("m", "4");
        cluster.pod("p", "sluice", "1", APP, "nodeName: m", "");
        cluster.follow();
        assertThat(cluster.node("m").capacity()).hasToString("slots 9, vcore 3");
        assertThat(cluster.node("n").capacity()).hasToString("slots 10, vcore 4");
    }

    @Test
    void allocatedTask_isLeftToTheExecutor() {
        cluster.node("n", "4");
        cluster.pod("p", "1", APP, "");
        cluster.follow();
        cluster.cycle();
        cluster.view.removePod("u-p");
        assertThat(cluster.follow()).isEmpty();
    }

    @Test
    void nodeRemovedBeforeItsPodIsBound_leavesThePodPending() {
        cluster.node("n", "4");
        cluster.pod("p", "1", APP, "");
        cluster.follow();
        cluster.cycle();
        cluster.view.removeNode("n");
        cluster.follow();
        assertThat(cluster.task("job", "p").isUnallocated(0)).isTrue();
        assertThat(cluster.followAll()).isEmpty();
    }

    @Test
    void podWhoseTaskWasStopped_saysSo() {
        cluster.pod("p", "1", APP, "");
        cluster.pod("q", "1", APP, "");
        cluster.follow();
        cluster.handle(new Command.StopTask(cluster.task("job", "p").ref(0)));
        assertThat(cluster.followAll()).isEmpty();
        assertThat(cluster.refusals)
                .containsEntry("u-p", List.of("its task has ended, in application job (Accepted): delete the pod"));
    }

    @Test
    void taskThatEnded_whileItsPodStays_leavesThePodOnItsNode() {
        cluster.node("n", "4");
        cluster.pod("p", "1", APP, "");
        cluster.follow();
        cluster.cycle();
        cluster.pod("p", "sluice", "1", APP, "nodeName: n", "");
        cluster.follow();
        cluster.handle(new Command.ReportTaskLost(cluster.allocated("job", "p").run()));
        assertThat(cluster.follow()).containsExactly("UpdateNode", "StopTask");
        assertThat(cluster.node("n").capacity()).hasToString("slots 9, vcore 3");
    }

    @Test
    void restart_findsNoDifference() {
        cluster.node("n", "4");
        cluster.pod("p", "1", APP, "");
        cluster.pod("web", "default-scheduler", "1", "", "nodeName: n", "");
        cluster.follow();
        cluster.cycle();
        cluster.restart();
        cluster.node("n", "4");
        cluster.pod("p", "sluice", "1", APP, "nodeName: n", "");
        cluster.pod("web", "default-scheduler", "1", "", "nodeName: n", "");
        assertThat(cluster.followAll()).isEmpty();
    }

    @Test
    void restart_findsWhatHappenedMeanwhile() {
        cluster.node("n", "4");
        cluster.node("m", "4");
        cluster.pod("p", "1", APP, "");
        cluster.pod("q", "1", APP, "");
        cluster.follow();
        cluster.restart();
        cluster.node("n", "8");
        cluster.pod("q", "1", APP, "");
        cluster.pod("r", "1", APP, "");
        assertThat(cluster.followAll()).containsExactly("RemoveNode", "UpdateNode", "AddTasks", "StopTask");
        assertThat(cluster.followAll()).isEmpty();
    }

    @Test
    void podAlone_isSealed() {
        cluster.pod("p", "1", "", "");
        cluster.follow();
        assertThat(cluster.application("team-a.pod.p.u-p").isSealed()).isTrue();
        assertThat(cluster.follow()).isEmpty();
        cluster.pod("q", "1", "labels: {applicationId: team-a.pod.p.u-p}", "");
        assertThat(cluster.follow()).isEmpty();
        assertThat(cluster.refusals)
                .containsEntry(
                        "u-q",
                        List.of(
                                "application team-a.pod.p.u-p (Accepted) accepts no more pods: use another application id"));
    }

    @Test
    void idOfCompletedApplication_canBeUsedAgain() {
        cluster.pod("p", "1", "", "");
        cluster.follow();
        cluster.view.removePod("u-p");
        cluster.follow();
        assertThat(cluster.application("team-a.pod.p.u-p").state().isEnded()).isTrue();
        cluster.pod("q", "1", "labels: {applicationId: team-a.pod.p.u-p}", "");
        assertThat(cluster.follow()).containsExactly("ForgetApplication", "SubmitApplication");
    }

    @Test
    void podsOfCancelledApplication_areNotSubmittedAgain() {
        cluster.pod("p", "1", APP, "");
        cluster.follow();
        cluster.handle(new Command.CancelApplication("default", "job", "by alice"));
        assertThat(cluster.application("job").state()).isEqualTo(ApplicationState.FAILED);
        assertThat(cluster.followAll()).isEmpty();
        assertThat(cluster.refusals)
                .containsEntry("u-p", List.of("its task has ended, in application job (Failed): delete the pod"));
        cluster.pod("q", "1", APP, "");
        assertThat(cluster.follow()).isEmpty();
        assertThat(cluster.refusals)
                .containsEntry(
                        "u-q",
                        List.of(
                                "application job (Failed) has pods that were not started: delete them, or use another id"));
        cluster.view.removePod("u-p");
        assertThat(cluster.follow()).containsExactly("ForgetApplication", "SubmitApplication");
    }

    @Test
    void refusedPod_isNotSubmitted_andSaysWhy() {
        cluster.pod("p", "sluice", "1", APP, "preemptionPolicy: Never", "");
        cluster.pod("q", "1", APP, "");
        assertThat(cluster.follow()).containsExactly("SubmitApplication");
        assertThat(cluster.refusals).containsOnlyKeys("u-p");
        assertThat(cluster.refusal("u-p")).startsWith("spec.preemptionPolicy: ");
        assertThat(cluster.application("job").groups()).hasSize(1);
    }

    @Test
    void podOfAnotherNamespace_cannotJoin() {
        cluster.pod("p", "1", APP, "");
        cluster.follow();
        cluster.pod("q", "1", APP + ", namespace: team-b", "");
        assertThat(cluster.follow()).isEmpty();
        assertThat(cluster.refusals)
                .containsEntry("u-q", List.of("application job is in namespace team-a: use another application id"));
    }

    @Test
    void applicationOfAJobFile_acceptsNoPods_andKeepsItsTasks() {
        cluster.handle(new Command.SubmitApplication(
                "default", ApplicationSpec.open("job", "root.a", TaskSpec.single("t", Resources.parse("vcore", "1")))));
        cluster.pod("q", "1", APP, "");
        assertThat(cluster.followAll()).isEmpty();
        assertThat(cluster.refusals)
                .containsEntry("u-q", List.of("application job does not consist of pods: use another application id"));
    }

    @Test
    void podWithoutQueue_isRefusedWithTheReasonOfTheRules() {
        cluster.pod("p", "1", APP + ", namespace: \"bad name\"", "");
        cluster.follow();
        assertThat(cluster.followAll()).isEmpty();
        assertThat(cluster.refusal("u-p")).startsWith("application job (Rejected): no placement rule");
    }
}
