package dev.sluice.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.core.application.ApplicationSpec;
import dev.sluice.core.application.TaskSpec;
import dev.sluice.core.command.Command;
import dev.sluice.core.configuration.PartitionConfiguration;
import dev.sluice.core.resource.Resources;
import dev.sluice.core.testing.ClusterUnderTest;
import dev.sluice.core.testing.SchedulerExtension;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Tasks without resources take one slot and one core, or only the slot if no node has cores. */
@ExtendWith(SchedulerExtension.class)
class DefaultResourcesTest {

    private static final TaskSpec TASKS = TaskSpec.of("t", 5, Resources.NONE);

    @Test
    void taskWithoutResources_onNodesWithCores_takesOneCore(ClusterUnderTest cluster) {
        ready(cluster).node("n", "vcore", "2", "slots", "4").submitSealed("app", null, TASKS);

        assertThat(cluster.cycle()).hasSize(2);
        assertThat(cluster.allocated("root")).isEqualTo(Resources.parse("slots", "2", "vcore", "2"));
    }

    @Test
    void taskWithoutResources_onSlotOnlyNodes_takesOneSlot(ClusterUnderTest cluster) {
        ready(cluster).node("n", "slots", "4").submitSealed("app", null, TASKS);

        assertThat(cluster.cycle()).hasSize(4);
        assertThat(cluster.allocated("root")).isEqualTo(Resources.parse("slots", "4"));
    }

    @Test
    void taskWithoutResources_onlyOfflineNodeHasCores_takesOneCore(ClusterUnderTest cluster) {
        ready(cluster).node("n", "slots", "4").node("cores", "vcore", "2").offline("cores");
        cluster.submitSealed("app", null, TASKS);

        assertThat(cluster.cycle()).isEmpty();
        assertThat(cluster.reinstate("cores").cycle()).hasSize(2);
    }

    @Test
    void taskWithoutResources_withoutNodes_takesOneCore(ClusterUnderTest cluster) {
        ready(cluster).submitSealed("app", null, TASKS).node("n", "vcore", "3");

        assertThat(cluster.cycle()).hasSize(3);
    }

    @Test
    void taskWithoutResources_adoptedOrAddedLater_takesOneCore(ClusterUnderTest cluster) {
        ready(cluster).node("n", "vcore", "1");
        cluster.handle(new Command.AdoptApplication("default", ApplicationSpec.open("app", "root.default", TASKS)));
        assertThat(cluster.cycle()).hasSize(1);

        cluster.updateNode("n", "vcore", "7").add("app", TaskSpec.of("u", 5, Resources.NONE));

        assertThat(cluster.cycle()).hasSize(6);
    }

    @Test
    void taskWithResources_anyAmount_getsNoDefaults(ClusterUnderTest cluster) {
        ready(cluster).node("n", "vcore", "1", "memory", "2Gi");
        cluster.submitSealed("memory", null, TaskSpec.of("t", 3, Resources.parse("memory", "1Gi")));
        cluster.submitSealed("nothing", null, TaskSpec.of("t", 9, Resources.parse("vcore", "0")));

        assertThat(cluster.cycle()).hasSize(11);
        assertThat(cluster.allocated("root").amount("vcore").value()).isZero();
    }

    private static ClusterUnderTest ready(ClusterUnderTest cluster) {
        return cluster.configure(PartitionConfiguration.simplest());
    }
}
