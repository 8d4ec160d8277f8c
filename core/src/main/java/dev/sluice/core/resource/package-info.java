/**
 * Amounts of resources.
 *
 * <p>{@link dev.sluice.core.resource.Amount} is an amount of one type, saturating and with a value for "unlimited";
 * {@link dev.sluice.core.resource.Resources} contains amounts of several types, as interfaces pass them;
 * {@link dev.sluice.core.resource.Quantity} parses and formats them. Inside a partition amounts are stored in arrays,
 * indexed by {@link dev.sluice.core.resource.ResourceTypes}.
 */
package dev.sluice.core.resource;
