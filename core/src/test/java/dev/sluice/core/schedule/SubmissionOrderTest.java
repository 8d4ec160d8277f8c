package dev.sluice.core.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.core.application.TaskSpec;
import dev.sluice.core.configuration.PartitionConfiguration;
import dev.sluice.core.resource.Resources;
import dev.sluice.core.testing.ClusterUnderTest;
import dev.sluice.core.testing.SchedulerExtension;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(SchedulerExtension.class)
class SubmissionOrderTest {

    private static final Resources CORE = Resources.parse("vcore", "1");

    private static List<String> served(ClusterUnderTest cluster) {
        cluster.node("n", "vcore", "1000");
        return cluster.cycle().stream()
                .map(placed -> placed.substring(0, placed.indexOf('/')))
                .toList();
    }

    /** Each goes between the first and its predecessor, so the gap is halved until it is exhausted. */
    @Test
    void applications_crowdedIntoOneGap_areOrderedByTime(ClusterUnderTest cluster) {
        cluster.configure(PartitionConfiguration.simplest());
        cluster.cycle();
        cluster.submit("a", "root.default", TaskSpec.of("t", 1, CORE));
        List<String> expected = new ArrayList<>(List.of("a"));
        cluster.advance(Duration.ofNanos(200));
        for (int number = 0; number < 200; number++) {
            cluster.advance(Duration.ofNanos(-1)); // a clock that was set back
            cluster.submit("b" + number, "root.default", TaskSpec.of("t", 1, CORE));
            expected.add(1, "b" + number);
        }

        assertThat(served(cluster)).isEqualTo(expected);
    }

    @Test
    void applications_submittedInAnyOrder_areOrderedByTime(ClusterUnderTest cluster) {
        long seed = 5;
        Random random = new Random(seed);
        cluster.configure(PartitionConfiguration.simplest());
        cluster.cycle();
        List<String> expected = new ArrayList<>();
        for (int instant = 0; instant < 5; instant++) {
            List<String> ids = new ArrayList<>();
            int from = instant * 100;
            IntStream.range(from, from + 60).forEach(number -> ids.add("app-" + number));
            Collections.shuffle(ids, random);
            for (String id : ids) {
                cluster.submit(id, "root.default", TaskSpec.of("t", 1, CORE));
                if (random.nextInt(10) == 0) {
                    cluster.cycle();
                }
            }
            expected.addAll(ids);
            cluster.advance(Duration.ofNanos(1));
        }

        assertThat(served(cluster)).as("seed %d", seed).isEqualTo(expected);
    }
}
