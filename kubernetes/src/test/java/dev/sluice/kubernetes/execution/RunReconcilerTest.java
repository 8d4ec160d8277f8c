package dev.sluice.kubernetes.execution;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.core.application.ApplicationState;
import dev.sluice.core.application.StopReason;
import dev.sluice.core.application.TaskState;
import dev.sluice.core.command.Command;
import dev.sluice.core.state.Task;
import dev.sluice.kubernetes.binding.PodRef;
import dev.sluice.kubernetes.reconciliation.Cluster;
import dev.sluice.kubernetes.reconciliation.TaskKey;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** One node of four cores, and the pod {@code p} of one core, which is allocated there. */
final class RunReconcilerTest {

    private static final String APP = "labels: {applicationId: job}";
    private static final PodRef POD = new PodRef("team-a", "p", "u-p");

    private final Cluster cluster = new Cluster();

    @BeforeEach
    void allocate() {
        cluster.node("n", "4");
        cluster.pod("p", "1", APP, "");
        cluster.follow();
        cluster.cycle();
    }

    private Task task() {
        return cluster.allocated("job", "p");
    }

    private void bound(String more, String status) {
        cluster.pod("p", "sluice", "1", APP + more, "nodeName: n", status);
    }

    private void stop() {
        cluster.handle(new Command.StopTask(task().ref()));
    }

    private PodRequest bind() {
        return new PodRequest.Bind(task().run(), POD, "n");
    }

    @Test
    void allocatedPod_isBoundOnce() {
        assertThat(cluster.run()).containsExactly(bind());
        cluster.view.changes().touchTask(new TaskKey("job", "p.u-p"));
        assertThat(cluster.run()).isEmpty();
        assertThat(cluster.runAll()).isEmpty();
    }

    @Test
    void boundPod_isNotBoundAgain_thoughAnOlderDescriptionArrives() {
        cluster.run();
        cluster.view.endBinding("u-p", "n");
        assertThat(cluster.run()).isEmpty();
        cluster.pod("p", "1", APP + ", annotations: {a: b}", "");
        assertThat(cluster.run()).isEmpty();
        assertThat(cluster.follow()).isEmpty();
        assertThat(cluster.node("n").capacity()).hasToString("slots 10, vcore 4");
        bound("", "");
        assertThat(cluster.run()).isEmpty();
        assertThat(cluster.follow()).isEmpty();
    }

    @Test
    void failedBinding_isTriedAgain_ifTheTaskIsStillAllocated() {
        cluster.run();
        cluster.view.endBinding("u-p", null);
        assertThat(cluster.run()).containsExactly(bind());
    }

    @Test
    void failedBinding_whoseTaskIsNotAllocatedAnyMore_isForgotten() {
        cluster.run();
        cluster.handle(new Command.ReportTaskNotStarted(task().run()));
        cluster.view.endBinding("u-p", null);
        assertThat(cluster.run()).isEmpty();
        assertThat(cluster.reports).isEmpty();
        assertThat(cluster.task("job", "p").isUnallocated(0)).isTrue();
    }

    @Test
    void runningPod_isStarted_once() {
        bound("", "phase: Pending");
        cluster.run();
        assertThat(task().state()).isEqualTo(TaskState.STARTING);
        bound("", "phase: Running");
        cluster.run();
        assertThat(cluster.reports).containsExactly("ReportTaskStarted");
        bound(", annotations: {a: b}", "phase: Running");
        cluster.run();
        assertThat(cluster.reports).isEmpty();
    }

