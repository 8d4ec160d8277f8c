/**
 * What {@code sluice simulate} reads and shows: nodes of an option or a file ({@link dev.sluice.cli.simulate.NodesOption}), how far it has
 * come ({@link dev.sluice.cli.simulate.SimulationProgress}) and what came of it ({@link dev.sluice.cli.simulate.ComparisonTables}).
 */
package dev.sluice.cli.simulate;
