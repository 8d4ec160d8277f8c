package dev.sluice.core.share;

/**
 * What the load policy of a parent queue had to divide when the last cycle began, in slots.
 *
 * @param workers those that are divided, idle or not
 * @param idle how many of them no task held
 */
public record LoadWorkers(int workers, int idle) {}
