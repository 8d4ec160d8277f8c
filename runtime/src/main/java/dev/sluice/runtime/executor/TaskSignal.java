package dev.sluice.runtime.executor;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** A signal that can be sent to the processes of a run. The numbers are those of Linux. */
public enum TaskSignal {
    HUP(1),
    INT(2),
    QUIT(3),
    ABRT(6),
    KILL(9),
    USR1(10),
    USR2(12),
    ALRM(14),
    TERM(15),
    WINCH(28);

    private final int number;

    TaskSignal(int number) {
        this.number = number;
    }

    public int number() {
        return number;
    }

    /**
     * Returns the signal with this name, such as {@code USR1} or {@code SIGUSR1}, or this number.
     *
     * @throws IllegalArgumentException if it is unknown, or suspends or resumes processes
     */
    public static TaskSignal parse(String text) {
        String name = text.toUpperCase(Locale.ROOT);
        String shortName = name.startsWith("SIG") ? name.substring("SIG".length()) : name;
        String replacement = replacement(shortName);
        if (replacement != null) {
            throw new IllegalArgumentException(
                    "signal " + text + " is not sent, because the scheduler would not know: use sluice " + replacement);
        }
        for (TaskSignal signal : values()) {
            if (signal.name().equals(shortName)
                    || Integer.toString(signal.number).equals(text)) {
                return signal;
            }
        }
        StringBuilder known = new StringBuilder();
        for (TaskSignal signal : values()) {
            known.append(known.length() == 0 ? "" : ", ").append(signal.name());
        }
        throw new IllegalArgumentException(
                "unknown signal \"" + text + "\": known signals are " + known + " and their numbers on Linux");
    }

    private static @Nullable String replacement(String text) {
        return switch (text) {
            case "STOP", "19", "TSTP", "20", "TTIN", "21", "TTOU", "22" -> "suspend";
            case "CONT", "18" -> "resume";
            default -> null;
        };
    }
}
