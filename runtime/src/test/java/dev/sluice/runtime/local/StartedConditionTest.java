package dev.sluice.runtime.local;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.core.application.ApplicationSpec;
import dev.sluice.core.application.TaskCommand;
import dev.sluice.core.application.TaskCondition;
import dev.sluice.core.application.TaskSpec;
import dev.sluice.core.command.Command;
import dev.sluice.core.configuration.PartitionConfiguration;
import dev.sluice.core.resource.Resources;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A driver that ends when its executor has run, which may start as soon as the driver has started. */
final class StartedConditionTest {

    private static final Duration TIMEOUT = Duration.ofSeconds(20);

    @TempDir
    Path directory;

    @Test
    void executor_driverStarted_startsImmediately() {
        LocalRun run = run("until [ -e mark ]; do sleep 0.05; done", "touch mark");

        RunResult result = run.run();

        assertThat(result.isSuccess()).isTrue();
        assertThat(result.applications().get(0).succeeded()).isEqualTo(2);
    }

    @Test
    void driver_exceedingTimeout_isReportedTimedOut() {
        LocalRun run = run("sleep 60", "true", Duration.ofMillis(200));

        TaskResult failure = run.run().applications().get(0).firstFailure();

        assertThat(failure).isNotNull();
        assertThat(failure.detail()).startsWith("timed out");
    }

    private LocalRun run(String driver, String executor) {
        return run(driver, executor, TIMEOUT);
    }

    private LocalRun run(String driver, String executor, Duration timeout) {
        LocalRun run = new LocalRun(directory, Duration.ofSeconds(1), InstantSource.system());
        TaskSpec first = TaskSpec.single("driver", Resources.NONE)
                .withAttempts(0, timeout)
                .withCommand(command(driver));
        TaskSpec second = TaskSpec.single("executor", Resources.NONE)
                .withAfter(Map.of("driver", TaskCondition.STARTED))
                .withCommand(command(executor));
        assertThat(run.prepare(new Command.ApplyConfiguration(List.of(PartitionConfiguration.simplest()))))
                .isNull();
        assertThat(run.prepare(new Command.RegisterNode(
                        "default", "local", Resources.of("slots", 4), Collections.emptySortedMap())))
                .isNull();
        assertThat(run.prepare(new Command.SubmitApplication(
                        "default", ApplicationSpec.sealed("app", "root.default", first, second))))
                .isNull();
        return run;
    }

    private TaskCommand command(String script) {
        return new TaskCommand(List.of(script), true, Collections.emptySortedMap(), directory.toString());
    }
}
