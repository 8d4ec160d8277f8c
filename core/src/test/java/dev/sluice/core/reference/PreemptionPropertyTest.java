package dev.sluice.core.reference;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.core.application.StopReason;
import dev.sluice.core.application.TaskSpec;
import dev.sluice.core.configuration.LoadProperties;
import dev.sluice.core.configuration.PartitionConfiguration;
import dev.sluice.core.configuration.PreemptionPolicy;
import dev.sluice.core.configuration.PreemptionProperties;
import dev.sluice.core.configuration.QueueConfiguration;
import dev.sluice.core.configuration.QueueProperties;
import dev.sluice.core.configuration.SharePolicyKind;
import dev.sluice.core.resource.Resources;
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
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Predicate;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * The laws of preemption on random trees with all reasons: without submissions and ends of tasks, other than those of
 * victims, preemptions come to an end within a bound; none is in vain, no victim can be spared, no queue loses what it
 * is guaranteed, and fences and protections hold. In three of ten maxima are lowered before.
 *
 * <p>A failure prints its seed; {@code -Dsluice.seed=N} runs only that one.
 */
class PreemptionPropertyTest {

    private static final Duration MINIMUM = Duration.ofSeconds(10);

    private long guarantees;
    private long priorities;
    private long rebalances;
    private long several;
    private long quotas;

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
                new Run(new RandomSource(seed)).run();
            } catch (AssertionError | RuntimeException failure) {
                throw new AssertionError("seed " + seed + ": " + failure.getMessage(), failure);
            }
        }
        if (only < 0) {
            String counts = guarantees + " preemptions for guarantees, " + priorities + " for priorities, " + rebalances
                    + " by rebalancing, " + several + " of several tasks, " + quotas + " tasks for maxima";
            assertThat(guarantees).as(counts).isGreaterThan(clusters / 4);
            assertThat(priorities).as(counts).isGreaterThan(clusters / 10);
            assertThat(rebalances).as(counts).isPositive();
            assertThat(several).as(counts).isGreaterThan(clusters / 30);
            assertThat(quotas).as(counts).isGreaterThan(clusters / 4);
        }
    }

    /** One random cluster, and a second state to which its events are applied one by one. */
    private final class Run {
        private final RandomSource chance;
        private final ClusterUnderTest cluster = new ClusterUnderTest(new CheckedScheduler());
        private final SchedulerState shadow = new SchedulerState();
        private int seen;
        private long bound;
        private long preemptionsForGuarantees;
        private long preemptions;
        private long quotaVictims;

        Run(RandomSource chance) {
            this.chance = chance;
        }

        void run() {
            boolean load = chance.percent(30);
            cluster.queues(queue("root", 0, load));
            for (int i = 0; i <= chance.below(4); i++) {
                cluster.node("n" + i, "vcore", String.valueOf(chance.of(2, 4, 8)), "memory", "8Gi");
            }
            List<Queue> leaves = cluster.partition().queues().all().stream()
                    .filter(Queue::isLeaf)
                    .toList();
            int applications = 4 + chance.below(8);
            for (int i = 0; i < applications; i++) {
                Resources each = Resources.parse(
                        "vcore", chance.of("500m", "1", "2", "3"), "memory", chance.of("0", "1Gi", "2Gi"));
                TaskSpec tasks = TaskSpec.of("t", 1 + chance.below(i < 2 ? 30 : 6), each)
                        .withPriority(i < 2 ? chance.of(-1, 0) : chance.of(-1, 0, 0, 1, 2))
                        .withPreemptible(chance.percent(90));
                cluster.submit("x" + i, chance.of(leaves).path(), tasks).cycle();
                cluster.startAll();
                cluster.advance(Duration.ofMillis(chance.of(0, 10, 2_000)));
            }
            if (chance.percent(30)) {
                PartitionConfiguration configuration = cluster.partition().configuration();
                cluster.configure(configuration
                        .withRoot(QuotaLaws.lowered(configuration.root(), "root", cluster.partition(), chance))
                        .withPreemption(true, true));
            }
            replay(event -> false);
            bound = boundOfGuarantees();
            long allocated = cluster.queue("root").allocatedTasks();
            long tasks = cluster.partition().applications().stream()
                    .mapToLong(application -> application.tasks())
                    .sum();
            long workers = cluster.partition().workers();
            for (int quiet = 0; quiet < 4; quiet++) {
                long before = preemptions + quotaVictims;
                cluster.cycle();
                replay(event -> true);
                cluster.placed().stream().filter(Task::isPreempting).forEach(task -> cluster.fail(task.toString()));
                cluster.startAll();
                cluster.advance(MINIMUM);
                replay(event -> true);
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

        /** Applies the new events to the second state, and checks the preemptions if told to. */
        private void replay(Predicate<Event> checked) {
            List<Event> journal = cluster.scheduler().journal();
            for (; seen < journal.size(); seen++) {
                Event event = journal.get(seen);
                if (checked.test(event) && QuotaLaws.isStop(event)) {
                    QuotaLaws.check(journal, seen, partition());
                    quotas++;
                    quotaVictims++;
                } else if (checked.test(event) && isFirstStop(journal, seen)) {
                    checkPreemption(journal);
                }
                shadow.apply(event);
            }
        }

        private boolean isFirstStop(List<Event> journal, int at) {
            return isStop(journal.get(at)) && !(at > 0 && isStop(journal.get(at - 1)) && sameBeneficiary(journal, at));
        }

        private boolean sameBeneficiary(List<Event> journal, int at) {
            return Objects.equals(
                    ((TaskEvent.Stopping) journal.get(at)).beneficiary(),
                    ((TaskEvent.Stopping) journal.get(at - 1)).beneficiary());
        }

        private static boolean isStop(Event event) {
            return event instanceof TaskEvent.Stopping stopping
                    && stopping.reason().isPreemption()
                    && !QuotaLaws.isStop(event);
        }

        private Partition partition() {
            return Objects.requireNonNull(shadow.partition("default"));
        }

        private void checkPreemption(List<Event> journal) {
            TaskEvent.Stopping first = (TaskEvent.Stopping) journal.get(seen);
            StopReason reason = first.reason();
            List<Task> victims = new ArrayList<>();
            TaskEvent.Placed placed = null;
            for (int at = seen; placed == null; at++) {
                assertThat(at).as("a beneficiary is placed").isLessThan(journal.size());
                if (isStop(journal.get(at))) {
                    TaskEvent.Stopping stop = (TaskEvent.Stopping) journal.get(at);
                    victims.add(QuotaLaws.taskOf(stop, partition()));
                    assertThat(stop.beneficiary()).isEqualTo(first.beneficiary());
                } else if (journal.get(at) instanceof TaskEvent.Placed found) {
                    placed = found;
                }
            }
            assertThat(placed.task()).isEqualTo(first.beneficiary());
            preemptions++;
            guarantees += reason == StopReason.GUARANTEE ? 1 : 0;
            preemptionsForGuarantees += reason == StopReason.GUARANTEE ? 1 : 0;
            priorities += reason == StopReason.PRIORITY ? 1 : 0;
            rebalances += reason == StopReason.REBALANCE ? 1 : 0;
            several += victims.size() > 1 ? 1 : 0;
            TaskGroup group = Objects.requireNonNull(partition()
                    .existing(placed.application())
                    .group(placed.task().task()));
            check(reason, group, victims, placed.at(), placed.node());
        }

        private void check(StopReason reason, TaskGroup group, List<Task> victims, Instant now, String nodeName) {
            Node node = Objects.requireNonNull(partition().node(nodeName));
            assertThat(victims).as("victims on the node").allMatch(victim -> victim.node() == node);
            assertThat(group.pending()).as("pending beneficiary").isPositive();
            assertThat(fits(group, victims, node))
                    .as("fits without its victims")
                    .isTrue();
            if (reason != StopReason.REBALANCE) {
                for (Task victim : victims) {
                    List<Task> fewer =
                            victims.stream().filter(other -> other != victim).toList();
                    assertThat(fits(group, fewer, node))
                            .as("fits without %s", victim)
                            .isFalse();
                }
            }
            Queue leaf = group.application().queue();
            for (Task victim : victims) {
                assertThat(victim.protectedUntil()).as("protection").isBeforeOrEqualTo(now);
                assertThat(leaf.isPreemptionDisabled()).isFalse();
                for (Queue queue = leaf;
                        queue != null && !contains(queue, victim.application().queue());
                        queue = queue.parent()) {
                    assertThat(queue.isPreemptionFence()).as("fence %s", queue).isFalse();
                }
                if (reason == StopReason.PRIORITY) {
                    assertThat(victim.application().queue()).isSameAs(leaf);
                    assertThat(victim.application()).isNotSameAs(group.application());
                    assertThat(victim.kind().priority()).isLessThan(group.kind().priority());
                }
            }
            long missingBefore = 0;
            long missingAfter = 0;
            for (Queue queue : partition().queues().all()) {
                for (int type = 0; type < partition().types().size(); type++) {
                    long before = queue.allocated(type);
                    long after = before + (contains(queue, leaf) ? group.demand(type) : 0);
                    for (Task victim : victims) {
                        after -= contains(queue, victim.application().queue()) ? victim.demand(type) : 0;
                    }
                    assertThat(after >= before || after >= queue.guaranteed(type))
                            .as("%s keeps its guarantee", queue)
                            .isTrue();
                    missingBefore += Math.max(0, queue.guaranteed(type) - before);
                    missingAfter += Math.max(0, queue.guaranteed(type) - after);
                }
            }
            assertThat(missingAfter).as("unmet guarantees").isLessThanOrEqualTo(missingBefore);
            if (reason == StopReason.GUARANTEE) {
                assertThat(missingAfter).as("unmet guarantees").isLessThan(missingBefore);
            }
        }

        private boolean fits(TaskGroup group, List<Task> victims, Node node) {
            for (int type = 1; type < partition().types().size(); type++) { // nodes do not declare slots
                long removed = 0;
                for (Task victim : victims) {
                    removed += victim.demand(type);
                }
                if (group.demand(type) > node.capacity(type) - node.allocated(type) + removed) {
                    return false;
                }
                for (Queue queue = group.application().queue(); queue != null; queue = queue.parent()) {
                    long inside = 0;
                    for (Task victim : victims) {
                        inside += contains(queue, victim.application().queue()) ? victim.demand(type) : 0;
                    }
                    boolean exceeds = queue.max(type) != Long.MAX_VALUE
                            && queue.allocated(type) + group.demand(type) - inside > queue.max(type);
                    if (group.demand(type) > 0 && exceeds) {
                        return false;
                    }
                }
            }
            return true;
        }

        private static boolean contains(Queue queue, Queue leaf) {
            Queue each = leaf;
            while (each != null && each != queue) {
                each = each.parent();
            }
            return each != null;
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

        private QueueConfiguration queue(String name, int level, boolean load) {
            List<QueueConfiguration> children = new ArrayList<>();
            if (level == 0 || (level < 3 && chance.percent(40))) {
                for (int i = 0; i < 2 + chance.below(2); i++) {
                    children.add(queue("q" + i, level + 1, load && chance.percent(30)));
                }
            }
            PreemptionProperties preemption = new PreemptionProperties(
                    chance.percent(90) ? PreemptionPolicy.DEFAULT : chance.of(PreemptionPolicy.values()),
                    Duration.ofMillis(chance.of(1, 1_000)),
                    chance.percent(50),
                    chance.percent(15) ? Duration.ofSeconds(chance.of(5, 20)) : null,
                    Duration.ZERO);
            QueueProperties properties = QueueProperties.DEFAULTS
                    .withPriorities(null, chance.percent(15) ? chance.of(-1, 1) : 0, chance.percent(10))
                    .withPreemption(preemption)
                    .withSharePolicy(load && !children.isEmpty() ? SharePolicyKind.LOAD : SharePolicyKind.FAIR)
                    .withLoad(new LoadProperties(chance.of(10, 30, 60), 1 + chance.below(30), MINIMUM));
            Resources guaranteed = level > 0 && chance.percent(80)
                    ? chance.percent(70)
                            ? Resources.parse("vcore", chance.of("1", "2", "3", "4"))
                            : Resources.parse("vcore", chance.of("2", "4"), "memory", chance.of("1Gi", "4Gi"))
                    : Resources.NONE;
            Resources max = level > 0 && chance.percent(20)
                    ? Resources.parse("vcore", chance.of("2", "4", "6"))
                    : Resources.NONE;
            return QueueConfiguration.of(name, guaranteed, max, 0, properties, children);
        }
    }
}
