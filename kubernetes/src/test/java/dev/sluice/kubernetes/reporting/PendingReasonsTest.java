package dev.sluice.kubernetes.reporting;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.core.command.Command;
import dev.sluice.core.configuration.PartitionConfiguration;
import dev.sluice.core.configuration.QueueConfiguration;
import dev.sluice.core.configuration.QueueProperties;
import dev.sluice.core.engine.Scheduler;
import dev.sluice.core.explain.AllocationText;
import dev.sluice.core.explain.Explainer;
import dev.sluice.core.explain.PendingSummary;
import dev.sluice.core.explain.StepBudget;
import dev.sluice.core.resource.Resources;
import dev.sluice.core.state.Partition;
import dev.sluice.core.state.TaskGroup;
import dev.sluice.kubernetes.reconciliation.ClusterView;
import dev.sluice.kubernetes.reconciliation.Reconciler;
import dev.sluice.kubernetes.reconciliation.Reconciliation;
import dev.sluice.kubernetes.translation.Manifests;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Pods get the words with which the scheduler explains their tasks, however many steps that takes. */
final class PendingReasonsTest {

    private static final Instant NOW = Instant.parse("2026-01-01T12:00:00Z");

    private final Scheduler scheduler = new Scheduler();
    private final ClusterView view = new ClusterView(Set.of("sluice"));
    private final Reconciler reconciler = new Reconciler(view, node -> false);
    private final Map<String, List<String>> refusals = new HashMap<>();

    private void configure(QueueConfiguration... queues) {
        scheduler.handle(
                new Command.ApplyConfiguration(
                        List.of(PartitionConfiguration.of("default", QueueConfiguration.parent("root", queues)))),
                NOW);
    }

    private static QueueConfiguration leaf(String name, Resources guaranteed, Resources max) {
        return QueueConfiguration.of(name, guaranteed, max, 0, QueueProperties.DEFAULTS, List.of());
    }

    private void node(String name, String cores) {
        view.put(Manifests.node("{metadata: {name: " + name + "}, status: {allocatable: {cpu: " + cores
                + ", pods: 200000}, conditions: [{type: Ready, status: \"True\"}]}}"));
    }

    private void pod(String name, String application, String queue, String cores, String spec) {
        view.put(Manifests.pod("{metadata: {name: " + name + ", uid: u-" + name + ", labels: {applicationId: "
                + application + ", queue: " + queue
                + "}}, spec: {schedulerName: sluice, containers: [{name: c, resources: {requests: {cpu: " + cores
                + "}}}], " + spec + "}}"));
    }

    /** Makes the state follow, and places what fits. */
    private void follow() {
        Reconciliation reconciliation = reconciler.all(partition());
        refusals.putAll(reconciliation.refusals());
        for (Command command : reconciliation.commands()) {
            assertThat(scheduler.handle(command, NOW).refusal()).isNull();
        }
        scheduler.cycle("default", NOW);
    }

    private Partition partition() {
        return Objects.requireNonNull(scheduler.state().partition("default"));
    }

    private Map<String, PendingPod> reasons(int budget) {
        PendingReasons pass = new PendingReasons(view, refusals);
        int steps = 0;
        while (!pass.step(partition(), NOW, new StepBudget(budget))) {
            steps++;
            assertThat(steps).isLessThan(100_000);
        }
        Map<String, PendingPod> byName = new HashMap<>();
        pass.answer().forEach(each -> byName.put(each.pod().name(), each));
        return byName;
    }

    /** Nodes, quotas and refusals in one cluster. */
    private void fill() {
        configure(QueueConfiguration.leaf("a"), leaf("b", Resources.NONE, Resources.of("vcore", 2_000)));
        node("n", "4");
        pod("running", "one", "root.a", "3", "");
        follow();
        for (int i = 0; i < 10; i++) {
            pod("large-" + i, "one", "root.a", "2", "");
            pod("huge-" + i, "one", "root.a", "8", "");
            pod("quota-" + i, "two", "root.b", i % 2 == 0 ? "3" : "2500m", "");
        }
        pod("picky", "three", "root.a", "1", "nodeSelector: {disk: ssd}");
        pod("refused", "three", "root.a", "1", "preemptionPolicy: Never");
        pod("gated", "three", "root.a", "1", "schedulingGates: [{name: g}]");
        follow();
    }

