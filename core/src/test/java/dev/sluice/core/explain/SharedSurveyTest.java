package dev.sluice.core.explain;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.core.application.Constraints;
import dev.sluice.core.application.LabelSelector;
import dev.sluice.core.application.TaskAffinity;
import dev.sluice.core.application.TaskConstraints;
import dev.sluice.core.application.TaskSpec;
import dev.sluice.core.application.TaskTerm;
import dev.sluice.core.application.Topology;
import dev.sluice.core.configuration.PartitionConfiguration;
import dev.sluice.core.resource.Resources;
import dev.sluice.core.testing.ClusterUnderTest;
import dev.sluice.core.testing.QueueTreeText;
import dev.sluice.core.testing.SchedulerExtension;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Nodes are visited once for tasks that differ only in what nodes do not regard. */
@ExtendWith(SchedulerExtension.class)
class SharedSurveyTest {

    private static final int NODES = 50;
    private static final int APPLICATIONS = 40;

    private static TaskSpec labelled(int cores, Map<String, String> labels) {
        return TaskSpec.single("t", Resources.parse("vcore", String.valueOf(cores)))
                .withConstraints(Constraints.NONE.withTasks(TaskConstraints.NONE.withLabels(labels)));
    }

    private static String detail(ClusterUnderTest cluster, Explainer explainer, String application) {
        return explainer
                .explain(cluster.application(application))
                .get(0)
                .reason()
                .detail();
    }

    /** Returns how much of the state is visited to explain all applications but the first. */
    private static int visited(ClusterUnderTest cluster, Explainer explainer) {
        explainer.explain(cluster.application("x0"));
        StepBudget budget = new StepBudget(1_000_000);
        for (int i = 1; i < APPLICATIONS; i++) {
            assertThat(explainer.begin(cluster.application("x" + i)).step(budget))
                    .isTrue();
        }
        return budget.taken();
    }

    @Test
    void labelsThatNobodySelects_doNotMatter(ClusterUnderTest cluster) {
        cluster.configure(PartitionConfiguration.simplest()).nodes("n", NODES, "vcore", "1");
        for (int i = 0; i < APPLICATIONS; i++) {
            cluster.submit("x" + i, null, labelled(2, Map.of("index", String.valueOf(i))));
        }
        cluster.cycle();
        assertThat(visited(cluster, new Explainer(cluster.partition()))).isLessThan(NODES * 2);
    }

    @Test
    void labelsThatOthersExclude_matter(ClusterUnderTest cluster) {
        cluster.configure(PartitionConfiguration.simplest()).node("n", "vcore", "2");
        TaskTerm web = new TaskTerm(LabelSelector.of(Map.of("app", "web"), List.of()), Topology.HOST);
        TaskConstraints apart = TaskConstraints.NONE.withAntiAffinity(new TaskAffinity(List.of(web), List.of()));
        cluster.submit(
                        "apart",
                        null,
                        TaskSpec.single("t", Resources.parse("vcore", "1"))
                                .withConstraints(Constraints.NONE.withTasks(apart)))
                .cycle();
        cluster.submit("db", null, labelled(2, Map.of("app", "db")))
                .submit("web", null, labelled(2, Map.of("app", "web")))
                .cycle();
        Explainer explainer = new Explainer(cluster.partition());
        assertThat(detail(cluster, explainer, "db")).startsWith("insufficient vcore");
        assertThat(detail(cluster, explainer, "web"))
                .isEqualTo("the only node has a task that must not be beside this one");
    }

    @Test
    void labelsThatItsOwnAffinitySelects_matter(ClusterUnderTest cluster) {
        cluster.configure(PartitionConfiguration.simplest()).node("n", "vcore", "2");
        TaskTerm web = new TaskTerm(LabelSelector.of(Map.of("app", "web"), List.of()), Topology.HOST);
        TaskConstraints beside = TaskConstraints.NONE.withAffinity(new TaskAffinity(List.of(web), List.of()));
        for (String app : List.of("db", "web")) {
            cluster.submit(
                    app,
                    null,
                    TaskSpec.single("t", Resources.parse("vcore", "1"))
                            .withConstraints(Constraints.NONE.withTasks(beside.withLabels(Map.of("app", app)))));
        }
        Explainer explainer = new Explainer(cluster.partition());
        assertThat(detail(cluster, explainer, "db")).contains("no task that this one must be beside");
        assertThat(detail(cluster, explainer, "web")).isEqualTo("will be considered in the next cycle");
    }

    @Test
    void preemption_isSurveyedOncePerQueueAndRequirements(ClusterUnderTest cluster) {
        cluster.queues(QueueTreeText.of("""
                        root runtime(PT5M)
                        ├─ a    guaranteed(vcore 100)
                        └─ b
                        """)).nodes("n", NODES, "vcore", "1");
        cluster.submit("b", "root.b", TaskSpec.of("t", NODES, Resources.parse("vcore", "1")))
                .cycle();
        cluster.startAll();
        for (int i = 0; i < APPLICATIONS; i++) {
            cluster.submit("x" + i, "root.a", labelled(1, Map.of("index", String.valueOf(i))));
        }
        cluster.cycle();
        cluster.advance(Duration.ofSeconds(30)).cycle();
        Explainer explainer = new Explainer(cluster.partition(), cluster.now());
        assertThat(visited(cluster, explainer)).isLessThan(NODES * 2);
        assertThat(detail(cluster, explainer, "x7")).isEqualTo(detail(cluster, explainer, "x0"));
        assertThat(detail(cluster, explainer, "x7")).contains("preempts nothing: 50 tasks are protected");
    }
}
