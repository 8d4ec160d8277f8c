package dev.sluice.core.share;

/**
 * What the load policy of a parent queue divided at the start of the last cycle, in slots.
 *
 * @param workers the number of workers, idle or not
 * @param idle the number of idle workers
 */
public record LoadWorkers(int workers, int idle) implements ShareFigures {}
