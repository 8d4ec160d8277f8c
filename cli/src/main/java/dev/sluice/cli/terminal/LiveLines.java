package dev.sluice.cli.terminal;

import java.io.BufferedOutputStream;
import java.io.ByteArrayInputStream;
import java.io.File;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jline.terminal.Size;
import org.jline.terminal.impl.DumbTerminal;
import org.jline.utils.AttributedString;
import org.jline.utils.Display;
import org.jline.utils.Signals;

/**
 * Lines at the bottom of a terminal that change, below lines that stay. Only what differs is written, and what belongs together
 * in one piece, so nothing flickers. Whatever is given is cut to the width of the terminal. For any thread.
 */
public final class LiveLines implements AutoCloseable {

    private static final int COLUMNS_DEFAULT = 80;
    private static final int ROWS_DEFAULT = 24;

    private final Unflushed out;
    private final DumbTerminal terminal;
    private final Display display;
    private volatile boolean resized = true;
    private List<String> lines = List.of();
    private boolean closed;

    /** Writes to this stream, which is a terminal. */
    public LiveLines(OutputStream stream) throws IOException {
        out = new Unflushed(stream);
        String type = System.getenv("TERM");
        terminal = new DumbTerminal(
                "sluice",
                type == null || type.isEmpty() ? "xterm" : type,
                new ByteArrayInputStream(new byte[0]),
                out,
                StandardCharsets.UTF_8);
        display = new Display(terminal, false);
        Signals.register("WINCH", () -> resized = true);
        checkSize();
    }

    /** How many columns there are. */
    public synchronized int columns() {
        checkSize();
        return terminal.getSize().getColumns();
    }

    /** How many rows there are. */
    public synchronized int rows() {
        return terminal.getSize().getRows();
    }

    /** Shows these lines instead of those before. */
    public synchronized void show(List<String> newLines) {
        if (!closed) {
            checkSize();
            lines = List.copyOf(newLines);
            draw(lines);
            out.flushNow();
        }
    }

    /** Adds lines that stay, above those that change. */
    public synchronized void printAbove(List<String> text) {
        if (closed) {
            return;
        }
        checkSize();
        draw(List.of());
        for (String line : text) {
            terminal.writer().write("\r" + line + "\r\n");
        }
        terminal.writer().flush();
        draw(lines);
        out.flushNow();
    }

    private void draw(List<String> shown) {
        int columns = terminal.getSize().getColumns();
        List<AttributedString> cut = new ArrayList<>();
        for (String line : shown) {
            cut.add(AttributedString.fromAnsi(line).columnSubSequence(0, Math.max(1, columns - 1)));
        }
        // the cursor rests on an empty line, where what the keyboard echoes does no harm
        cut.add(AttributedString.EMPTY);
        display.update(cut, terminal.getSize().cursorPos(cut.size() - 1, 0), true);
    }

    private void checkSize() {
        if (resized) {
            resized = false;
            Size size = readSize();
            terminal.setSize(size);
            display.resize(size);
        }
    }

    /** What {@code stty} says of the terminal; the JVM itself cannot tell. */
    private static Size readSize() {
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

    /** Takes the lines that change away; those that stay, stay. */
    @Override
    public synchronized void close() {
        if (!closed) {
            draw(List.of());
            closed = true;
            out.flushNow();
        }
    }

    /** Keeps everything back until it is told to write, so that a picture arrives in one piece. */
    private static final class Unflushed extends FilterOutputStream {

        private Unflushed(OutputStream target) {
            super(new BufferedOutputStream(target, 1 << 16));
        }

        @Override
        public void write(byte[] bytes, int offset, int length) throws IOException {
            out.write(bytes, offset, length);
        }

        @Override
        public void flush() {}

        private void flushNow() {
            try {
                out.flush();
            } catch (IOException gone) {
                // nobody looks any more; the run goes on
                return;
            }
        }
    }
}
