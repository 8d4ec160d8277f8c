/**
 * Reads and writes {@code queues.yaml}: partitions, queues, limits and placement rules in YuniKorn's format.
 *
 * <p>{@link dev.sluice.config.queues.QueueConfigurationReader} reads a file into the records of
 * {@code dev.sluice.core.configuration}; {@link dev.sluice.config.queues.PartitionsReader} reads the list
 * {@code partitions} in any kind of file; {@link dev.sluice.config.queues.QueueConfigurationWriter} writes partitions
 * so that reading them gives equal values.
 *
 * <p>Reading has two steps. First every queue becomes a draft with the positions of its parts ({@code QueueReader},
 * {@code QueuePropertiesReader}, {@code LimitReader}, {@code PlacementRules}). Then checks go across queues: whether
 * quotas are consistent ({@code QuotaCheck}), whether limits are ({@code LimitReader}), whether placement rules yield
 * existing queues ({@code PlacementCheck}), and whether settings have an effect where they are written
 * ({@code IneffectiveSettingsCheck}, which only warns, by the table in {@code PropertyScope}).
 *
 * <p>The keys with their documentation are in {@code QueueKeys} and {@code QueuePropertyNames}. The limits of a
 * partition become those of its root queue. The properties that only YuniKorn has are read, checked and warned about,
 * but not kept.
 */
package dev.sluice.config.queues;
