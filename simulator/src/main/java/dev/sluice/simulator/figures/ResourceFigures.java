package dev.sluice.simulator.figures;

/**
 * How one resource of the nodes was used. At any time the used, fragmented and withheld parts and what nobody wanted make up the whole.
 *
 * @param type the resource
 * @param capacity what the nodes have of it together, in base units
 * @param utilisation which part of it was in use: the mean over the makespan, from 0 to 1
 * @param used which part of it was in use, over time
 * @param fragmented which part of it was free but fitted nothing that waited, over time
 * @param withheld which part of it was free and fitted something that waited but was not to start, over time
 */
public record ResourceFigures(
        String type, long capacity, double utilisation, Series used, Series fragmented, Series withheld) {}
