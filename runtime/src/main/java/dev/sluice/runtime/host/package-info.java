/**
 * Runs an engine. A server and a local run are configurations of one
 * {@link dev.sluice.runtime.host.EngineHost}.
 *
 * <p>Commands enter through one bounded inbox, each as part of a {@link dev.sluice.runtime.host.Transaction} with a
 * {@link dev.sluice.runtime.host.TransactionContext}. The events of a batch are written to a
 * {@link dev.sluice.runtime.host.BatchLog} and, once they are durable, passed to every
 * {@link dev.sluice.runtime.host.Projection} and every {@link dev.sluice.runtime.host.NodeExecutor}, whose reports are
 * commands again. {@link dev.sluice.runtime.host.HostParts} lists what a host is made of.
 *
 * <p>{@link dev.sluice.runtime.host.IncrementalQueryRunner} executes a long
 * {@link dev.sluice.runtime.host.IncrementalQuery} in steps of at most 5 ms.
 */
package dev.sluice.runtime.host;
