package dev.sluice.config.problem;

/**
 * Something in a file that is wrong, or looks wrong, and where.
 *
 * @param file the file's name, as it was given
 * @param line the line, from 1; 0 if it is about the file as a whole
 * @param column the column, from 1, counted in characters; 0 if it is about the file as a whole
 * @param path where it is in the document, such as {@code partitions[0].queues[0].resources.max.vcore}; empty at the top
 * @param message what is wrong and how to mend it
 */
public record Problem(String file, int line, int column, String path, String message) {

    /** As compilers print it: {@code queues.yaml:12:27: unknown sort policy "fifoo": did you mean "fifo"?} */
    @Override
    public String toString() {
        return line == 0 ? file + ": " + message : file + ":" + line + ":" + column + ": " + message;
    }
}
