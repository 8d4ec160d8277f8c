/**
 * This machine as a node. {@link dev.sluice.server.node.OwnNodes} carries out what was decided for it: it starts and stops processes through
 * {@code LastingRunner} of the runtime, so that they outlive the server, and reports what becomes of them.
 */
package dev.sluice.server.node;
