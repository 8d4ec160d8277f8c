/**
 * The local node agent. {@link dev.sluice.server.node.LocalNodeAgent} carries out the scheduler's decisions for this
 * machine: it starts and stops processes with the runtime's {@code DetachedRunner}, so that they survive the server,
 * and reports their status.
 */
package dev.sluice.server.node;
