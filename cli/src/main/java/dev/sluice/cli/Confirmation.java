package dev.sluice.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.sluice.cli.terminal.TerminalStreams;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.io.Reader;
import java.util.Locale;

/**
 * Asks people whether they mean it.
 *
 * @param in where they answer
 * @param terminal whether there is anybody to ask
 */
record Confirmation(Reader in, boolean terminal) {

    /** Asks whoever sits at the terminal. */
    static Confirmation atTerminal() {
        return new Confirmation(new InputStreamReader(System.in, UTF_8), TerminalStreams.isInputTerminal());
    }

    /** Whether they do; true if there is nobody to ask. */
    boolean isGiven(String question, PrintWriter out) {
        if (!terminal) {
            return true;
        }
        out.print(question + " [y/N] ");
        out.flush();
        try {
            String answer = new BufferedReader(in).readLine();
            return answer != null
                    && (answer.strip().toLowerCase(Locale.ROOT).equals("y")
                            || answer.strip().toLowerCase(Locale.ROOT).equals("yes"));
        } catch (IOException e) {
            return false;
        }
    }
}
