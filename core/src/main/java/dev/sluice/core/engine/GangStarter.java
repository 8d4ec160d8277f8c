package dev.sluice.core.engine;

import dev.sluice.core.schedule.Candidate;
import dev.sluice.core.schedule.GangTrial;
import dev.sluice.core.schedule.PartitionSchedule;
import dev.sluice.core.state.Application;
import dev.sluice.core.state.ApplicationEvent;
import dev.sluice.core.state.GangProgress;
import dev.sluice.core.state.Node;
import dev.sluice.core.state.Partition;
import dev.sluice.core.state.TaskGroup;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.function.BiConsumer;

/**
 * Starts gangs: all members in one cycle, or none.
 *
 * <p>Everything is checked for all members together: limits of user and group, maxima of queues, budgets, throttle and
 * nodes. Where a share policy hands out single tasks, a gang counts as one. No event is emitted before the last member
 * fits.
 */
final class GangStarter {

    private final Partition partition;
    private final PartitionSchedule schedule;
    private final Emitter emitter;
    private final Instant now;

    GangStarter(Partition partition, PartitionSchedule schedule, Emitter emitter, Instant now) {
        this.partition = partition;
        this.schedule = schedule;
        this.emitter = emitter;
        this.now = now;
    }

    /**
     * Allocates all members of the candidate's gang, which is waiting, or skips its application.
     *
     * @param allocate allocates the next task of a group on a node
     */
    void start(Candidate candidate, GangProgress gang, BiConsumer<TaskGroup, Node> allocate) {
        Application application = candidate.application();
        GangTrial trial = schedule.gangTrial(candidate, gang);
        if (!trial.isPending()
                || partition.throttleHeadroom() < trial.size()
                || application.limits().firstOverMax(trial.demand()) != null
                || application.queue().firstQueueOverMax(trial.demand()) != null) {
            schedule.skipApplication(candidate);
            return;
        }
        if (schedule.skipGangOverBudget(candidate, trial)) {
            return;
        }
        List<GangTrial.Member> members = schedule.place(trial);
        if (members == null) {
            schedule.reservations().gangs().refused(candidate, trial);
            schedule.skipGang(candidate, trial, gang);
            return;
        }
        Instant since = Objects.requireNonNullElse(gang.waitingSince(), now);
        schedule.reservations().gangs().starting(application);
        members.forEach(member -> allocate.accept(member.group(), member.node()));
        emitter.emit(new ApplicationEvent.GangStarted(
                partition.name(), application.id(), application.origin(), members.size(), since, now));
    }
}
