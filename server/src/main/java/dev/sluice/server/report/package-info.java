/**
 * Reports of simulations of past work, made in the background; begin with {@link
 * dev.sluice.server.report.SimulationReports}. Decision record 0080 explains the design.
 */
package dev.sluice.server.report;
