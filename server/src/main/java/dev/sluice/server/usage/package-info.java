/**
 * What queues, users, applications and nodes used: {@link dev.sluice.server.usage.UsageTally} sums the runs in the
 * history, each with its part in an interval, and those that have not ended.
 */
package dev.sluice.server.usage;
