package dev.sluice.simulator.measure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.sluice.simulator.simulation.SimulationScenario;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;

/**
 * Due shares of queues on ten cores, as fractions of the cluster. Everything is submitted at the beginning and nothing
 * ends, so the mean of a queue is its due share at all times.
 */
class DueSharesTest {

    private final List<String> wanted = new ArrayList<>();

    /** Adds a queue with a demand of this many cores: one task of one core for each. */
    private DueSharesTest wants(String queue, int cores) {
        wanted.add(queue + " " + cores);
        return this;
    }

    private void due(String queues, String... expected) {
        SimulationScenario scenario =
                SimulationScenario.queues(queues).cores(10).until(50);
        for (String each : wanted) {
            String[] parts = each.split(" ");
            scenario.submit(0, parts[0], parts[0], Integer.parseInt(parts[1]), 1, 100);
        }
        SimulationScenario.Outcome outcome = scenario.run();
        for (String each : expected) {
            String[] parts = each.split(" ");
            assertThat(outcome.queue(parts[0]).dueMean())
                    .as("due of " + parts[0])
                    .isEqualTo(Double.parseDouble(parts[1]), within(0.00005));
            assertThat(outcome.queue(parts[0]).due().values())
                    .as("due of " + parts[0] + " over time")
                    .hasSize(50)
                    .allSatisfy(value ->
                            assertThat(value).isEqualTo(outcome.queue(parts[0]).dueMean(), within(1e-9)));
        }
    }

    private static String fair(String... children) {
        return parent("", children);
    }

    private static String parent(String policy, String... children) {
        return String.format(
                Locale.ROOT,
                "queues: [{name: root, %squeues: [%s]}]",
                policy.isEmpty() ? "" : "properties: {queue.share.policy: " + policy + "}, ",
                String.join(", ", children));
    }

    @Test
    void fair_childrenWithoutLimits_haveEqualDueShares() {
        wants("root.a", 20)
                .wants("root.b", 20)
                .due(fair("{name: a}", "{name: b}"), "root 1", "root.a 0.5", "root.b 0.5");
    }

    @Test
    void fair_childWithLowDemand_leavesRestToOthers() {
        // each of three is due ⅓; the demand of a is only 0.1, so the others share 0.9
        wants("root.a", 1)
                .wants("root.b", 20)
                .wants("root.c", 20)
                .due(fair("{name: a}", "{name: b}", "{name: c}"), "root.a 0.1", "root.b 0.45", "root.c 0.45");
    }

    @Test
    void fair_allDemandsLow_areDueTheirDemand() {
        wants("root.a", 1)
                .wants("root.b", 4)
                .due(fair("{name: a}", "{name: b}", "{name: c}"), "root 0.5", "root.a 0.1", "root.b 0.4", "root.c 0");
    }

    @Test
    void fair_guarantees_areWeights() {
        // 2 : 6
        wants("root.a", 20)
                .wants("root.b", 20)
                .due(
                        fair(
                                "{name: a, resources: {guaranteed: {vcore: 2}}}",
                                "{name: b, resources: {guaranteed: {vcore: 6}}}"),
                        "root.a 0.25",
                        "root.b 0.75");
    }

    @Test
    void fair_withoutGuarantee_usesMaximumAsWeight() {
        // the divisor of fair: a is at 2 when b is at 10
        wants("root.a", 20)
                .wants("root.b", 20)
                .due(
                        fair("{name: a, resources: {max: {vcore: 2}}}", "{name: b}"),
                        "root.a " + 0.2 / 1.2,
                        "root.b " + 1 / 1.2);
    }

    @Test
    void fair_guaranteeAndMaximum_usesGuaranteeAsWeight() {
        wants("root.a", 20)
                .wants("root.b", 20)
                .due(
                        fair("{name: a, resources: {guaranteed: {vcore: 5}, max: {vcore: 8}}}", "{name: b}"),
                        "root.a " + 0.5 / 1.5,
                        "root.b " + 1 / 1.5);
    }

    @Test
    void queue_withMaximum_isDueAtMostThat() {
        // its weight is 0.9 of 1.9, but no other queue has any demand
        wants("root.a", 20).due(fair("{name: a, resources: {max: {vcore: 9}}}", "{name: b}"), "root 0.9", "root.a 0.9");
    }

    @Test
    void load_percentages_areWeights() {
        wants("root.a", 20)
                .wants("root.b", 20)
                .wants("root.c", 20)
                .due(
                        parent(
                                "load",
                                "{name: a, properties: {load.percent: 30}}",
                                "{name: b, properties: {load.percent: 70}}",
                                "{name: c, properties: {load.percent: 0}}"),
                        "root.a 0.3",
                        "root.b 0.7",
                        "root.c 0");
    }

    @Test
    void load_classWithLowDemand_leavesRestInProportion() {
        // what a does not use goes to b and c as 30 : 20
        wants("root.b", 20)
                .wants("root.c", 20)
                .due(
                        parent(
                                "load",
                                "{name: a, properties: {load.percent: 50}}",
                                "{name: b, properties: {load.percent: 30}}",
                                "{name: c, properties: {load.percent: 20}}"),
                        "root.a 0",
                        "root.b 0.6",
                        "root.c 0.4");
    }

    @Test
    void usage_factors_weighByInverseRoots() {
        // 1 ÷ √1 : 1 ÷ √4 = 2 : 1
        wants("root.a", 20)
                .wants("root.b", 20)
                .due(
                        parent("usage", "{name: a}", "{name: b, properties: {usage.priority.factor: 4}}"),
                        "root.a " + 2 / 3.0,
                        "root.b " + 1 / 3.0);
    }

    @Test
    void usage_factorsFarApart_giveFiniteShares() {
        String far = parent(
                "usage",
                "{name: a, properties: {usage.priority.factor: 1" + "0".repeat(40) + "}}",
                "{name: b}",
                "{name: c}");
        wants("root.a", 20).wants("root.b", 2).wants("root.c", 2).due(far, "root.a 0.6", "root.b 0.2", "root.c 0.2");
    }

    @Test
    void parents_areDividedBeforeChildren() {
        // a and b half each; below a: the demand of x is 0.1, so y gets the other 0.4
        wants("root.a.x", 1)
                .wants("root.a.y", 20)
                .wants("root.b", 20)
                .due(
                        fair("{name: a, queues: [{name: x}, {name: y}]}", "{name: b}"),
                        "root.a 0.5",
                        "root.a.x 0.1",
                        "root.a.y 0.4",
                        "root.b 0.5");
    }

    @Test
    void parent_withLowDemand_leavesRest() {
        wants("root.a.x", 1)
                .wants("root.a.y", 2)
                .wants("root.b", 20)
                .due(
                        fair("{name: a, queues: [{name: x}, {name: y}]}", "{name: b}"),
                        "root.a 0.3",
                        "root.a.x 0.1",
                        "root.a.y 0.2",
                        "root.b 0.7");
    }
}
