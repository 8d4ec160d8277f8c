package dev.sluice.cli.terminal;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jline.terminal.impl.exec.ExecTerminalProvider;
import org.jline.terminal.spi.SystemStream;

/** Detects whether the standard streams are terminals. */
public final class TerminalStreams {

    private TerminalStreams() {}

    public static boolean isInputTerminal() {
        return isTerminal(0, SystemStream.Input);
    }

    public static boolean isOutputTerminal() {
        return isTerminal(1, SystemStream.Output);
    }

    public static boolean isErrorTerminal() {
        return isTerminal(2, SystemStream.Error);
    }

    private static boolean isTerminal(int descriptor, SystemStream stream) {
        Path link = Path.of("/proc/self/fd/" + descriptor);
        if (Files.isSymbolicLink(link)) {
            try {
                String target = Files.readSymbolicLink(link).toString();
                return target.startsWith("/dev/pts/") || target.startsWith("/dev/tty") || target.equals("/dev/console");
            } catch (IOException e) {
                return false;
            }
        }
        return new ExecTerminalProvider().isSystemStream(stream);
    }
}
