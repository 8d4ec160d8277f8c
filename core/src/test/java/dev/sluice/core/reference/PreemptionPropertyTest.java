package dev.sluice.core.reference;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.core.application.RunRef;
import dev.sluice.core.application.StopReason;
import dev.sluice.core.application.TaskRef;
import dev.sluice.core.command.Command;
import dev.sluice.core.state.Event;
import dev.sluice.core.state.Node;
import dev.sluice.core.state.Partition;
import dev.sluice.core.state.Queue;
import dev.sluice.core.state.SchedulerState;
import dev.sluice.core.state.Task;
import dev.sluice.core.state.TaskEvent;
import dev.sluice.core.state.TaskGroup;
import dev.sluice.core.testing.CheckedScheduler;
import dev.sluice.core.testing.ClusterUnderTest;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * The laws of preemption on random trees with all reasons: without submissions and ends of tasks, other than those of
 * victims, preemptions come to an end within a bound; none is in vain: when its victims have ended, the beneficiary may
 * start. No victim can be spared, no queue loses what it is guaranteed, and fences, protections, constraints and limits
 * hold.
 *
 * <p>A failure prints its seed; {@code -Dsluice.seed=N} runs only that one.
 */
class PreemptionPropertyTest {

    private long guarantees;
    private long priorities;
    private long rebalances;
    private long several;
    private long quotas;
    private long constrained;
    private long limited;
    private long gangs;
    private long usages;

    @Test
    @Tag("slow")
    void preemptions_ofRandomClusters_keepTheLaws() {
        check(300);
    }

    @Tag("long")
    @Test
    void preemptions_ofManyRandomClusters_keepTheLaws() {
        check(10_000);
    }

    private void check(int clusters) {
        long only = Long.getLong("sluice.seed", -1);
        for (long seed = Math.max(0, only); seed < (only < 0 ? clusters : only + 1); seed++) {
            try {
                new Run(seed).run();
            } catch (AssertionError | RuntimeException failure) {
                throw new AssertionError("seed " + seed + ": " + failure.getMessage(), failure);
            }
        }
        if (only < 0) {
            String counts = guarantees + " preemptions for guarantees, " + priorities + " for priorities, " + rebalances
                    + " by rebalancing, " + several + " of several tasks, " + quotas + " tasks for maxima; of the"
                    + " preemptions " + constrained + " for tasks with constraints, " + limited + " with limits, "
                    + gangs + " for or of tasks of gangs, " + usages + " with queues that share by usage";
            assertThat(guarantees).as(counts).isGreaterThan(clusters / 4);
            assertThat(priorities).as(counts).isGreaterThan(clusters / 10);
            assertThat(rebalances).as(counts).isGreaterThan(clusters / 30);
            assertThat(several).as(counts).isGreaterThan(clusters / 30);
            assertThat(quotas).as(counts).isGreaterThan(clusters / 4);
            assertThat(constrained).as(counts).isGreaterThan(clusters / 30);
            assertThat(limited).as(counts).isGreaterThan(clusters / 30);
            assertThat(gangs).as(counts).isGreaterThan(clusters / 30);
            assertThat(usages).as(counts).isGreaterThan(clusters / 30);
        }
    }

    /** One random cluster, and a second state to which its events are applied one by one. */
    private final class Run {
        private final RandomContention contention;
        private final ClusterUnderTest cluster = new ClusterUnderTest(new CheckedScheduler());
        private final SchedulerState shadow = new SchedulerState();
        private int seen;

        /** Where the last checked preemption ends in the journal. */
        private int checked = -1;

        private long bound;
        private long preemptionsForGuarantees;
        private long preemptions;
        private long quotaVictims;

        /** The beneficiaries whose victims have not ended, except those that were preempted themselves. */
        private final Set<TaskRef> open = new LinkedHashSet<>();

        Run(long seed) {
            contention = new RandomContention(seed);
        }

