package dev.sluice.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.core.application.ApplicationSpec;
import dev.sluice.core.application.ApplicationState;
import dev.sluice.core.application.StartConditions;
import dev.sluice.core.application.TaskSpec;
import dev.sluice.core.configuration.PartitionConfiguration;
import dev.sluice.core.resource.Resources;
import dev.sluice.core.testing.ClusterUnderTest;
import dev.sluice.core.testing.SchedulerExtension;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Applications that must not start before an instant. */
@ExtendWith(SchedulerExtension.class)
class NotBeforeTest {

    private static final Resources CORE = Resources.parse("vcore", "1");

    private static ClusterUnderTest submitted(ClusterUnderTest cluster, Duration after) {
        cluster.configure(PartitionConfiguration.simplest()).node("n", "vcore", "2");
        Instant start = cluster.now().plus(after);
        return cluster.submit(ApplicationSpec.sealed("a", null, TaskSpec.of("t", 2, CORE))
                .withStart(StartConditions.NONE.withNotBefore(start)));
    }

    @Test
    void application_beforeItsStartTime_startsNothing(ClusterUnderTest cluster) {
        Instant start = cluster.now().plus(Duration.ofHours(1));
        submitted(cluster, Duration.ofHours(1));

        assertThat(cluster.cycle()).isEmpty();
        assertThat(cluster.scheduler().scheduler().nextDue("default")).isEqualTo(start);
        cluster.advance(Duration.ofMinutes(59));
        assertThat(cluster.cycle()).isEmpty();
        cluster.advance(Duration.ofMinutes(1));
        assertThat(cluster.cycle()).containsExactly("a/t-0 -> n", "a/t-1 -> n");
        assertThat(cluster.state("a")).isEqualTo(ApplicationState.RUNNING);
    }

    @Test
    void application_heldAtItsStartTime_waitsForRelease(ClusterUnderTest cluster) {
        submitted(cluster, Duration.ofHours(1)).hold("a").advance(Duration.ofHours(2));
        assertThat(cluster.cycle()).isEmpty();

        assertThat(cluster.release("a").cycle()).hasSize(2);
    }

    @Test
    void startTime_inThePast_hasNoEffect(ClusterUnderTest cluster) {
        assertThat(submitted(cluster, Duration.ofHours(-1)).cycle()).hasSize(2);
    }

    @Test
    void application_cancelledAndRetried_keepsItsStartTime(ClusterUnderTest cluster) {
        submitted(cluster, Duration.ofHours(1)).cancel("a").retry("a", false);
        assertThat(cluster.cycle()).isEmpty();

        cluster.cancel("a").advance(Duration.ofHours(2)).retry("a", false);
        assertThat(cluster.cycle()).hasSize(2);
    }
}
