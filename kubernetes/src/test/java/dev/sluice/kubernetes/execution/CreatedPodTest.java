package dev.sluice.kubernetes.execution;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.core.application.ApplicationSpec;
import dev.sluice.core.application.Gang;
import dev.sluice.core.application.TaskSpec;
import dev.sluice.core.application.TaskState;
import dev.sluice.core.command.Command;
import dev.sluice.core.state.Task;
import dev.sluice.kubernetes.creation.Images;
import dev.sluice.kubernetes.creation.NewPod;
import dev.sluice.kubernetes.creation.PodRun;
import dev.sluice.kubernetes.reconciliation.Cluster;
import dev.sluice.kubernetes.translation.Manifests;
import dev.sluice.runtime.host.RunObstacles;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** One node of four cores, and a task with an image that is allocated there. */
final class CreatedPodTest {

    private final Cluster cluster = new Cluster();

    @BeforeEach
    void allocate() {
        cluster.node("n", "4");
        cluster.follow();
        submit("etl");
    }

    private void submit(String id) {
        TaskSpec task = Images.task("load", 2, Images.command("", ""));
        cluster.handle(new Command.SubmitApplication("default", Images.application(id, task)));
        cluster.cycle();
    }

    private @Nullable Task allocated(int index) {
        return cluster.application("etl").groups().get(0).placed(index);
    }

    private Task task() {
        return Objects.requireNonNull(allocated(0));
    }

    private NewPod create() {
        List<PodRequest> requests = cluster.run();
        assertThat(requests).hasSize(2).allMatch(PodRequest.Create.class::isInstance);
        return ((PodRequest.Create) requests.get(0)).pod();
    }

    private void observe(NewPod pod, String more, String status) {
        cluster.view.put(Manifests.pod(pod.manifest()
                .deepCopy()
                .toString()
                .replaceFirst("\"metadata\":\\{", "\"metadata\":{\"uid\":\"u\", " + more)
                .replaceFirst("}$", ", \"status\": {" + status + "}}")));
    }

    private NewPod running() {
        NewPod pod = create();
        cluster.view.runs().created(pod.run());
        observe(pod, "", "phase: Running");
        cluster.run();
        return pod;
    }

    @Test
    void pod_isCreatedOnce() {
        NewPod pod = create();
        assertThat(pod.run()).isEqualTo(new PodRun("default", "etl", "load-0", 1, 0));
        assertThat(cluster.runAll()).isEmpty();
        cluster.view.runs().created(pod.run());
        assertThat(cluster.runAll()).as("not observed yet").isEmpty();
        observe(pod, "", "phase: Pending");
        assertThat(cluster.run()).isEmpty();
        assertThat(cluster.follow()).as("it occupies its node as a task").isEmpty();
        assertThat(cluster.node("n").capacity()).hasToString("slots 10, vcore 4");
        assertThat(task().state()).isEqualTo(TaskState.STARTING);
    }

