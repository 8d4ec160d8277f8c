package dev.sluice.simulator.workload;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.core.application.ApplicationSpec;
import dev.sluice.core.application.Attempts;
import dev.sluice.core.application.Gang;
import dev.sluice.core.application.Retries;
import dev.sluice.core.application.TaskCommand;
import dev.sluice.core.application.TaskCondition;
import dev.sluice.core.application.TaskKind;
import dev.sluice.core.application.TaskSpec;
import dev.sluice.core.resource.Resources;
import java.lang.reflect.Method;
import java.lang.reflect.RecordComponent;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
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

    /** A record component that is new must differ from its default here, too. */
    @Test
    void job_ofSeveralProcessors_keepsAllButCountAndResources() throws ReflectiveOperationException {
        TaskSpec plain = TaskSpec.single("t", Resources.NONE);
        TaskSpec job = TaskSpec.single("t", Resources.parse("vcore", "3"))
                .withPriority(5)
                .withExpectedDuration(Duration.ofMinutes(1))
                .withDurationKey("key")
                .withConstraints(Map.of("disk", "ssd"), "node")
                .withAfter(Map.of("u", TaskCondition.STARTED))
                .withAttempts(new Attempts(Retries.of(2), 3, Duration.ofHours(1), false))
                .withCommand(TaskCommand.shell("true"));

        TaskSpec member = ganged(job).tasks().get(0);

        assertThat(member.name()).isEqualTo(job.name());
        for (RecordComponent component : TaskKind.class.getRecordComponents()) {
            Method get = component.getAccessor();
            if (!Set.of("count", "resources").contains(component.getName())) {
                assertThat(get.invoke(job.kind())).as(component.getName()).isNotEqualTo(get.invoke(plain.kind()));
                assertThat(get.invoke(member.kind())).as(component.getName()).isEqualTo(get.invoke(job.kind()));
            }
        }
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
