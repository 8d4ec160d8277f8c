/**
 * What the scheduler would do in a snapshot: {@link dev.sluice.cli.plan.Plan} is worked out by one cycle of every partition,
 * {@link dev.sluice.cli.plan.PlanJson} writes it for programs and {@link dev.sluice.cli.plan.PlanTables} for people.
 */
package dev.sluice.cli.plan;
