/**
 * The audit log: {@link dev.sluice.server.audit.AuditWriter} collects requests that changed something or were refused and
 * writes them in the background; it records a bounded number of refusals of each caller.
 */
package dev.sluice.server.audit;
