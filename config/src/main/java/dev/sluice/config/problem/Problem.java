package dev.sluice.config.problem;

/**
 * An error or a warning about a place in a file.
 *
 * @param file the name of the file, as given
 * @param line the line, from 1; 0 for the file as a whole
 * @param column the column, from 1, counted in characters; 0 for the file as a whole
 * @param path the path in the document, such as {@code partitions[0].queues[0].resources.max.vcore}; empty at the top
 * @param message what is wrong and how to fix it
 */
public record Problem(String file, int line, int column, String path, String message) {

    /**
     * Returns the problem as compilers print it: {@code queues.yaml:12:27: unknown sort policy "fifoo": did you mean
     * "fifo"?}
     */
    @Override
    public String toString() {
        return line == 0 ? file + ": " + message : file + ":" + line + ":" + column + ": " + message;
    }
}
