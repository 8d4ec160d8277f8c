package dev.sluice.core.reference;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/** A random mixture: the kind of a cluster, its size and each of its features are drawn independently. */
final class RandomMixture {

    /** What the queues of a cluster mostly share by, apart from {@link Feature#POLICIES}. */
    enum Kind {
        CLASSES,
        USAGE,
        OTHER
    }

    /** What a cluster also does. */
    enum Feature {
        LIMITS,
        CONTROL,
        CONSTRAINTS,
        PREEMPTION,
        RESERVATIONS,
        GANGS,
        POLICIES,
        CONTENTION
    }

    private static final int FEATURE_PERCENT = 50;
    private static final int MANY_NODES_PERCENT = 10;

    private final long seed;
    private final Kind kind;
    private final int nodesMax;
    private final int fairPercent;
    private final Set<Feature> features = EnumSet.noneOf(Feature.class);

    RandomMixture(long seed) {
        this.seed = seed;
        RandomSource random = new RandomSource(seed + 10);
        kind = random.of(Kind.values());
        nodesMax = random.percent(MANY_NODES_PERCENT)
                ? RandomCluster.MANY_NODES
                : random.percent(50) ? RandomCluster.FEW_NODES : RandomCluster.FEW_NODES / 2;
        fairPercent = random.of(20, 100);
        for (Feature feature : Feature.values()) {
            if (random.percent(FEATURE_PERCENT)) {
                features.add(feature);
            }
        }
    }

    /** Creates the cluster. */
    RandomCluster cluster() {
        RandomCluster cluster = kind == Kind.CLASSES
                ? RandomCluster.ofClasses(seed, nodesMax)
                : new RandomCluster(seed, kind == Kind.USAGE, nodesMax);
        features.forEach(feature -> add(feature, cluster));
        return cluster;
    }

    private void add(Feature feature, RandomCluster cluster) {
        switch (feature) {
            case LIMITS -> cluster.limited();
            case CONTROL -> cluster.controlled();
            case CONSTRAINTS -> cluster.constrained();
            case PREEMPTION -> cluster.preempting(fairPercent);
            case RESERVATIONS -> cluster.reserving();
            case GANGS -> cluster.gangingOnHosts();
            case POLICIES -> cluster.mixingPolicies();
            case CONTENTION -> cluster.contending();
        }
    }

    /** Returns each three of the kind and the features. */
    List<String> triples() {
        List<String> drawn = new ArrayList<>(List.of(kind.name()));
        features.forEach(feature -> drawn.add(feature.name()));
        List<String> triples = new ArrayList<>();
        for (int third = 2; third < drawn.size(); third++) {
            for (int second = 1; second < third; second++) {
                for (String first : drawn.subList(0, second)) {
                    triples.add(first + ", " + drawn.get(second) + ", " + drawn.get(third));
                }
            }
        }
        return triples;
    }

    @Override
    public String toString() {
        return "seed " + seed + " (" + kind + " on " + nodesMax + " nodes with " + features + ")";
    }
}
