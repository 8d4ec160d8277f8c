package dev.sluice.simulator.figures;

/**
 * The figures of gangs.
 *
 * @param started the number of starts of gangs; one that starts again counts again
 * @param timedOut the number of gangs that did not start within their timeout
 * @param waiting seconds until the gangs started, of those that did; see {@link Definition#GANG_WAIT}
 */
public record GangFigures(long started, long timedOut, DistributionSummary waiting) {

    /** The figures of a run without gangs. */
    public static final GangFigures NONE = new GangFigures(0, 0, DistributionSummary.EMPTY);

    /** Returns whether there were any. */
    public boolean any() {
        return started + timedOut > 0;
    }
}
