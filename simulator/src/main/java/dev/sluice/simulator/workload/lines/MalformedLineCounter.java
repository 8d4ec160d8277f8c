package dev.sluice.simulator.workload.lines;

import dev.sluice.config.problem.Problem;
import dev.sluice.simulator.workload.MalformedLines;
import java.util.ArrayList;
import java.util.List;

/** Counts the lines of one pass over a file, and the malformed ones. */
public final class MalformedLineCounter {

    private final String file;
    private final List<Problem> first = new ArrayList<>();
    private long lines;
    private long malformed;

    public MalformedLineCounter(String file) {
        this.file = file;
    }

    /** Counts a line that describes a job, malformed or not. */
    public void line() {
        lines++;
    }

    /**
     * Counts a malformed line, after {@link #line}.
     *
     * @param line its number, from 1
     * @param column the position of the fault, from 1
     * @param reason what is wrong
     */
    public void malformed(long line, int column, String reason) {
        malformed++;
        if (first.size() < MalformedLines.FIRST_MAX) {
            first.add(new Problem(file, (int) Math.min(line, Integer.MAX_VALUE), column, "", reason));
        }
    }

    /** Returns the counts so far. */
    public MalformedLines malformedLines() {
        return new MalformedLines(lines, malformed, first);
    }
}
