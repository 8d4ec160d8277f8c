/**
 * Measures the page of a large cluster: how long each page takes, and what open pages cost the scheduler.
 *
 * <p>{@link dev.sluice.benchmarks.page.PageServer} is the measured process, {@link dev.sluice.benchmarks.page.LargeState}
 * its state, {@link dev.sluice.benchmarks.page.Churn} keeps the scheduler busy, and
 * {@link dev.sluice.benchmarks.page.OpenPages} requests what browsers would.
 */
package dev.sluice.benchmarks.page;
