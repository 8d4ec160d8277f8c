package dev.sluice.core.explain;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.core.application.TaskCondition;
import dev.sluice.core.application.TaskSpec;
import dev.sluice.core.configuration.PartitionConfiguration;
import dev.sluice.core.resource.Resources;
import dev.sluice.core.state.Application;
import dev.sluice.core.state.TaskGroup;
import dev.sluice.core.testing.ClusterUnderTest;
import dev.sluice.core.testing.QueueTreeText;
import dev.sluice.core.testing.SchedulerExtension;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Explanations that are computed in steps. */
@ExtendWith(SchedulerExtension.class)
class ExplanationTest {

    private static final int NODES = 30;
    private static final int GROUPS = 40;

    /** Many nodes, some of them not ready, and applications that wait for all kinds of reasons. */
    private static void fill(ClusterUnderTest cluster) {
        cluster.queues(QueueTreeText.of("""
                root
                ├─ a
                └─ s   stateaware
                """));
        for (int i = 0; i < NODES; i++) {
            cluster.node("n" + i, "vcore", "4", "memory", "8Gi");
        }
        List<TaskSpec> tasks = new ArrayList<>();
        for (int i = 0; i < GROUPS; i++) {
            tasks.add(TaskSpec.of("t" + i, 2, Resources.parse("vcore", i % 2 == 0 ? "3" : "9", "memory", i + "Gi")));
        }
        cluster.submit("many", "root.a", tasks.toArray(new TaskSpec[0]));
        for (int i = 0; i < 20; i++) {
            cluster.submit(
                    "s" + i,
                    "root.s",
                    TaskSpec.of("t", 100, Resources.parse("vcore", "3")).withPriority(i % 7));
        }
        cluster.cycle();
    }

    private static List<PendingSummary> inSteps(ClusterUnderTest cluster, Application application, int budgetMax) {
        Explanation explanation = new Explainer(cluster.partition()).begin(application);
        for (int steps = 1; ; steps++) {
            StepBudget budget = new StepBudget(budgetMax);
            boolean done = explanation.step(budget);
            assertThat(budget.taken()).isLessThanOrEqualTo(budgetMax);
            if (done) {
                assertThat(steps).as("steps").isGreaterThan(1);
                return explanation.waiting();
            }
        }
    }

    @Test
    void explanation_inSteps_equalsSingleStep(ClusterUnderTest cluster) {
        fill(cluster);
        for (String id : List.of("many", "s3", "s19")) {
            Application application = cluster.application(id);
            List<PendingSummary> whole = new Explainer(cluster.partition()).explain(application);
            assertThat(whole).isNotEmpty();
            for (int budget : new int[] {StepBudget.MIN, 7, 16}) {
                assertThat(inSteps(cluster, application, budget))
                        .as("%s with a budget of %d", id, budget)
                        .isEqualTo(whole);
            }
        }
    }

    @Test
    void explanation_duringChurn_terminates(ClusterUnderTest cluster) {
        fill(cluster);
        Application application = cluster.application("s0");
        Explanation explanation = new Explainer(cluster.partition()).begin(application);
        int steps = 0;
        while (!explanation.step(new StepBudget(StepBudget.MIN))) {
            if (steps < 15) {
                cluster.cancel("s" + (steps + 1));
                cluster.submit("new" + steps, "root.s", TaskSpec.of("t", 1, Resources.parse("vcore", "3")));
                cluster.removeNode("n" + steps);
                cluster.node("m" + steps, "vcore", "4");
            }
            steps++;
        }
        assertThat(steps).isGreaterThan(5);
        assertThat(explanation.waiting()).hasSize(1);
    }

    /** Each task depends on another one, so there are as many reasons as tasks. */
    @Test
    void reasons_listedInSteps_respectBudget(ClusterUnderTest cluster) {
        List<TaskSpec> tasks = new ArrayList<>();
        for (int i = 0; i <= GROUPS; i++) {
            TaskSpec task = TaskSpec.single("t" + i, Resources.parse("vcore", "1"));
            tasks.add(i == 0 ? task : task.withAfter(Map.of("t" + (i - 1), TaskCondition.SUCCEEDED)));
        }
        cluster.configure(PartitionConfiguration.simplest());
        cluster.node("n", "vcore", "1").submit("a", "root.default", tasks.toArray(new TaskSpec[0]));
        cluster.cycle();
        Explanation explanation = new Explainer(cluster.partition()).begin(cluster.application("a"));
        assertThat(explanation.step(StepBudget.unlimited())).isTrue();
        List<PendingSummary> listed = new ArrayList<>();
        boolean done = false;
        for (int steps = 1; !done; steps++) {
            done = explanation.listTo(listed::add, 1, new StepBudget(StepBudget.MIN));
            assertThat(listed).hasSizeLessThanOrEqualTo(steps * StepBudget.MIN);
        }
        assertThat(listed).hasSize(GROUPS).isEqualTo(explanation.waiting());
    }

    @Test
    void reason_ofManyTasks_listsLimitedGroups(ClusterUnderTest cluster) {
        fill(cluster);
        Explanation explanation = new Explainer(cluster.partition()).begin(cluster.application("many"));
        assertThat(explanation.step(StepBudget.unlimited())).isTrue();
        List<PendingSummary> listed = new ArrayList<>();
        assertThat(explanation.listTo(listed::add, 2, StepBudget.unlimited())).isTrue();
        assertThat(listed)
                .hasSameSizeAs(explanation.waiting())
                .allMatch(waiting -> waiting.groups().size() <= 2)
                .extracting(PendingSummary::tasks)
                .isEqualTo(explanation.waiting().stream()
                        .map(PendingSummary::tasks)
                        .toList());
    }

    @Test
    void task_withManyDependencies_isExplainedInSteps(ClusterUnderTest cluster) {
        List<TaskSpec> tasks = new ArrayList<>();
        Map<String, TaskCondition> after = new LinkedHashMap<>();
        for (int i = 0; i < 100; i++) {
            tasks.add(TaskSpec.single("t" + i, Resources.parse("vcore", "1")));
            after.put("t" + i, TaskCondition.SUCCEEDED);
        }
        tasks.add(TaskSpec.single("last", Resources.parse("vcore", "1")).withAfter(after));
        cluster.configure(PartitionConfiguration.simplest());
        cluster.node("n", "vcore", "99").submit("a", "root.default", tasks.toArray(new TaskSpec[0]));
        cluster.cycle();
        cluster.startAll().succeedAll("a");
        Application application = cluster.application("a");
        TaskGroup last = application.groups().get(100);
        Explainer explainer = new Explainer(cluster.partition());
        int steps = 1;
        WaitReason reason = explainer.explain(last, new StepBudget(10));
        for (; reason == null; steps++) {
            reason = explainer.explain(last, new StepBudget(10));
        }
        assertThat(steps).isEqualTo(10);
        assertThat(reason).isEqualTo(new WaitReason.AfterTask("t99", TaskCondition.SUCCEEDED));
    }
}
