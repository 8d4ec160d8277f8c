package dev.sluice.simulator.figures;

import java.util.List;

/**
 * The smallest cluster on which the workload meets some conditions with a configuration.
 *
 * @param configuration the name of the configuration
 * @param conditions the conditions, such as {@code p90 wait <= 1h}
 * @param smallest the name of the smallest nodes that are enough; empty if none of those simulated is
 * @param smaller the name of the next smaller nodes, which are not enough; empty if there are none
 * @param range the number of sizes to choose from
 * @param checks the simulated sizes, smallest first
 */
public record SmallestCluster(
        String configuration,
        List<String> conditions,
        String smallest,
        String smaller,
        int range,
        List<SizeCheck> checks) {

    /**
     * A simulated size.
     *
     * @param nodes the name of the nodes
     * @param enough whether all conditions hold in every repetition
     * @param measures the measures of the conditions
     */
    public record SizeCheck(String nodes, boolean enough, List<MeasureSpread> measures) {

        public SizeCheck {
            measures = List.copyOf(measures);
        }
    }

    public SmallestCluster {
        conditions = List.copyOf(conditions);
        checks = List.copyOf(checks);
    }

    /** Whether any simulated size is enough. */
    public boolean isFound() {
        return !smallest.isEmpty();
    }

    /** Returns the check of the nodes with this name. */
    public SizeCheck check(String nodes) {
        return checks.stream()
                .filter(check -> check.nodes().equals(nodes))
                .findFirst()
                .orElseThrow();
    }

    /** Returns the names of the simulated sizes that are larger than the smallest, and yet are not enough. */
    public List<String> exceptions() {
        int found = checks.stream().map(SizeCheck::nodes).toList().indexOf(smallest);
        return found < 0
                ? List.of()
                : checks.subList(found, checks.size()).stream()
                        .filter(check -> !check.enough())
                        .map(SizeCheck::nodes)
                        .toList();
    }
}
