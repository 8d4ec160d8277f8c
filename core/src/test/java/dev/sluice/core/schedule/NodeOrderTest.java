package dev.sluice.core.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.core.application.TaskSpec;
import dev.sluice.core.configuration.PartitionConfiguration;
import dev.sluice.core.resource.Resources;
import dev.sluice.core.state.Node;
import dev.sluice.core.state.Partition;
import dev.sluice.core.state.Task;
import dev.sluice.core.testing.ClusterUnderTest;
import dev.sluice.core.testing.SchedulerExtension;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Aggregates of the node order. */
@ExtendWith(SchedulerExtension.class)
class NodeOrderTest {

    /** Computes the same by a scan of all nodes. */
    private static long[] scanned(Partition partition) {
        long[] free = new long[partition.types().size()];
        for (Node node : partition.nodes()) {
            if (node.isReady()) {
                free[0] += Math.max(0, node.workers() - node.tasks().size());
                for (int type = 1; type < free.length; type++) {
                    free[type] += node.free(type);
                }
            }
        }
        return free;
    }

    @Test
    void freeCapacity_duringChurn_matchesFullScan(ClusterUnderTest cluster) {
        long seed = 7;
        Random random = new Random(seed);
        cluster.configure(PartitionConfiguration.simplest())
                .nodes("slots", 3, "slots", "2")
                .nodes("both", 3, "slots", "3", "vcore", "2")
                .nodes("cores", 3, "vcore", "2500m", "memory", "4Gi")
                .node("away", "vcore", "8")
                .offline("away");
        for (int change = 0; change < 4; change++) {
            NodeOrder order = new NodeOrder(cluster.partition(), new EquivalenceClasses(cluster.partition()));
            assertThat(order.totalFree()).as("seed %d", seed).isEqualTo(scanned(cluster.partition()));
            for (int step = 0; step < 50; step++) {
                String id = "a-" + change + "-" + step;
                Resources resources = random.nextBoolean() ? Resources.NONE : Resources.parse("vcore", "500m");
                cluster.submit(id, "root.default", TaskSpec.of("t", 1 + random.nextInt(3), resources))
                        .cycle();
                List<Task> placed = cluster.placed();
                for (Task task : placed) {
                    if (random.nextInt(3) == 0) {
                        cluster.succeed(task.application().id() + "/" + task.id());
                    }
                }
                cluster.partition().nodes().forEach(order::update);
                assertThat(order.totalFree())
                        .as("seed %d, step %d", seed, step)
                        .isEqualTo(scanned(cluster.partition()));
            }
            // less than some of its tasks hold
            cluster.updateNode("both-" + change % 3, "slots", "1", "vcore", "0");
        }
    }
}
