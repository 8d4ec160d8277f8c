package dev.sluice.simulator.workload;

import dev.sluice.config.problem.Problem;
import java.util.List;

/**
 * The lines of a workload that could not be read and were skipped.
 *
 * @param lines the number of lines that describe jobs, malformed or not
 * @param malformed the number of malformed lines
 * @param first the first malformed lines, in the order of the file; at most {@link #FIRST_MAX}
 */
public record MalformedLines(long lines, long malformed, List<Problem> first) {

    /** The maximum number of malformed lines whose problem is kept. */
    public static final int FIRST_MAX = 10;

    /** The value without lines. */
    public static final MalformedLines NONE = new MalformedLines(0, 0, List.of());

    public MalformedLines {
        first = List.copyOf(first);
    }

    /** Returns the fraction of malformed lines, from 0 to 1. */
    public double share() {
        return lines == 0 ? 0 : (double) malformed / lines;
    }
}
