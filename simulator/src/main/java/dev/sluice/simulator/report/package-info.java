/**
 * Shows what simulations come to: {@link dev.sluice.simulator.report.ComparisonJson} writes every figure as JSON, piece by piece, so that
 * a comparison of many queues is never in memory twice.
 */
package dev.sluice.simulator.report;
