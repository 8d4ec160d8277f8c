package dev.sluice.runtime.local;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.core.application.ApplicationSpec;
import dev.sluice.core.application.TaskCommand;
import dev.sluice.core.application.TaskCondition;
import dev.sluice.core.application.TaskSpec;
import dev.sluice.core.command.Command;
import dev.sluice.core.configuration.LoadProperties;
import dev.sluice.core.configuration.PartitionConfiguration;
import dev.sluice.core.configuration.QueueConfiguration;
import dev.sluice.core.configuration.QueueProperties;
import dev.sluice.core.configuration.SharePolicyKind;
import dev.sluice.core.resource.Resources;
import dev.sluice.core.state.PartitionEvent;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A run whose load classes reclaim their loans. */
final class RebalancingRunTest {

    @TempDir
    Path directory;

    /** The borrower runs on the slots that the owner cannot use while its other tasks wait for the first one. */
    @Test
    @Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void run_withPreemptions_canBeInterrupted() {
        AtomicInteger rebalances = new AtomicInteger();
        List<LocalRun> runs = new ArrayList<>();
        LocalRun run = new LocalRun(directory, Duration.ofSeconds(1), InstantSource.system(), (first, entries) -> {
            if (entries.stream()
                            .flatMap(entry -> entry.events().stream())
                            .anyMatch(PartitionEvent.Rebalanced.class::isInstance)
                    && rebalances.incrementAndGet() == 1) {
                runs.forEach(LocalRun::interrupt);
            }
        });
        runs.add(run);
        prepare(run, new Command.ApplyConfiguration(List.of(PartitionConfiguration.of("default", queues()))));
        prepare(
                run,
                new Command.RegisterNode(
                        "default", "local", Resources.parse("slots", "4", "vcore", "4"), Collections.emptySortedMap()));
        prepare(run, submit("borrower", "root.small", sleeping(8, "1")));
        TaskSpec first = TaskSpec.single("first", Resources.parse("vcore", "1")).withCommand(TaskCommand.shell("true"));
        TaskSpec others = sleeping(4, "1").withAfter(Map.of("first", TaskCondition.SUCCEEDED));
        prepare(run, submit("owner", "root.large", first, others));

        RunResult result = run.run();

        assertThat(rebalances).hasPositiveValue();
        assertThat(result.interrupted()).isTrue();
    }

    private static QueueConfiguration queues() {
        QueueProperties root = QueueProperties.DEFAULTS
                .withSharePolicy(SharePolicyKind.LOAD)
                .withLoad(LoadProperties.DEFAULTS.withRebalance(10, Duration.ofNanos(1)));
        return QueueConfiguration.parent("root", classOf("small", 10), classOf("large", 90))
                .withProperties(root);
    }

    private static QueueConfiguration classOf(String name, int percent) {
        return QueueConfiguration.leaf(name)
                .withProperties(QueueProperties.DEFAULTS.withLoad(LoadProperties.ofClass(percent)));
    }

    private static TaskSpec sleeping(int count, String cores) {
        return TaskSpec.of("t", count, Resources.parse("vcore", cores)).withCommand(TaskCommand.shell("sleep 60"));
    }

    private static Command submit(String id, String queue, TaskSpec... tasks) {
        return new Command.SubmitApplication("default", ApplicationSpec.sealed(id, queue, tasks));
    }

    private static void prepare(LocalRun run, Command command) {
        assertThat(run.prepare(command)).isNull();
    }
}
