/**
 * The command {@code sluice plan}: {@link dev.sluice.cli.plan.Plan} runs one cycle of every partition of a snapshot,
 * {@link dev.sluice.cli.plan.PlanTables} and {@link dev.sluice.cli.plan.PlanJson} print the result.
 */
package dev.sluice.cli.plan;
