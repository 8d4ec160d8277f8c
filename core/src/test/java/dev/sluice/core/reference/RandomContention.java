package dev.sluice.core.reference;

import dev.sluice.core.application.ApplicationSpec;
import dev.sluice.core.application.Constraints;
import dev.sluice.core.application.Gang;
import dev.sluice.core.application.Taint;
import dev.sluice.core.application.TaskSpec;
import dev.sluice.core.configuration.LoadProperties;
import dev.sluice.core.configuration.PartitionConfiguration;
import dev.sluice.core.configuration.PreemptionPolicy;
import dev.sluice.core.configuration.PreemptionProperties;
import dev.sluice.core.configuration.QueueConfiguration;
import dev.sluice.core.configuration.QueueProperties;
import dev.sluice.core.configuration.SharePolicyKind;
import dev.sluice.core.configuration.UsageProperties;
import dev.sluice.core.resource.ResourceTypes;
import dev.sluice.core.resource.Resources;
import dev.sluice.core.state.Queue;
import dev.sluice.core.testing.ClusterUnderTest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Random clusters whose queues compete for a few full nodes, with every reason to preempt tasks: guarantees,
 * priorities, load classes, and in three of ten clusters maxima that are lowered. Some have parents that share by
 * usage, limits of users and groups, constraints on nodes and between tasks, or gangs.
 *
 * <p>A gang that restarts as a whole is left out: that ends tasks which nothing preempts.
 */
final class RandomContention {

    /** How long load classes must be too far apart before loans are reclaimed. */
    static final Duration MINIMUM = Duration.ofSeconds(10);

    private static final int NODES_MAX = 4;

    private final RandomSource chance;
    private final boolean load;
    private final boolean usage;
    private final @Nullable RandomConstraints constraints;
    private final @Nullable RandomLimits limits;
    private final @Nullable RandomGangs gangs;

    RandomContention(long seed) {
        chance = new RandomSource(seed);
        load = chance.percent(30);
        usage = !load && chance.percent(25);
        constraints = chance.percent(40) ? new RandomConstraints(new RandomSource(seed + 1), NODES_MAX) : null;
        limits = chance.percent(30)
                ? new RandomLimits(seed + 2, List.of(ResourceTypes.VCORE, ResourceTypes.MEMORY))
                : null;
        gangs = chance.percent(30) ? new RandomGangs(seed + 3, false, RandomGangs.LABELS) : null;
    }

    /** Returns whether some of its queues may share by usage. */
    boolean sharesByUsage() {
        return usage;
    }

    /** Configures the queues, registers nodes, submits applications and starts what fits. */
    void fill(ClusterUnderTest cluster) {
        PartitionConfiguration configuration = PartitionConfiguration.of("default", queue("root", 0))
                .withTopology(gangs == null ? List.of() : gangs.levels());
        cluster.configure(limits == null ? configuration : limits.addTo(configuration));
        for (int i = 0; i <= chance.below(NODES_MAX); i++) {
            node(cluster, "n" + i);
        }
        List<Queue> leaves = cluster.partition().queues().all().stream()
                .filter(Queue::isLeaf)
                .toList();
        int applications = 6 + chance.below(10);
        for (int i = 0; i < applications; i++) {
            cluster.submit(application("x" + i, chance.of(leaves).path(), i < 2))
                    .cycle();
            cluster.startAll();
            cluster.advance(Duration.ofMillis(chance.of(0, 10, 2_000)));
        }
        if (chance.percent(30)) {
            PartitionConfiguration current = cluster.partition().configuration();
            cluster.configure(current.withRoot(QuotaLaws.lowered(current.root(), "root", cluster.partition(), chance))
                    .withPreemption(true, true));
        }
    }

    private void node(ClusterUnderTest cluster, String name) {
        TreeMap<String, String> labels = new TreeMap<>();
        if (constraints != null) {
            constraints.labelled(labels);
        }
        if (constraints != null || gangs != null) {
            labels.put("zone", chance.of("x", "y"));
            labels.put("disk", chance.of("ssd", "hdd"));
        }
        cluster.node(name, labels, "vcore", String.valueOf(chance.of(2, 4, 8)), "memory", "8Gi");
        if (constraints != null) {
            cluster.taint(name, constraints.taints().toArray(new Taint[0]));
        }
    }

    /** Returns an application; one of the first ones is large and unimportant, so that it can be preempted. */
    private ApplicationSpec application(String id, String leaf, boolean first) {
        Resources each =
                Resources.parse("vcore", chance.of("500m", "1", "2", "3"), "memory", chance.of("0", "1Gi", "2Gi"));
        TaskSpec tasks = TaskSpec.of("t", 1 + chance.below(first ? 30 : 6), each)
                .withPriority(first ? chance.of(-1, 0) : chance.of(-1, 0, 0, 1, 2))
                .withPreemptible(chance.percent(90));
        if (constraints != null && chance.percent(50)) {
            tasks = tasks.withConstraints(constraints.more(Constraints.NONE));
        }
        ApplicationSpec spec = ApplicationSpec.open(id, leaf, tasks);
        if (limits != null) {
            spec = spec.withUser(chance.of(RandomConfiguration.USERS)).withGroups(limits.groups());
        }
        ApplicationSpec withGang = gangs == null || chance.percent(50) ? spec : gangs.addTo(spec);
        Gang gang = withGang.gang();
        return gang == null ? withGang : withGang.withGang(gang.withOnLoss(Gang.OnLoss.CONTINUE));
    }

    private QueueConfiguration queue(String name, int level) {
        List<QueueConfiguration> children = new ArrayList<>();
        if (level == 0 || (level < 3 && chance.percent(40))) {
            for (int i = 0; i < 2 + chance.below(2); i++) {
                children.add(queue("q" + i, level + 1));
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
                .withSharePolicy(children.isEmpty() ? SharePolicyKind.FAIR : policy(level))
                .withUsage(new UsageProperties(Duration.ofMinutes(1), chance.percent(30), 1_000, chance.of(1, 2)))
                .withLoad(new LoadProperties(chance.of(10, 30, 60), 1 + chance.below(30), MINIMUM));
        Resources guaranteed = level == 0 ? Resources.NONE : guaranteed();
        return QueueConfiguration.of(name, guaranteed, level == 0 ? Resources.NONE : max(), 0, properties, children);
    }

    private SharePolicyKind policy(int level) {
        if (load && (level == 0 || chance.percent(30))) {
            return SharePolicyKind.LOAD;
        }
        return usage && chance.percent(40) ? SharePolicyKind.USAGE : SharePolicyKind.FAIR;
    }

    private Resources guaranteed() {
        if (chance.percent(20)) {
            return Resources.NONE;
        }
        return chance.percent(70)
                ? Resources.parse("vcore", chance.of("1", "2", "3", "4"))
                : Resources.parse("vcore", chance.of("2", "4"), "memory", chance.of("1Gi", "4Gi"));
    }

    private Resources max() {
        return chance.percent(20) ? Resources.parse("vcore", chance.of("2", "4", "6")) : Resources.NONE;
    }
}
