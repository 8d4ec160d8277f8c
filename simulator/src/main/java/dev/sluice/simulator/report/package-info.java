/**
 * Writes the results of simulations.
 *
 * <p>{@link dev.sluice.simulator.report.ComparisonJson} writes all figures as JSON. It streams them, so that a
 * comparison with many queues is never in memory twice. {@link dev.sluice.simulator.report.HtmlReport} writes a
 * self-contained page with the figures, a chart library and scripts, which sends no requests. The summary
 * ({@code SummaryTable}: the most important figures, and all figures) and the definitions are static HTML, so they are
 * readable without JavaScript.
 *
 * <p>The parts of the page are resources of this package: {@code page.html}, {@code page.css}, one script per concept,
 * and in {@code uplot} the chart library with its licence and checksums.
 */
package dev.sluice.simulator.report;
