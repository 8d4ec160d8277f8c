package dev.sluice.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.core.application.ApplicationSpec;
import dev.sluice.core.application.ApplicationState;
import dev.sluice.core.application.StartConditions;
import dev.sluice.core.application.TaskCondition;
import dev.sluice.core.application.TaskSpec;
import dev.sluice.core.configuration.PartitionConfiguration;
import dev.sluice.core.resource.Resources;
import dev.sluice.core.testing.ClusterUnderTest;
import dev.sluice.core.testing.SchedulerExtension;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Applications that are held and released. */
@ExtendWith(SchedulerExtension.class)
class HoldTest {

    private static final Resources CORE = Resources.parse("vcore", "1");

    private static ClusterUnderTest ready(ClusterUnderTest cluster) {
        return cluster.configure(PartitionConfiguration.simplest()).node("n", "vcore", "2");
    }

    @Test
    void application_held_keepsRunningTasksAndStartsNothing(ClusterUnderTest cluster) {
        ready(cluster).submitSealed("a", null, TaskSpec.of("t", 3, CORE));
        assertThat(cluster.cycle()).containsExactly("a/t-0 -> n", "a/t-1 -> n");

        cluster.hold("a").hold("a").succeed("a/t-0");

        assertThat(cluster.cycle()).isEmpty();
        assertThat(cluster.state("a")).isEqualTo(ApplicationState.RUNNING);
        assertThat(cluster.pending("root").isZero()).isTrue();
        cluster.release("a").release("a");
        assertThat(cluster.cycle()).containsExactly("a/t-2 -> n");
        cluster.succeed("a/t-1").succeed("a/t-2");
        assertThat(cluster.state("a")).isEqualTo(ApplicationState.COMPLETED);
    }

    @Test
    void application_submittedHeld_letsOthersPassUntilReleased(ClusterUnderTest cluster) {
        ready(cluster)
                .submit(ApplicationSpec.sealed("a", null, TaskSpec.of("t", 2, CORE))
                        .withStart(StartConditions.NONE.withHold(true)));
        cluster.submitSealed("b", null, TaskSpec.single("t", CORE));

        assertThat(cluster.cycle()).containsExactly("b/t -> n");
        assertThat(cluster.release("a").cycle()).containsExactly("a/t-0 -> n");
    }

    @Test
    void dependency_metWhileHeld_startsAfterRelease(ClusterUnderTest cluster) {
        ready(cluster)
                .submitSealed(
                        "a",
                        null,
                        TaskSpec.single("first", CORE),
                        TaskSpec.single("next", CORE).withAfter(Map.of("first", TaskCondition.SUCCEEDED)));
        cluster.cycle();
        cluster.hold("a").succeed("a/first");

        assertThat(cluster.cycle()).isEmpty();
        assertThat(cluster.release("a").cycle()).containsExactly("a/next -> n");
    }

    @Test
    void application_held_canBeCancelled(ClusterUnderTest cluster) {
        ready(cluster).submitSealed("a", null, TaskSpec.single("t", CORE)).hold("a");

        cluster.cancel("a");

        assertThat(cluster.state("a")).isEqualTo(ApplicationState.FAILED);
    }
}
