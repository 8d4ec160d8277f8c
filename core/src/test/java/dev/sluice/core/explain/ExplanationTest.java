package dev.sluice.core.explain;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.core.application.TaskSpec;
import dev.sluice.core.resource.Resources;
import dev.sluice.core.state.Application;
import dev.sluice.core.testing.ClusterUnderTest;
import dev.sluice.core.testing.DrawnQueues;
import dev.sluice.core.testing.SchedulerExtension;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Explanations that are worked out piece by piece. */
@ExtendWith(SchedulerExtension.class)
class ExplanationTest {

    private static final int NODES = 30;
    private static final int GROUPS = 40;

    /** Many nodes, some of them not ready, and applications whose tasks wait for all kinds of reasons. */
    private static void fill(ClusterUnderTest cluster) {
        cluster.queues(DrawnQueues.of("""
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

    private static List<Waiting> inPieces(ClusterUnderTest cluster, Application application, int looksMax) {
        Explanation explanation = new Explainer(cluster.partition()).begin(application);
        for (int pieces = 1; ; pieces++) {
            Looks looks = new Looks(looksMax);
            boolean done = explanation.look(looks);
            assertThat(looks.taken()).isLessThanOrEqualTo(looksMax);
            if (done) {
                assertThat(pieces).as("pieces").isGreaterThan(1);
                return explanation.waiting();
            }
        }
    }

    @Test
    void explanation_inPieces_isThatOfTheWhole(ClusterUnderTest cluster) {
        fill(cluster);
        for (String id : List.of("many", "s3", "s19")) {
            Application application = cluster.application(id);
            List<Waiting> whole = new Explainer(cluster.partition()).explain(application);
            assertThat(whole).isNotEmpty();
            for (int looks : new int[] {Looks.MIN, 7, 16}) {
                assertThat(inPieces(cluster, application, looks))
                        .as("%s with %d looks", id, looks)
                        .isEqualTo(whole);
            }
        }
    }

    @Test
    void explanation_whileEverythingComesAndGoes_ends(ClusterUnderTest cluster) {
        fill(cluster);
        Application application = cluster.application("s0");
        Explanation explanation = new Explainer(cluster.partition()).begin(application);
        int pieces = 0;
        while (!explanation.look(new Looks(Looks.MIN))) {
            if (pieces < 15) {
                cluster.cancel("s" + (pieces + 1));
                cluster.submit("new" + pieces, "root.s", TaskSpec.of("t", 1, Resources.parse("vcore", "3")));
                cluster.removeNode("n" + pieces);
                cluster.node("m" + pieces, "vcore", "4");
            }
            pieces++;
        }
        assertThat(pieces).isGreaterThan(5);
        assertThat(explanation.waiting()).hasSize(1);
    }
}
