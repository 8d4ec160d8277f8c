package dev.sluice.runtime.host;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.core.application.ApplicationSpec;
import dev.sluice.core.application.TaskSpec;
import dev.sluice.core.command.Command;
import dev.sluice.core.configuration.PartitionConfiguration;
import dev.sluice.core.engine.Scheduler;
import dev.sluice.core.resource.Resources;
import dev.sluice.core.state.TaskEvent;
import dev.sluice.core.testing.QueueTreeText;
import dev.sluice.runtime.executor.VirtualExecutor;
import dev.sluice.runtime.journal.Cause;
import dev.sluice.runtime.journal.JournalEntry;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** A host with a virtual clock and a virtual executor, on the thread of the test. */
final class VirtualHostTest {

    private static final String PARTITION = PartitionConfiguration.DEFAULT_NAME;
    private static final Cause CAUSE = Cause.internal("test");

    private final List<String> events = new ArrayList<>();
    private Instant now = Instant.EPOCH;
    private final EngineHost host = new EngineHost(HostParts.inMemory(new Scheduler(), () -> now, this::committed));

    @SuppressWarnings("NullAway.Init") // set when the host gets its executor
    private VirtualExecutor virtual;

    private void committed(long first, List<JournalEntry> entries) {
        entries.forEach(entry -> entry.events().forEach(event -> {
            if (event instanceof TaskEvent.Placed placed) {
                events.add(placed.task().id() + " placed at " + now.getEpochSecond());
            } else if (event instanceof TaskEvent.Ended ended) {
                events.add(ended.task().id() + " " + ended.outcome().wireName() + " at " + now.getEpochSecond());
            }
        }));
    }

    private void addExecutor(long durationMillis) {
        host.add(new NodeExecutor(
                node -> true,
                host::report,
                listener -> {
                    virtual = new VirtualExecutor(listener, start -> durationMillis, 0);
                    return virtual;
                },
                executor -> StartFailures.NONE));
    }

    /** Executes commands until one is refused; returns whether all were accepted. */
    private boolean prepare(Command... commands) throws Exception {
        return host.execute(
                CAUSE,
                context -> Arrays.stream(commands)
                        .allMatch(command -> context.handle(command).refusal() == null));
    }

    /** Runs until nothing is left to do at this instant. */
    private void settle() throws Exception {
        boolean any = true;
        while (any) {
            any = host.step();
            while (virtual.deliverNext()) {
                any = true;
            }
        }
    }

    @Test
    void tasks_inVirtualTime_runOneAfterTheOther() throws Exception {
        addExecutor(10_000);
        assertThat(prepare(
                        new Command.ApplyConfiguration(List.of(PartitionConfiguration.simplest())),
                        new Command.RegisterNode(PARTITION, "n", Resources.of("slots", 1), new TreeMap<>()),
                        new Command.SubmitApplication(
                                PARTITION, ApplicationSpec.sealed("a", null, TaskSpec.of("t", 2, Resources.NONE)))))
                .isTrue();
        assertThat(events).as("no cycle before the start").isEmpty();

        host.recover();
        settle();
        while (virtual.nextEndMillis() != Long.MAX_VALUE) {
            now = Instant.ofEpochMilli(virtual.nextEndMillis());
            virtual.advance(virtual.nextEndMillis());
            while (virtual.endNext()) {
                settle();
            }
        }

        assertThat(events)
                .containsExactly("t-0 placed at 0", "t-0 succeeded at 10", "t-1 placed at 10", "t-1 succeeded at 20");
    }

    @Test
    void execute_refusedCommand_changesNothing() throws Exception {
        assertThat(prepare(
                        new Command.SealApplication(PARTITION, "absent"),
                        new Command.ApplyConfiguration(List.of(PartitionConfiguration.simplest()))))
                .isFalse();
        assertThat(host.step()).as("nothing was configured").isFalse();
    }

    @Test
    void step_timerDueNow_runsCycle() throws Exception {
        addExecutor(3_600_000);
        assertThat(prepare(
                        new Command.ApplyConfiguration(List.of(PartitionConfiguration.simplest())),
                        new Command.RegisterNode(PARTITION, "n", Resources.of("slots", 1), new TreeMap<>()),
                        new Command.SubmitApplication(
                                PARTITION,
                                ApplicationSpec.sealed(
                                        "a",
                                        null,
                                        TaskSpec.of("t", 1, Resources.NONE).withAttempts(0, Duration.ofSeconds(10))))))
                .isTrue();
        host.recover();
        settle();

        now = Instant.ofEpochSecond(10).minusNanos(1);
        assertThat(host.step()).as("a nanosecond before the timeout").isFalse();
        now = Instant.ofEpochSecond(10);
        assertThat(host.step()).as("at the timeout").isTrue();
        settle();

        assertThat(events).containsExactly("t-0 placed at 0", "t-0 timed-out at 10");
    }

    @Test
    void step_preemptionDueNow_runsCycle() throws Exception {
        addExecutor(3_600_000);
        TaskSpec task = TaskSpec.of("t", 1, Resources.parse("vcore", "1"));
        assertThat(prepare(
                        new Command.ApplyConfiguration(
                                List.of(PartitionConfiguration.of(PARTITION, QueueTreeText.of("""
                                root
                                ├─ a    guaranteed(vcore 1)
                                └─ b
                                """)))),
                        new Command.RegisterNode(PARTITION, "n", Resources.parse("vcore", "1"), new TreeMap<>()),
                        new Command.SubmitApplication(PARTITION, ApplicationSpec.sealed("v", "root.b", task))))
                .isTrue();
        host.recover();
        settle();
        assertThat(prepare(new Command.SubmitApplication(
                        PARTITION,
                        ApplicationSpec.sealed("x", "root.a", TaskSpec.of("u", 1, Resources.parse("vcore", "1"))))))
                .isTrue();
        settle();

        now = Instant.ofEpochSecond(30).minusNanos(1);
        assertThat(host.step()).as("a nanosecond before the delay has passed").isFalse();
        now = Instant.ofEpochSecond(30);
        assertThat(host.step()).as("after the delay").isTrue();
        assertThat(events).containsExactly("t-0 placed at 0", "u-0 placed at 30");
    }
}
