package dev.sluice.core.reference;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.core.application.StopReason;
import dev.sluice.core.configuration.PreemptionProperties;
import dev.sluice.core.configuration.QueueConfiguration;
import dev.sluice.core.resource.Resources;
import dev.sluice.core.state.Event;
import dev.sluice.core.state.Partition;
import dev.sluice.core.state.Queue;
import dev.sluice.core.state.Task;
import dev.sluice.core.state.TaskEvent;
import dev.sluice.core.state.TaskGroup;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/** The laws of preemption for lowered maxima, for {@link PreemptionPropertyTest}. */
final class QuotaLaws {

    private QuotaLaws() {}

    static boolean isStop(Event event) {
        return event instanceof TaskEvent.Stopping stopping && stopping.reason() == StopReason.QUOTA;
    }

    /** Checks a preemption for a maximum, before it is applied to the partition. */
    static void check(List<Event> journal, int at, Partition partition) {
        if (at == 0 || !isStop(journal.get(at - 1))) {
            checkNoneSpared(journal, at, partition);
        }
        checkVictim((TaskEvent.Stopping) journal.get(at), partition);
    }

    /** Returns the task that an event stops. */
    static Task taskOf(TaskEvent.Stopping stop, Partition partition) {
        TaskGroup group =
                partition.existing(stop.application()).group(stop.task().task());
        return Objects.requireNonNull(
                Objects.requireNonNull(group).placed(stop.task().position()));
    }

    /** Returns the queues above a task that have exceeded their maximum of something it requests for the delay. */
    private static List<Queue> enforcing(Task task, Instant now) {
        List<Queue> enforcing = new ArrayList<>();
        for (Queue queue = task.application().queue(); queue != null; queue = queue.parent()) {
            Instant due = queue.quotaPreemptionDue();
            if (due != null && !due.isAfter(now) && exceeds(queue, task)) {
                enforcing.add(queue);
            }
        }
        return enforcing;
    }

    /** Whether a queue exceeds its maximum of something the task requests. */
    private static boolean exceeds(Queue queue, Task task) {
        boolean exceeds = false;
        for (int type = 0; type < queue.max().length; type++) {
            exceeds |= task.demand(type) > 0 && queue.allocated(type) > queue.max(type);
        }
        return exceeds;
    }

    private static void checkVictim(TaskEvent.Stopping stop, Partition partition) {
        Task victim = taskOf(stop, partition);
        assertThat(stop.beneficiary()).isNull();
        assertThat(victim.startedAt()).as("start of %s", victim).isNotNull();
        assertThat(victim.protectedUntil()).as("protection").isBeforeOrEqualTo(stop.at());
        assertThat(enforcing(victim, stop.at())).as("queues above maximum").isNotEmpty();
        for (Queue queue = victim.application().queue(); queue != null; queue = queue.parent()) {
            for (int type = 0; type < partition.types().size(); type++) {
                assertThat(victim.demand(type) == 0
                                || queue.allocated(type) - victim.demand(type) >= queue.guaranteed(type))
                        .as("%s keeps its guarantee", queue)
                        .isTrue();
            }
        }
    }

    /** If all victims of a cycle are for one queue, none could have been spared. */
    private static void checkNoneSpared(List<Event> journal, int first, Partition partition) {
        List<Task> victims = new ArrayList<>();
        List<Queue> queues = new ArrayList<>();
        for (int at = first; at < journal.size() && isStop(journal.get(at)); at++) {
            Task victim = taskOf((TaskEvent.Stopping) journal.get(at), partition);
            victims.add(victim);
            enforcing(victim, journal.get(at).at()).stream()
                    .filter(queue -> !queues.contains(queue))
                    .forEach(queues::add);
        }
        if (queues.size() != 1) {
            return;
        }
        Queue queue = queues.get(0);
        for (Task victim : victims) {
            boolean needed = false;
            for (int type = 0; type < queue.max().length; type++) {
                long after = queue.allocated(type);
                for (Task other : victims) {
                    after -= other.demand(type);
                }
                needed |= victim.demand(type) > 0 && after + victim.demand(type) > queue.max(type);
            }
            assertThat(needed).as("%s is needed", victim).isTrue();
        }
    }

    /** Returns the queue with lower maxima of some queues. */
    static QueueConfiguration lowered(QueueConfiguration queue, String path, Partition partition, RandomSource chance) {
        Queue existing = Objects.requireNonNull(partition.queues().find(path));
        Resources max = chance.percent(40) && existing.allocatedTasks() > 0
                ? Resources.of("vcore", existing.allocated(partition.types().find("vcore")) * chance.of(1, 2, 3) / 4)
                : queue.max();
        PreemptionProperties preemption =
                queue.properties().preemption().withQuotaDelay(Duration.ofMillis(chance.of(0, 1, 5_000)));
        return QueueConfiguration.of(
                queue.name(),
                queue.guaranteed(),
                max,
                queue.maxApplications(),
                queue.properties().withPreemption(preemption),
                queue.children().stream()
                        .map(child -> lowered(child, path + "." + child.name(), partition, chance))
                        .toList());
    }
}
