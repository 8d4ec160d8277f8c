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
 * Prompts for confirmation.
 *
 * @param in the source of the answer
 * @param terminal whether the input is interactive
 */
record Confirmation(Reader in, boolean terminal) {

    /** Prompts on standard input if it is a terminal. */
    static Confirmation atTerminal() {
        return new Confirmation(new InputStreamReader(System.in, UTF_8), TerminalStreams.isInputTerminal());
    }

    /** Returns true if the user agrees, or without a prompt if the input is not interactive. */
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
