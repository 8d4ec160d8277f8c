package dev.sluice.cli.terminal;

import java.io.BufferedOutputStream;
import java.io.ByteArrayInputStream;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jline.terminal.Size;
import org.jline.terminal.impl.DumbTerminal;
import org.jline.utils.AttributedString;
import org.jline.utils.Display;
import org.jline.utils.Signals;

/**
 * Lines at the bottom of a terminal that are redrawn in place, below lines that scroll. Writes only differences, in one
 * piece, so that nothing flickers, and cuts lines to the terminal's width. Thread-safe.
 */
public final class LiveLines implements AutoCloseable {

    private final Unflushed out;
    private final DumbTerminal terminal;
    private final Display display;
    private volatile boolean resized = true;
    private List<String> lines = List.of();
    private boolean closed;

    /** @param stream stream to a terminal */
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

    public synchronized int columns() {
        checkSize();
        return terminal.getSize().getColumns();
    }

    public synchronized int rows() {
        return terminal.getSize().getRows();
    }

    /** Replaces the live lines. */
    public synchronized void show(List<String> newLines) {
        if (!closed) {
            checkSize();
            lines = List.copyOf(newLines);
            draw(lines);
            out.flushNow();
        }
    }

    /** Appends lines above the live lines. */
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
        // the cursor rests on an empty line, where echoed input does no harm
        cut.add(AttributedString.EMPTY);
        display.update(cut, terminal.getSize().cursorPos(cut.size() - 1, 0), true);
    }

    private void checkSize() {
        if (resized) {
            resized = false;
            Size size = TerminalSize.read();
            terminal.setSize(size);
            display.resize(size);
        }
    }

    /** Removes the live lines. */
    @Override
    public synchronized void close() {
        if (!closed) {
            draw(List.of());
            closed = true;
            out.flushNow();
        }
    }

    /** Buffers output until an explicit flush, so that a redraw is written in one piece. */
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
                // the terminal is gone; the run continues
                return;
            }
        }
    }
}
