package dev.sluice.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.core.application.ApplicationCondition;
import dev.sluice.core.application.ApplicationSpec;
import dev.sluice.core.application.ApplicationState;
import dev.sluice.core.application.StartConditions;
import dev.sluice.core.application.TaskSpec;
import dev.sluice.core.configuration.PartitionConfiguration;
import dev.sluice.core.resource.Resources;
import dev.sluice.core.testing.ClusterUnderTest;
import dev.sluice.core.testing.SchedulerExtension;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** Applications that start after others have ended. */
@ExtendWith(SchedulerExtension.class)
class ApplicationDependencyTest {

    private static final TaskSpec TASK = TaskSpec.single("t", Resources.parse("vcore", "1"));

    private static ClusterUnderTest ready(ClusterUnderTest cluster) {
        cluster.configure(PartitionConfiguration.simplest()).node("n", "vcore", "4");
        return cluster.submitSealed("first", null, TASK);
    }

    private static ApplicationSpec after(String id, String awaited, ApplicationCondition condition) {
        return ApplicationSpec.sealed(id, null, TASK)
                .withStart(StartConditions.NONE.withAfter(Map.of(awaited, condition)));
    }

    private static String reason(ClusterUnderTest cluster, String application) {
        return Objects.requireNonNull(cluster.partition().application(application))
                .stateReason();
    }

    @Test
    void application_afterSucceeded_startsOnceTheOtherHas(ClusterUnderTest cluster) {
        ready(cluster).submit(after("next", "first", ApplicationCondition.SUCCEEDED));
        assertThat(cluster.cycle()).containsExactly("first/t -> n");
        assertThat(cluster.cycle()).isEmpty();

        cluster.succeed("first/t");

        assertThat(cluster.cycle()).containsExactly("next/t -> n");
    }

    @Test
    void application_afterSucceeded_isCancelledWithReasonIfTheOtherFails(ClusterUnderTest cluster) {
        ready(cluster)
                .submit(after("next", "first", ApplicationCondition.SUCCEEDED))
                .submit(after("last", "next", ApplicationCondition.SUCCEEDED))
                .submit(after("cleanup", "first", ApplicationCondition.FAILED))
                .submit(after("report", "next", ApplicationCondition.ENDED));
        cluster.cycle();

        cluster.fail("first/t");

        assertThat(cluster.state("next")).isEqualTo(ApplicationState.FAILED);
        assertThat(reason(cluster, "next"))
                .isEqualTo("application first ended Failed; this application starts only after it has succeeded");
        assertThat(cluster.state("last")).isEqualTo(ApplicationState.FAILED);
        assertThat(cluster.cycle()).containsExactly("cleanup/t -> n", "report/t -> n");
    }

    @Test
    void application_afterEndedOne_startsOrIsCancelledAtOnce(ClusterUnderTest cluster) {
        ready(cluster).cycle();
        cluster.succeed("first/t")
                .submit(after("next", "first", ApplicationCondition.SUCCEEDED))
                .submit(after("never", "first", ApplicationCondition.FAILED));

        assertThat(cluster.cycle()).containsExactly("next/t -> n");
        assertThat(cluster.state("never")).isEqualTo(ApplicationState.FAILED);
    }

    @Test
    void application_afterName_waitsForNewest(ClusterUnderTest cluster) {
        ready(cluster)
                .submit(ApplicationSpec.sealed("n-1", null, TASK).withName("night"))
                .submit(ApplicationSpec.sealed("n-2", null, TASK).withName("night"))
                .submit(after("next", "night", ApplicationCondition.SUCCEEDED));
        cluster.cycle();
        cluster.succeed("n-1/t");
        assertThat(cluster.cycle()).isEmpty();

        assertThat(cluster.succeed("n-2/t").cycle()).containsExactly("next/t -> n");
    }

    @Test
    void application_afterIdAndName_ofOneWithOtherConditions_isRefused(ClusterUnderTest cluster) {
        ready(cluster).submit(ApplicationSpec.sealed("n-1", null, TASK).withName("night"));
        Map<String, ApplicationCondition> after = new LinkedHashMap<>();
        after.put("n-1", ApplicationCondition.SUCCEEDED);
        after.put("night", ApplicationCondition.FAILED);
        ApplicationSpec next =
                ApplicationSpec.sealed("next", null, TASK).withStart(StartConditions.NONE.withAfter(after));

        assertThatThrownBy(() -> cluster.submit(next))
                .hasMessageContaining(
                        "after names application n-1 twice, with different conditions (succeeded, failed): remove one");
    }

    @Test
    void application_afterNameOfForgottenOne_isRefused(ClusterUnderTest cluster) {
        ready(cluster)
                .submit(ApplicationSpec.sealed("n-1", null, TASK).withName("night"))
                .submit(ApplicationSpec.sealed("n-2", null, TASK).withName("night"))
                .cancel("n-2")
                .forget("n-2");
        cluster.submit(after("next", "night", ApplicationCondition.ENDED));
        cluster.cancel("n-1").forget("n-1");

        assertThatThrownBy(() -> cluster.submit(after("last", "night", ApplicationCondition.ENDED)))
                .hasMessageContaining("application night not found");
    }

    /** The end of the first application cancels the second one before it is replaced, too. */
    @Test
    void replacedApplications_thatWaitForEachOther_areCancelledOnce(ClusterUnderTest cluster) {
        ready(cluster);
        cluster.submit(tagged("a", "t1"))
                .submit(tagged("b", "t1")
                        .withStart(StartConditions.NONE.withAfter(Map.of("a", ApplicationCondition.SUCCEEDED))))
                .submit(tagged("c", "t2"));

        assertThat(cluster.state("a")).isEqualTo(ApplicationState.FAILED);
        assertThat(cluster.state("b")).isEqualTo(ApplicationState.FAILED);
        assertThat(cluster.state("c")).isEqualTo(ApplicationState.ACCEPTED);
    }

    private static ApplicationSpec tagged(String id, String tag) {
        return ApplicationSpec.sealed(id, null, TASK).withTag(tag, "b");
    }

    @Test
    void application_retriedAfterUnmetCondition_startsAtOnce(ClusterUnderTest cluster) {
        ready(cluster).submit(after("next", "first", ApplicationCondition.SUCCEEDED));
        cluster.cancel("first");
        assertThat(cluster.state("next")).isEqualTo(ApplicationState.FAILED);

        assertThat(cluster.retry("next", false).cycle()).containsExactly("next/t -> n");
    }

    @Test
    @Timeout(60)
    void chain_ofManyApplications_isCancelledWithoutRecursion(ClusterUnderTest cluster) {
        ready(cluster);
        String previous = "first";
        for (int i = 0; i < 500; i++) {
            cluster.submit(after("a" + i, previous, ApplicationCondition.SUCCEEDED));
            previous = "a" + i;
        }

        cluster.cancel("first");

        assertThat(cluster.state(previous)).isEqualTo(ApplicationState.FAILED);
    }
}
