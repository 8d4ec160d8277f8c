package dev.sluice.simulator.figures;

/**
 * The use of one resource of the nodes. At any time the used, fragmented and withheld fractions and the idle rest add
 * up to 1.
 *
 * @param type the resource
 * @param capacity the total capacity of the nodes, in base units
 * @param utilisation the fraction in use: the mean over the makespan, from 0 to 1
 * @param used the fraction in use over time
 * @param fragmented the fraction that was free but fitted no waiting task, over time
 * @param withheld the fraction that was free and fitted a waiting task that was not allowed to start, over time
 */
public record ResourceFigures(
        String type, long capacity, double utilisation, Series used, Series fragmented, Series withheld) {}