    @Test
    void succeededPod_succeeds() {
        bound("", "phase: Succeeded");
        cluster.run();
        assertThat(cluster.reports).containsExactly("ReportTaskSucceeded");
        assertThat(cluster.task("job", "p").succeeded()).isOne();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            phase: Failed                                                   |     | failed
            phase: Failed, reason: Evicted, message: The node was low       |     | Evicted: The node was low
            phase: Failed, containerStatuses: [{name: a, state: {terminated: {exitCode: 0}}}, {name: b, state: {terminated: {exitCode: 3, reason: Error}}}] | 3 | container b: exit code 3
            phase: Failed, containerStatuses: [{name: a, state: {terminated: {exitCode: 137, reason: OOMKilled}}}] | 137 | container a (OOMKilled): exit code 137
            phase: Failed, initContainerStatuses: [{name: i, state: {terminated: {exitCode: 2}}}] | 2 | container i: exit code 2
            """)
    void failedPod_failsWithCodeAndReason(String status, Integer code, String detail) {
        bound("", status);
        RunComparison comparison = cluster.runs.changes(cluster.partition(), cluster.now);
        assertThat(comparison.reports()).containsExactly(new Command.ReportTaskFailed(task().run(), code, detail));
    }

    @Test
    void podThatSomebodyDeletes_counts_asStopped() {
        bound("", "phase: Running");
        cluster.run();
        cluster.view.removePod("u-p");
        cluster.run();
        assertThat(cluster.task("job", "p").stopped()).isOne();
        assertThat(cluster.task("job", "p").failed()).isZero();
    }

    @Test
    void podThatSomebodyDeletes_beforeItIsBound_countsAsStopped() {
        cluster.run();
        cluster.view.removePod("u-p");
        cluster.run();
        assertThat(cluster.task("job", "p").stopped()).isOne();
    }

    @Test
    void stoppedTask_endsItsPod_once() {
        bound("", "phase: Running");
        cluster.run();
        stop();
        assertThat(cluster.run()).containsExactly(new PodRequest.End(task().run(), POD, StopReason.STOPPED));
        bound(", annotations: {a: b}", "phase: Running");
        assertThat(cluster.run()).isEmpty();
        bound(", deletionTimestamp: \"2026-01-01T12:00:00Z\"", "phase: Running");
        assertThat(cluster.run()).isEmpty();
        assertThat(task().state()).isEqualTo(TaskState.STOPPING);
        cluster.view.removePod("u-p");
        cluster.run();
        assertThat(cluster.reports).containsExactly("ReportTaskFailed");
        assertThat(cluster.task("job", "p").stopped()).isOne();
    }

    @Test
    void endThatFailed_isRequestedAgain() {
        bound("", "phase: Running");
        cluster.run();
        stop();
        cluster.run();
        cluster.view.failEnding("u-p");
        assertThat(cluster.run()).hasSize(1);
    }

    @Test
    void taskStoppedBeforeItsPodIsBound_ends() {
        stop();
        assertThat(cluster.run()).isEmpty();
        assertThat(cluster.task("job", "p").stopped()).isOne();
    }

    @Test
    void taskStoppedWhileItsPodIsBound_waitsForTheOutcome() {
        cluster.run();
        stop();
        assertThat(cluster.run()).isEmpty();
        assertThat(cluster.reports).isEmpty();
        cluster.view.endBinding("u-p", "n");
        assertThat(cluster.run()).containsExactly(new PodRequest.End(task().run(), POD, StopReason.STOPPED));
    }

    @Test
    void podBoundElsewhere_givesThePlaceBack_andOccupiesTheOtherNode() {
        cluster.node("m", "4");
        cluster.follow();
        cluster.pod("p", "sluice", "1", APP, "nodeName: m", "");
        cluster.run();
        assertThat(cluster.reports).containsExactly("StopTask", "ReportTaskFailed");
        assertThat(cluster.task("job", "p").stopped()).isOne();
        assertThat(cluster.follow()).contains("UpdateNode");
        assertThat(cluster.node("m").capacity()).hasToString("slots 9, vcore 3");
        cluster.cycle();
        assertThat(cluster.run()).isEmpty();
    }

    @Test
    void restart_bindsWhatWasAllocated() {
        cluster.run();
        cluster.restart();
        cluster.node("n", "4");
        cluster.pod("p", "1", APP, "");
        assertThat(cluster.followAll()).isEmpty();
        assertThat(cluster.runAll()).containsExactly(bind());
    }

    @Test
    void restart_findsEnds() {
        cluster.restart();
        cluster.node("n", "4");
        bound("", "phase: Succeeded");
        cluster.followAll();
        cluster.runAll();
        assertThat(cluster.task("job", "p").succeeded()).isOne();
    }

    @Test
    void restart_endsPodsOfTasksThatAreToStop() {
        bound("", "phase: Running");
        cluster.handle(new Command.CancelApplication("default", "job", "by alice"));
        cluster.restart();
        cluster.node("n", "4");
        bound("", "phase: Running");
        cluster.followAll();
        assertThat(cluster.runAll()).containsExactly(new PodRequest.End(task().run(), POD, StopReason.CANCELLED));
        assertThat(cluster.application("job").state()).isNotEqualTo(ApplicationState.COMPLETED);
        assertThat(List.copyOf(cluster.refusals.keySet())).isEmpty();
    }
}
