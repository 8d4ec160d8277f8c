/**
 * Placement of applications in queues.
 *
 * <p>{@link dev.sluice.core.placement.QueuePlacement} evaluates the placement rules of a partition, as YuniKorn defines
 * them: {@code provided}, {@code user}, {@code fixed} and {@code tag}, each with a filter, a parent rule and permission
 * to create queues. {@link dev.sluice.core.placement.NameSearch} limits the cost of regular expressions in filters.
 */
package dev.sluice.core.placement;
