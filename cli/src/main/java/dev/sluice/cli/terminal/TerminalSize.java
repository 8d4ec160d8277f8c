package dev.sluice.cli.terminal;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import org.jline.terminal.Size;
import org.jspecify.annotations.Nullable;

/** Size of the terminal. */
public final class TerminalSize {

    /** Number of columns that all help and result tables fit into. */
    public static final int COLUMNS_DEFAULT = 80;

    private static final int ROWS_DEFAULT = 24;

    private TerminalSize() {}

    /** Width of standard output, determined once. */
    private static final class Output {
        static final int COLUMNS = TerminalStreams.isOutputTerminal()
                ? columns(System.getenv("COLUMNS"), read().getColumns())
                : Integer.MAX_VALUE;
    }

    /** Returns the width of tables: at least 80 columns on a terminal, unlimited elsewhere. */
    public static int tableColumns() {
        return Output.COLUMNS;
    }

    /** Returns the width of help: at least 80 columns on a terminal, 80 columns elsewhere. */
    public static int helpColumns() {
        return Output.COLUMNS == Integer.MAX_VALUE ? COLUMNS_DEFAULT : Output.COLUMNS;
    }

    /** Returns the width given by the variable COLUMNS, else that of the terminal; at least 80. */
    static int columns(@Nullable String variable, int terminal) {
        int columns = variable != null && variable.matches("[1-9][0-9]{0,3}") ? Integer.parseInt(variable) : terminal;
        return Math.max(COLUMNS_DEFAULT, columns);
    }

    /** Reads the size from {@code stty}, as the JVM has no API for it; 80 × 24 if it is unknown. */
    static Size read() {
        try {
            Process stty = new ProcessBuilder("stty", "size")
                    .redirectInput(new File("/dev/tty"))
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
            String[] words = new String(stty.getInputStream().readAllBytes(), StandardCharsets.US_ASCII)
                    .trim()
                    .split(" ", -1);
            if (stty.waitFor(1, TimeUnit.SECONDS) && stty.exitValue() == 0 && words.length == 2) {
                int rows = Integer.parseInt(words[0]);
                int columns = Integer.parseInt(words[1]);
                if (rows > 0 && columns > 0) {
                    return Size.of(columns, rows);
                }
            }
        } catch (IOException | NumberFormatException unknown) {
            return Size.of(COLUMNS_DEFAULT, ROWS_DEFAULT);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return Size.of(COLUMNS_DEFAULT, ROWS_DEFAULT);
    }
}
