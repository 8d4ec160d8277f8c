/**
 * The command {@code sluice simulate}: {@link dev.sluice.cli.simulate.NodesOption} parses the nodes and
 * their ranges, {@link dev.sluice.cli.simulate.ConditionText} the conditions of {@code --enough},
 * {@link dev.sluice.cli.simulate.SimulationProgress} shows progress and
 * {@link dev.sluice.cli.simulate.ComparisonTables} the result.
 */
package dev.sluice.cli.simulate;
