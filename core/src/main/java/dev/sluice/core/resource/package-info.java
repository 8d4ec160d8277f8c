/**
 * Amounts of resources.
 *
 * <p>{@link dev.sluice.core.resource.Amount} is how much of one type, saturating and with a value for "unlimited";
 * {@link dev.sluice.core.resource.Resources} is amounts of several types, as they cross an interface;
 * {@link dev.sluice.core.resource.Quantity} reads and writes them as people do. Inside a partition amounts are kept in arrays,
 * indexed by {@link dev.sluice.core.resource.ResourceTypes}.
 */
package dev.sluice.core.resource;
