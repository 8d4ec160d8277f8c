/**
 * Shows what simulations come to.
 *
 * <p>{@link dev.sluice.simulator.report.ComparisonJson} writes every figure as JSON, piece by piece, so that a comparison of many queues
 * is never in memory twice. {@link dev.sluice.simulator.report.HtmlReport} writes a page that stands alone: it holds the figures,
 * a library that draws charts and own scripts, and asks nothing of any server. The summary ({@code SummaryColumn}: what matters most, and
 * everything) and the definitions are in the page itself, so they can be read where scripts do not run.
 *
 * <p>The parts of the page are resources beside this package: {@code page.html}, {@code page.css}, one script for each concept, and
 * below {@code uplot} the library with its licence and checksums.
 */
package dev.sluice.simulator.report;
