/**
 * {@code queues.yaml}: partitions, queues, limits and placement rules, as YuniKorn writes them.
 *
 * <p>{@link dev.sluice.config.queues.QueueConfigurationReader} reads a whole file into the records of
 * {@code dev.sluice.core.configuration}; {@link dev.sluice.config.queues.PartitionsReader} reads the list under
 * {@code partitions}, wherever it stands; {@link dev.sluice.config.queues.QueueConfigurationWriter} writes them back, so that
 * reading again gives equal values.
 *
 * <p>Behind them, reading goes in two steps. First every queue becomes a draft that knows where its parts were written
 * ({@code QueueReader}, {@code QueuePropertiesReader}, {@code LimitReader}, {@code PlacementRules}). Then checks look at several
 * queues at once: whether quotas fit from the leaves up ({@code QuotaCheck}), whether limits do ({@code LimitReader}), whether rules
 * lead somewhere ({@code PlacementCheck}), and whether settings have an effect where they are ({@code IneffectiveSettingsCheck}, warnings alone, from
 * the table in {@code PropertyScope}).
 *
 * <p>What is read, checked and warned about, but kept nowhere: a partition's own limits, and those properties of YuniKorn's that have
 * no effect here.
 */
package dev.sluice.config.queues;
