/**
 * This machine as a node. {@link dev.sluice.server.node.LocalNodeAgent} carries out what was decided for it: it starts and stops processes through
 * {@code DetachedRunner} of the runtime, so that they outlive the server, and reports what becomes of them.
 */
package dev.sluice.server.node;
