package dev.sluice.core.explain;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.core.application.Taint;
import dev.sluice.core.application.TaintEffect;
import dev.sluice.core.application.TaskSpec;
import dev.sluice.core.resource.Resources;
import dev.sluice.core.state.Node;
import dev.sluice.core.testing.ClusterUnderTest;
import dev.sluice.core.testing.QueueTreeText;
import dev.sluice.core.testing.SchedulerExtension;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Which pending tasks fit on a node, whatever else they wait for. */
@ExtendWith(SchedulerExtension.class)
class NodeFitTest {

    private static void start(ClusterUnderTest cluster) {
        cluster.queues(QueueTreeText.of("""
                root
                └─ q   max(vcore 1)
                """));
        cluster.node("n", "vcore", "4");
        cluster.submit("running", "root.q", task("a", 1, "1"));
        cluster.cycle();
    }

    private static TaskSpec task(String id, int count, String cores) {
        return TaskSpec.of(id, count, Resources.parse("vcore", cores));
    }

    private static List<String> fits(ClusterUnderTest cluster, int max) {
        Node node = Objects.requireNonNull(cluster.partition().node("n"));
        return NodeFit.on(node, cluster.partition(), max).stream()
                .map(fit -> fit.group().application().id() + "/" + fit.group().name() + " " + fit.tasks())
                .toList();
    }

    @Test
    void tasksBehindMaximum_fitByFreeResources(ClusterUnderTest cluster) {
        start(cluster);
        cluster.submit("wide", "root.q", task("large", 1, "4"), task("small", 2, "1"))
                .submit("many", "root.q", task("t", 9, "1"))
                .submit("held", "root.q", task("t", 1, "1"))
                .hold("held");
        cluster.cycle();
        assertThat(fits(cluster, 9)).containsExactly("wide/small 2", "many/t 3");
        assertThat(fits(cluster, 1)).containsExactly("wide/small 2");
    }

    @Test
    void taintedNode_fitsNothingIntolerant(ClusterUnderTest cluster) {
        start(cluster);
        cluster.submit("waits", "root.q", task("t", 1, "1"));
        assertThat(fits(cluster, 9)).hasSize(1);
        cluster.taint("n", new Taint("gpu", "", TaintEffect.NO_SCHEDULE));
        assertThat(fits(cluster, 9)).isEmpty();
    }

    @Test
    void nodeOffline_fitsNothing(ClusterUnderTest cluster) {
        start(cluster);
        cluster.submit("waits", "root.q", task("t", 1, "1"));
        cluster.offline("n");
        assertThat(fits(cluster, 9)).isEmpty();
    }

    @Test
    void selectorOfOtherNode_doesNotFit(ClusterUnderTest cluster) {
        start(cluster);
        cluster.submit("waits", "root.q", task("t", 1, "1").withConstraints(Map.of("disk", "ssd"), null));
        assertThat(fits(cluster, 9)).isEmpty();
    }
}
