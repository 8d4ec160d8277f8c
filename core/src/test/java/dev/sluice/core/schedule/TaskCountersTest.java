package dev.sluice.core.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.core.application.Constraints;
import dev.sluice.core.application.LabelSelector;
import dev.sluice.core.application.NodeSelectorRequirement;
import dev.sluice.core.application.TaskConstraints;
import dev.sluice.core.application.TaskSpec;
import dev.sluice.core.configuration.PartitionConfiguration;
import dev.sluice.core.resource.Resources;
import dev.sluice.core.testing.ClusterUnderTest;
import dev.sluice.core.testing.SchedulerExtension;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Counters of tasks that are running already, and of those that are allocated and end. */
@ExtendWith(SchedulerExtension.class)
class TaskCountersTest {

    private static final Resources CORE = Resources.parse("vcore", "1");

    /** Two nodes of zone x and one of zone y. */
    private static ClusterUnderTest zones(ClusterUnderTest cluster) {
        return cluster.configure(PartitionConfiguration.simplest())
                .node("a", Map.of("zone", "x"), "vcore", "9")
                .node("b", Map.of("zone", "x"), "vcore", "9")
                .node("c", Map.of("zone", "y"), "vcore", "9");
    }

    private static void run(ClusterUnderTest cluster, String id, Map<String, String> labels, String node) {
        TaskSpec task = TaskSpec.of("t", 1, CORE)
                .withConstraints(Map.of(), node)
                .withConstraints(Constraints.NONE.withTasks(TaskConstraints.NONE.withLabels(labels)));
        cluster.submit(id, null, task).cycle();
    }

    private static TaskCounter.Selected selected(NodeSelectorRequirement requirement) {
        return new TaskCounter.Selected(new LabelSelector(List.of(requirement)), "zone", TaskCounter.Nodes.ALL);
    }

    private static TaskCounter.Selected app(String name) {
        return selected(NodeSelectorRequirement.label("app", name));
    }

    private static int at(TaskCounter counter, ClusterUnderTest cluster, String node) {
        return counter.at(cluster.node(node).index());
    }

    @Test
    void use_newSelector_countsRunningTasks(ClusterUnderTest cluster) {
        run(zones(cluster), "web", Map.of("app", "web"), "b");
        run(cluster, "none", Map.of(), "c");
        TaskCounters counters = new TaskCounters(cluster.partition());
        counters.sync(cluster.partition().changes());
        TaskCounter db = counters.use(app("db"));
        TaskCounter web = counters.use(app("web"));
        TaskCounter others = counters.use(selected(
                new NodeSelectorRequirement("app", NodeSelectorRequirement.Operator.DOES_NOT_EXIST, List.of())));
        assertThat(db.total()).isZero();
        assertThat(at(web, cluster, "a")).isEqualTo(1);
        assertThat(at(web, cluster, "c")).isZero();
        assertThat(at(others, cluster, "c")).isEqualTo(1);
        assertThat(others.total()).isEqualTo(1);
    }

    @Test
    void sync_taskEnds_countsForNoSelector(ClusterUnderTest cluster) {
        run(zones(cluster), "web", Map.of("app", "web"), "c");
        TaskCounters counters = new TaskCounters(cluster.partition());
        counters.sync(cluster.partition().changes());
        TaskCounter web = counters.use(app("web"));
        assertThat(at(web, cluster, "c")).isEqualTo(1);
        cluster.succeedAll("web");
        counters.sync(cluster.partition().changes());
        assertThat(web.total()).isZero();
        TaskCounter later = counters.use(
                selected(new NodeSelectorRequirement("app", NodeSelectorRequirement.Operator.EXISTS, List.of())));
        assertThat(later.total()).isZero();
    }

    @Test
    void least_tasksComeAndGo_isThatOfTheEmptiestDomain(ClusterUnderTest cluster) {
        zones(cluster);
        TaskCounters counters = new TaskCounters(cluster.partition());
        counters.sync(cluster.partition().changes());
        TaskCounter web = counters.use(app("web"));
        assertThat(web.least(2)).isZero();
        web.change(cluster.node("a"), 1);
        web.change(cluster.node("c"), 1);
        assertThat(web.least(2)).isEqualTo(1);
        web.change(cluster.node("b"), 1);
        assertThat(web.least(2)).isEqualTo(1);
        web.change(cluster.node("c"), -1);
        assertThat(web.least(2)).isZero();
        web.change(cluster.node("c"), 1);
        web.change(cluster.node("c"), 1);
        assertThat(web.least(2)).isEqualTo(2);
        assertThat(web.least(3)).as("fewer domains than that").isZero();
    }

    @Test
    void hasTasksEverywhere_oneZoneEmptyOrNodeOutside_isFalse(ClusterUnderTest cluster) {
        run(zones(cluster), "one", Map.of("app", "web"), "a");
        TaskCounters counters = new TaskCounters(cluster.partition());
        counters.sync(cluster.partition().changes());
        TaskCounter web = counters.use(app("web"));
        assertThat(web.hasTasksEverywhere()).isFalse();
        web.change(cluster.node("c"), 1);
        assertThat(web.hasTasksEverywhere()).isTrue();
        cluster.node("d", "vcore", "1");
        counters.sync(cluster.partition().changes());
        web.change(cluster.node("c"), 1);
        assertThat(web.hasTasksEverywhere()).isFalse();
    }
}
