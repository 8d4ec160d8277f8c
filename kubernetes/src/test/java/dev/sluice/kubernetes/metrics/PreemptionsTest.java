package dev.sluice.kubernetes.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.core.application.ApplicationSpec;
import dev.sluice.core.application.StopReason;
import dev.sluice.core.application.TaskRef;
import dev.sluice.core.application.TaskSpec;
import dev.sluice.core.command.Command;
import dev.sluice.core.configuration.PartitionConfiguration;
import dev.sluice.core.engine.Scheduler;
import dev.sluice.core.resource.Resources;
import dev.sluice.core.state.Allocation;
import dev.sluice.core.state.Event;
import dev.sluice.core.state.TaskEvent;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Victims are counted per preemption. */
final class PreemptionsTest {

    private static final Instant NOW = Instant.parse("2026-01-01T12:00:00Z");

    private final List<Integer> victims = new ArrayList<>();
    private final SchedulingListener listener = new SchedulingListener() {
        @Override
        public void attempted(Result result, String profile) {
            throw new AssertionError();
        }

        @Override
        public void scheduled(Duration duration, int attempts) {
            throw new AssertionError();
        }

        @Override
        public void preempted(int count) {
            victims.add(count);
        }
    };

    /** Returns the allocation of a task that a cycle has placed. */
    private static Allocation allocation() {
        Scheduler scheduler = new Scheduler();
        scheduler.handle(new Command.ApplyConfiguration(List.of(PartitionConfiguration.simplest())), NOW);
        scheduler.handle(new Command.RegisterNode("default", "n", Resources.parse("vcore", "1"), new TreeMap<>()), NOW);
        TaskSpec task = TaskSpec.single("t", Resources.parse("vcore", "1"));
        scheduler.handle(
                new Command.SubmitApplication(
                        "default", ApplicationSpec.open("a", null).withTasks(List.of(task))),
                NOW);
        for (Event event : scheduler.cycle("default", NOW)) {
            if (event instanceof TaskEvent.Placed placed) {
                return placed.allocation();
            }
        }
        throw new AssertionError("nothing was placed");
    }

    @Test
    void victims_areCountedPerBeneficiary() {
        Allocation victim = allocation();
        Event forB = stop(victim, StopReason.GUARANTEE, "b");
        Event forC = stop(victim, StopReason.PRIORITY, "c");
        Event byUser = new TaskEvent.Stopping(victim, StopReason.CANCELLED, NOW);
        Event lowered = new TaskEvent.Stopping(victim, StopReason.QUOTA, NOW);
        Preemptions preemptions = new Preemptions("default", listener);
        preemptions.committed(List.of(byUser, forB, forB, forC, lowered, forC, byUser));
        assertThat(victims).containsExactly(2, 1, 1);
        preemptions.committed(List.of(byUser, lowered));
        new Preemptions("other", listener).committed(List.of(forB));
        assertThat(victims).hasSize(3);
    }

    private static Event stop(Allocation victim, StopReason reason, String beneficiary) {
        return new TaskEvent.Stopping(victim, reason, new TaskRef("default", beneficiary, "t", TaskRef.SINGLE), NOW);
    }
}
