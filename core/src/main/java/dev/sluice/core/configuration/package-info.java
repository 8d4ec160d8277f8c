/**
 * What can be configured, as values: partitions with their queue trees, placement rules, limits and policies.
 *
 * <p>These records are what {@code queues.yaml} says after it was read and checked; the module {@code config} makes them. They
 * hold what was written: inheritance between queues is worked out when they are applied.
 */
package dev.sluice.core.configuration;
