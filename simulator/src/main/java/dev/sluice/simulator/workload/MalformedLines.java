package dev.sluice.simulator.workload;

import dev.sluice.config.problem.Problem;
import java.util.List;

/**
 * What could not be read of a workload, and was left out.
 *
 * @param lines how many lines told of work, broken or not
 * @param malformed how many of them could not be read
 * @param first the first of those, in the order of the file; at most {@link #FIRST_MAX}
 */
public record MalformedLines(long lines, long malformed, List<Problem> first) {

    /** Of how many broken lines it is kept what is wrong with them. */
    public static final int FIRST_MAX = 10;

    /** Where every line can be read. */
    public static final MalformedLines NONE = new MalformedLines(0, 0, List.of());

    /** Copies the list. */
    public MalformedLines {
        first = List.copyOf(first);
    }

    /** Which part of the lines is broken, from 0 to 1. */
    public double share() {
        return lines == 0 ? 0 : (double) malformed / lines;
    }
}