        void run() {
            contention.fill(cluster);
            replay();
            preemptions = 0;
            preemptionsForGuarantees = 0;
            quotaVictims = 0;
            bound = boundOfGuarantees();
            long allocated = cluster.queue("root").allocatedTasks();
            long tasks = cluster.partition().applications().stream()
                    .mapToLong(application -> application.tasks())
                    .sum();
            long workers = cluster.partition().workers();
            for (int quiet = 0; quiet < 4; quiet++) {
                long before = preemptions + quotaVictims;
                cluster.cycle();
                replay();
                endVictims();
                cluster.startAll();
                cluster.advance(RandomContention.MINIMUM);
                replay();
                quiet = preemptions + quotaVictims > before ? -1 : quiet;
                assertThat(quotaVictims).as("victims for maxima").isLessThanOrEqualTo(allocated);
                assertThat(preemptionsForGuarantees)
                        .as("preemptions for guarantees")
                        .isLessThanOrEqualTo(bound);
                assertThat(preemptions)
                        .as("all preemptions")
                        .isLessThanOrEqualTo((bound + 1) * (workers + 1) * (tasks + 1) * (quotaVictims + 1));
            }
        }

        /** Ends all victims node by node: when those on a node have ended, each beneficiary there may start. */
        private void endVictims() {
            for (Node node : cluster.partition().nodes()) {
                for (Task task : List.copyOf(node.tasks())) {
                    if (task.isPreempting()) {
                        cluster.handle(new Command.ReportTaskFailed(RunRef.current(ref(task)), null, ""));
                    }
                }
                assertThat(node.reserved()).as("reserved tasks without victims").isEmpty();
            }
            for (TaskRef beneficiary : open) {
                assertThat(placed(beneficiary))
                        .as("allocation of %s", beneficiary)
                        .isNotNull();
            }
            open.clear();
        }

        private static TaskRef ref(Task task) {
            return task.group().ref(task.index());
        }

        private @Nullable Task placed(TaskRef task) {
            return Objects.requireNonNull(
                            cluster.application(task.application()).group(task.task()))
                    .placed(task.position());
        }

        /** Checks the preemptions among the new events, and applies these to the second state. */
        private void replay() {
            List<Event> journal = cluster.scheduler().journal();
            for (; seen < journal.size(); seen++) {
                Event event = journal.get(seen);
                if (QuotaLaws.isStop(event)) {
                    QuotaLaws.check(journal, seen, partition());
                    quotas++;
                    quotaVictims++;
                } else if (seen > checked && PreemptionLaws.isStop(event)) {
                    PreemptionLaws preemption = new PreemptionLaws(journal, seen, partition());
                    preemption.check();
                    checked = preemption.end();
                    assertThat(open.add(preemption.beneficiary()))
                            .as("no other preemption for %s", preemption.beneficiary())
                            .isTrue();
                    count(preemption);
                }
                if (event instanceof TaskEvent.Stopping stopping) {
                    open.remove(stopping.task());
                }
                shadow.apply(event);
            }
        }

        private void count(PreemptionLaws preemption) {
            preemptions++;
            guarantees += preemption.reason() == StopReason.GUARANTEE ? 1 : 0;
            preemptionsForGuarantees += preemption.reason() == StopReason.GUARANTEE ? 1 : 0;
            priorities += preemption.reason() == StopReason.PRIORITY ? 1 : 0;
            rebalances += preemption.reason() == StopReason.REBALANCE ? 1 : 0;
            several += preemption.victims().size() > 1 ? 1 : 0;
            TaskGroup group = preemption.group();
            constrained += group.kind().constraints().isEmpty() ? 0 : 1;
            limited += group.application().limits().isEmpty() ? 0 : 1;
            gangs += group.application().gang() != null
                            || preemption.victims().stream()
                                    .anyMatch(victim -> victim.application().gang() != null)
                    ? 1
                    : 0;
            usages += contention.sharesByUsage() ? 1 : 0;
        }

        private Partition partition() {
            return Objects.requireNonNull(shadow.partition("default"));
        }

        /** Returns how many tasks of the smallest demand the unmet guarantees hold: each preemption fills one. */
        private long boundOfGuarantees() {
            long sum = 0;
            for (Queue queue : partition().queues().all()) {
                for (int type = 0; type < partition().types().size(); type++) {
                    long unmet = Math.max(0, queue.guaranteed(type) - queue.allocated(type));
                    long smallest = Long.MAX_VALUE;
                    for (var application : partition().applications()) {
                        for (TaskGroup group : application.groups()) {
                            smallest = group.demand(type) > 0 ? Math.min(smallest, group.demand(type)) : smallest;
                        }
                    }
                    sum += unmet / smallest;
                }
            }
            return sum;
        }
    }
}