    @Test
    void podOfAnEarlierServer_isAdopted() {
        NewPod pod = create();
        cluster.restart();
        cluster.node("n", "4");
        observe(pod, "", "phase: Running");
        cluster.followAll();
        assertThat(cluster.runAll()).isEmpty();
        assertThat(cluster.reports)
                .as("the pod of the other task may have been created and deleted")
                .containsExactlyInAnyOrder("ReportTaskStarted", "ReportTaskLost");
        assertThat(cluster.node("n").capacity()).hasToString("slots 10, vcore 4");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            phase: Succeeded | 1 | 0 |
            phase: Failed, containerStatuses: [{name: task, state: {terminated: {exitCode: 3}}}] | 0 | 1 |
            phase: Failed, reason: Evicted | 0 | 0 | again
            phase: Failed, reason: OutOfcpu | 0 | 0 | again
            'phase: Failed, reason: x, conditions: [{type: DisruptionTarget, status: "True"}]' | 0 | 0 | again
            """)
    void end_countsAsItsCauseSays(String status, int succeeded, int failed, String again) {
        NewPod pod = running();
        observe(pod, "", status);
        List<PodRequest> requests = cluster.run();
        assertThat(cluster.application("etl").succeeded()).isEqualTo(succeeded);
        assertThat(cluster.application("etl").failed()).isEqualTo(failed);
        assertThat(allocated(0)).isNull();
        assertThat(cluster.application("etl").groups().get(0).isUnallocated(0)).isEqualTo(again != null);
        assertThat(requests)
                .singleElement()
                .isInstanceOfSatisfying(
                        PodRequest.KeepLog.class,
                        each -> assertThat(each.ended()).isTrue());
        assertThat(cluster.run())
                .singleElement()
                .isInstanceOfSatisfying(
                        PodRequest.Remove.class,
                        each -> assertThat(each.ended()).isTrue());
        assertThat(cluster.runAll())
                .as("the removal is requested once; the other task has a pod")
                .isEmpty();
    }

    @Test
    void podThatSomebodyDeletes_runsAgain_underAnotherName() {
        NewPod pod = running();
        observe(pod, "\"deletionTimestamp\": \"2026-01-01T00:00:00Z\", ", "phase: Running");
        assertThat(cluster.run()).isEmpty();
        cluster.view.removePod("u");
        cluster.run();
        assertThat(cluster.reports).containsExactly("ReportTaskLost");
        cluster.cycle();
        assertThat(cluster.run()).first().isInstanceOfSatisfying(PodRequest.Create.class, next -> {
            assertThat(next.pod().run().attempt()).isEqualTo(2);
            assertThat(next.pod().name()).isNotEqualTo(pod.name());
        });
    }

    @Test
    void startedRun_whosePodIsGoneAfterARestart_isLost() {
        running();
        cluster.restart();
        cluster.runAll();
        assertThat(cluster.reports).contains("ReportTaskLost");
    }

    @Test
    void runWithoutPod_afterARestart_isNotCreatedAgain_butLost() {
        NewPod pod = create();
        cluster.restart();
        cluster.node("n", "4");
        cluster.followAll();
        assertThat(cluster.runAll()).isEmpty();
        assertThat(cluster.reports).containsExactly("ReportTaskLost", "ReportTaskLost");
        cluster.cycle();
        assertThat(cluster.run())
                .first()
                .isInstanceOfSatisfying(
                        PodRequest.Create.class,
                        next -> assertThat(next.pod().run())
                                .isEqualTo(new PodRun(
                                        "default", "etl", "load-0", 2, pod.run().allocation() + 2)));
    }

    @Test
    void podThatIsGoneBeforeItIsObserved_isLost() {
        NewPod pod = create();
        cluster.view.runs().created(pod.run());
        cluster.run();
        cluster.view.runs().gone(pod.run());
        cluster.run();
        assertThat(cluster.reports).containsExactly("ReportTaskLost");
    }

    @Test
    void stop_deletesThePod_andEndsTheRunWhenItIsGone() {
        NewPod pod = running();
        cluster.handle(new Command.StopTask(task().ref()));
        List<PodRequest> requests = cluster.run();
        assertThat(requests).hasSize(2);
        assertThat(requests.get(0))
                .isInstanceOfSatisfying(
                        PodRequest.KeepLog.class,
                        each -> assertThat(each.ended()).isFalse());
        assertThat(requests.get(1))
                .isInstanceOfSatisfying(
                        PodRequest.End.class,
                        end -> assertThat(end.pod().name()).isEqualTo(pod.name()));
        assertThat(allocated(0)).isNotNull();
        cluster.view.removePod("u");
        cluster.run();
        assertThat(cluster.reports).containsExactly("ReportTaskFailed");
        assertThat(cluster.application("etl").stopped()).isOne();
        assertThat(cluster.run()).containsExactly(new PodRequest.Forget(pod.run()));
        assertThat(cluster.view.runs().find(pod.run())).as("forgotten").isNull();
    }

    @Test
    void podThatCannotStart_failsAfterAWhile() {
        NewPod pod = create();
        String waiting = "phase: Pending, containerStatuses: [{name: task, state: {waiting: {reason: %s}}}]";
        observe(pod, "", waiting.formatted("ContainerCreating"));
        assertThat(cluster.run()).isEmpty();
        observe(pod, "", waiting.formatted("ErrImagePull"));
        assertThat(cluster.run())
                .singleElement()
                .isInstanceOfSatisfying(
                        PodRequest.Hindered.class,
                        each -> assertThat(each.reason()).isEqualTo("ErrImagePull"));
        observe(pod, "", waiting.formatted("ImagePullBackOff"));
        assertThat(cluster.run()).isEmpty();
        assertThat(cluster.runs.obstacles().of("etl"))
                .containsExactly(Map.entry(
                        task().run(), new RunObstacles.Obstacle("pod tasks/" + pod.name(), "ImagePullBackOff")));
        cluster.view.runs().overdue(pod.run());
        assertThat(cluster.run()).singleElement().isInstanceOf(PodRequest.Remove.class);
        assertThat(allocated(0)).as("while the pod exists").isNotNull();
        cluster.view.removePod("u");
        cluster.run();
        assertThat(cluster.reports).containsExactly("ReportTaskFailed");
        assertThat(cluster.application("etl").failed()).isOne();
        cluster.run();
        assertThat(cluster.runs.obstacles().of("etl")).isEmpty();
    }

    @Test
    void obstacle_isForgotten_whenThePodStarts() {
        NewPod pod = create();
        observe(pod, "", "phase: Pending, containerStatuses: [{name: task, state: {waiting: {reason: ErrImagePull}}}]");
        cluster.run();
        assertThat(cluster.runs.obstacles().of("etl")).hasSize(1);
        observe(pod, "", "phase: Running");
        cluster.run();
        assertThat(cluster.runs.obstacles().of("etl")).isEmpty();
    }

    @Test
    void gang_hasItsPodsCreatedTogether() {
        cluster.node("m", "4");
        cluster.follow();
        ApplicationSpec train = Images.application(
                "train",
                Images.task("worker", 4, Images.command("", "")),
                Images.task("driver", 0, Images.command("", "")));
        cluster.handle(
                new Command.SubmitApplication("default", train.withGang(Gang.of(Map.of("worker", 4, "driver", 1)))));
        cluster.run();
        cluster.cycle();
        assertThat(cluster.run())
                .extracting(request -> ((PodRequest.Create) request).pod().run().task())
                .containsExactlyInAnyOrder("worker-0", "worker-1", "worker-2", "worker-3", "driver");
        assertThat(cluster.reports).as("they are no places for pods of others").isEmpty();
        assertThat(cluster.expiries).isEmpty();
    }

    @Test
    void stop_beforeThePodIsCreated_createsNone() {
        cluster.handle(new Command.StopTask(task().ref()));
        assertThat(cluster.run()).hasSize(1);
        assertThat(cluster.application("etl").stopped()).isOne();
    }

    @Test
    void podOfAnUnknownRun_isDeleted_andOccupiesItsNodeUntilThen() {
        NewPod pod = running();
        Cluster later = new Cluster();
        later.node("n", "4");
        later.view.put(Manifests.pod(
                pod.manifest().toString().replaceFirst("\"metadata\":\\{", "\"metadata\":{\"uid\":\"u\",")));
        later.followAll();
        assertThat(later.node("n").capacity()).hasToString("slots 9, vcore 3");
        assertThat(later.runAll())
                .singleElement()
                .isInstanceOfSatisfying(
                        PodRequest.Remove.class,
                        each -> assertThat(each.ended()).isFalse());
    }

    @ParameterizedTest
    @CsvSource({"tasks,other", "sluice.dev/run-task,another", "run-attempt\":\"1,run-attempt\":\"2"})
    void podThatOnlyLooksLikeThatOfARun_isNot(String original, String replacement) {
        NewPod pod = create();
        cluster.view.put(Manifests.pod(pod.manifest()
                .toString()
                .replaceFirst("\"metadata\":\\{", "\"metadata\":{\"uid\":\"u\",")
                .replaceFirst(original, replacement)));
        assertThat(Objects.requireNonNull(cluster.view.runs().find(pod.run())).pod())
                .isNull();
    }

    @Test
    void refusedCreation_isForgotten_unlessThePodIsThere() {
        NewPod pod = create();
        assertThat(cluster.view.runs().failed(pod.run())).isTrue();
        observe(pod, "", "phase: Running");
        assertThat(cluster.view.runs().failed(pod.run())).isFalse();
        cluster.run();
        assertThat(cluster.reports).containsExactly("ReportTaskStarted");
    }
}
