package dev.sluice.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.core.application.ApplicationSpec;
import dev.sluice.core.application.TaskSpec;
import dev.sluice.core.command.Command;
import dev.sluice.core.configuration.PartitionConfiguration;
import dev.sluice.core.resource.Resources;
import dev.sluice.core.state.Application;
import dev.sluice.core.testing.ClusterUnderTest;
import dev.sluice.core.testing.SchedulerExtension;
import java.time.Duration;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Applications that get their name and a number as their id. */
@ExtendWith(SchedulerExtension.class)
class ApplicationNumberTest {

    private static final TaskSpec TASK = TaskSpec.single("t", Resources.parse("vcore", "1"));

    private static Command numbered(String name) {
        return new Command.SubmitApplication(
                PartitionConfiguration.DEFAULT_NAME, ApplicationSpec.sealed(name, null, TASK), true);
    }

    private static ClusterUnderTest ready(ClusterUnderTest cluster) {
        return cluster.configure(PartitionConfiguration.simplest()).node("n", "vcore", "9");
    }

    @Test
    void name_submittedAgain_getsNextNumber(ClusterUnderTest cluster) {
        ready(cluster).handle(numbered("night")).handle(numbered("night")).handle(numbered("day"));

        assertThat(cluster.partition().applications())
                .extracting(Application::id)
                .containsExactly("night-1", "night-2", "day-1");
        assertThat(cluster.application("night-2").spec().name()).isEqualTo("night");
    }

    @Test
    void number_ofForgottenApplication_isNotReused(ClusterUnderTest cluster) {
        ready(cluster).handle(numbered("night")).cycle();
        cluster.succeed("night-1/t").advance(Duration.ofDays(30)).cycle();
        assertThat(cluster.partition().applications()).isEmpty();

        cluster.handle(numbered("night"));

        assertThat(cluster.application("night-2").id()).isEqualTo("night-2");
    }

    @Test
    void number_ofGivenId_isSkipped(ClusterUnderTest cluster) {
        ready(cluster).submit("night-1", null, TASK).handle(numbered("night")).submit("day-7", null, TASK);

        assertThat(cluster.application("night-2").spec().name()).isEqualTo("night");
        assertThat(cluster.partition().nextNumber("night")).isEqualTo(3);
        assertThat(cluster.partition().nextNumber("day")).isOne();
    }

    @Test
    void name_tooLongForNumber_isRefused(ClusterUnderTest cluster) {
        String name = "x".repeat(TaskSpec.NAME_LENGTH_MAX);

        assertThat(Objects.requireNonNull(ready(cluster).refusal(numbered(name)))
                        .message())
                .isEqualTo("the name of the application is too long to be numbered: give it an id, or a shorter"
                        + " name");
    }
}
