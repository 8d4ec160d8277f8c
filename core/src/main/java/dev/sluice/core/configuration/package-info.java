/**
 * The configuration as values: partitions with their queue trees, placement rules, limits and policies.
 *
 * <p>The module {@code config} parses and validates {@code queues.yaml} into these records. They contain what is
 * written in the file: inheritance between queues is resolved when a configuration is applied.
 */
package dev.sluice.core.configuration;