    @Test
    void words_areThoseOfTheExplainer() {
        fill();
        Map<String, PendingPod> reasons = reasons(Integer.MAX_VALUE);
        int explained = 0;
        for (PendingSummary summary : new Explainer(partition(), NOW).explainAll()) {
            for (TaskGroup group : summary.groups()) {
                String pod = group.name().substring(0, group.name().lastIndexOf('.'));
                PendingPod found = Objects.requireNonNull(reasons.get(pod), pod);
                assertThat(found.message()).isEqualTo(summary.reason().detail());
                assertThat(found.kind()).isEqualTo(summary.reason().code());
                explained++;
            }
        }
        assertThat(explained).isEqualTo(31);
        assertThat(reasons.keySet()).hasSize(32).contains("refused").doesNotContain("running", "gated");
        assertThat(Objects.requireNonNull(reasons.get("large-0")).message())
                .isEqualTo("insufficient vcore on the only node");
        assertThat(Objects.requireNonNull(reasons.get("quota-0")).message())
                .isEqualTo("the task alone exceeds the maximum of queue root.b: 1 of vcore missing");
        assertThat(Objects.requireNonNull(reasons.get("refused")).message())
                .startsWith("spec.preemptionPolicy: Never is not supported");
    }

    @Test
    void conditionReason_isUnschedulable_onlyWhereNodesAreMissing() {
        fill();
        Map<String, PendingPod> reasons = reasons(Integer.MAX_VALUE);
        assertThat(Objects.requireNonNull(reasons.get("large-0")).conditionReason())
                .isEqualTo("Unschedulable");
        assertThat(Objects.requireNonNull(reasons.get("picky")).conditionReason())
                .isEqualTo("Unschedulable");
        assertThat(Objects.requireNonNull(reasons.get("quota-0")).conditionReason())
                .isEqualTo("SchedulingSkipped");
        assertThat(Objects.requireNonNull(reasons.get("refused")).conditionReason())
                .isEqualTo("SchedulingSkipped");
    }

    @Test
    void numberOfSteps_doesNotMatter() {
        fill();
        assertThat(reasons(StepBudget.MIN)).isEqualTo(reasons(Integer.MAX_VALUE));
    }

    /** A pod runs on the node n, and another one is reserved there. */
    private void reserve() {
        configure(leaf("a", Resources.of("vcore", 4_000), Resources.NONE), QueueConfiguration.leaf("b"));
        node("n", "4");
        pod("victim", "one", "root.b", "4", "");
        follow();
        scheduler.handle(
                new Command.ReportTaskStarted(Objects.requireNonNull(
                                partition().existing("one").groups().get(0).placed(0))
                        .run()),
                NOW);
        pod("beneficiary", "two", "root.a", "4", "");
        follow();
        scheduler.cycle("default", NOW.plusSeconds(60));
    }

    private String messageOfBeneficiary() {
        return Objects.requireNonNull(reasons(Integer.MAX_VALUE).get("beneficiary"))
                .message();
    }

    @Test
    void reservedTask_namesWhatPreventsTheEndOfItsVictims() {
        reserve();
        view.endBinding("u-victim", "n");
        String message = messageOfBeneficiary();
        view.delayEnding("u-victim", "waiting for PodDisruptionBudget default/early");
        assertThat(messageOfBeneficiary()).as("its end is not requested yet").isEqualTo(message);
        view.beginEnding("u-victim");
        view.delayEnding("u-victim", "waiting for PodDisruptionBudget default/web");
        assertThat(messageOfBeneficiary()).isEqualTo(message + "; waiting for PodDisruptionBudget default/web");
        view.delayEnding("u-victim", "");
        assertThat(messageOfBeneficiary()).isEqualTo(message);
        view.delayEnding("u-victim", "waiting for PodDisruptionBudget default/web");
        view.failEnding("u-victim");
        assertThat(messageOfBeneficiary()).isEqualTo(message);
    }

    @Test
    void reservedTask_nominatesItsNode() {
        reserve();
        PendingPod found = Objects.requireNonNull(reasons(Integer.MAX_VALUE).get("beneficiary"));
        assertThat(found.nominatedNode()).isEqualTo("n");
        assertThat(found.kind()).isEqualTo(PendingPod.RESERVED);
        assertThat(found.conditionReason()).isEqualTo("Unschedulable");
        assertThat(found.message())
                .isEqualTo(AllocationText.of(Objects.requireNonNull(
                        partition().existing("two").groups().get(0).placed(0))))
                .isEqualTo("reserved on n since 2026-01-01T12:01:00Z; starts when 1 task preempted there has ended:"
                        + " one/victim.u-victim");
    }

    @Test
    @Tag("slow")
    void podsThatComeAndGoBetweenSteps_doNotMatter() {
        fill();
        PendingReasons pass = new PendingReasons(view, refusals);
        boolean complete = false;
        int step = 0;
        while (!complete) {
            complete = pass.step(partition(), NOW, new StepBudget(StepBudget.MIN));
            if (step < 10) {
                view.removePod("u-large-" + step);
                pod("later-" + step, "one", "root.a", "2", "");
                follow();
            }
            step++;
        }
        assertThat(pass.answer()).extracting(each -> each.pod().name()).contains("picky", "huge-3", "quota-3");
    }
}
