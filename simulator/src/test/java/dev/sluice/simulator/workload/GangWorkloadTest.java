package dev.sluice.simulator.workload;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.core.application.ApplicationSpec;
import dev.sluice.core.application.Gang;
import dev.sluice.core.application.TaskSpec;
import dev.sluice.core.resource.Resources;
import java.util.Map;
import org.junit.jupiter.api.Test;

class GangWorkloadTest {

    private static ApplicationSpec ganged(TaskSpec... tasks) {
        return GangWorkload.ganged(ApplicationSpec.sealed("a", null, tasks));
    }

    @Test
    void job_ofSeveralProcessors_isAGangOfCores() {
        ApplicationSpec job =
                ganged(TaskSpec.single("t", Resources.parse("vcore", "3")).withPriority(5));

        assertThat(job.tasks())
                .containsExactly(
                        TaskSpec.of("t", 3, Resources.parse("vcore", "1")).withPriority(5));
        assertThat(job.gang()).extracting(Gang::tasks).isEqualTo(Map.of("t", 3));
    }

    @Test
    void alikeTasks_areAGang() {
        TaskSpec tasks = TaskSpec.of("t", 4, Resources.parse("vcore", "500m", "memory", "1Gi"));
        ApplicationSpec application = ganged(tasks);

        assertThat(application.tasks()).containsExactly(tasks);
        assertThat(application.gang()).extracting(Gang::tasks).isEqualTo(Map.of("t", 4));
    }

    @Test
    void whatIsNoGang_isUnchanged() {
        TaskSpec core = TaskSpec.single("t", Resources.parse("vcore", "1"));
        TaskSpec mixed = TaskSpec.single("t", Resources.parse("vcore", "2", "memory", "1Gi"));

        assertThat(ganged(core).gang()).isNull();
        assertThat(ganged(mixed).gang()).isNull();
        assertThat(ganged(core, TaskSpec.single("u", Resources.parse("vcore", "2")))
                        .gang())
                .isNull();
    }
}
