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
import java.util.Collections;
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
            if (due != null && !due.isAfter(now) && exceeds(queue, task, List.of())) {
                enforcing.add(queue);
            }
        }
        return enforcing;
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

    /**
     * Checks that none of the victims of a cycle could have been spared. Queues are served one after the other, those
     * below a queue before it; a victim is that of the first queue that would exceed its maximum of something it
     * requests without the victims before it.
     */
    private static void checkNoneSpared(List<Event> journal, int first, Partition partition) {
        List<Task> victims = new ArrayList<>();
        for (int at = first; at < journal.size() && isStop(journal.get(at)); at++) {
            victims.add(taskOf((TaskEvent.Stopping) journal.get(at), partition));
        }
        Instant now = journal.get(first).at();
        List<Queue> queues = new ArrayList<>(partition.queues().all());
        Collections.reverse(queues);
        int checked = 0;
        for (Queue queue : queues) {
            Instant due = queue.quotaPreemptionDue();
            int next = checked;
            while (due != null
                    && !due.isAfter(now)
                    && next < victims.size()
                    && contains(queue, victims.get(next))
                    && exceeds(queue, victims.get(next), victims.subList(0, next))) {
                next++;
            }
            for (Task victim : victims.subList(checked, next)) {
                List<Task> others = new ArrayList<>(victims.subList(0, next));
                others.remove(victim);
                assertThat(exceeds(queue, victim, others))
                        .as("%s is needed for %s", victim, queue)
                        .isTrue();
            }
            checked = next;
        }
        assertThat(checked).as("victims of a queue").isEqualTo(victims.size());
    }

    private static boolean contains(Queue queue, Task task) {
        return queue.contains(task.application().queue());
    }

    /** Whether a queue exceeds its maximum of something the task requests without these other tasks. */
    private static boolean exceeds(Queue queue, Task task, List<Task> without) {
        boolean exceeds = false;
        for (int type = 0; type < queue.max().length; type++) {
            long allocated = queue.allocated(type);
            for (Task other : without) {
                allocated -= contains(queue, other) ? other.demand(type) : 0;
            }
            exceeds |= task.demand(type) > 0 && allocated > queue.max(type);
        }
        return exceeds;
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
