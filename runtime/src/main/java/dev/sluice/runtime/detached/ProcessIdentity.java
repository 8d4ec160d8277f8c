package dev.sluice.runtime.detached;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Identifies a process among all processes of this machine, including later ones with the same id. Its text form is
 * {@code PID BOOT START}.
 *
 * @param pid the process id, greater than 1
 * @param boot the id of the boot of the machine; {@code -} where there is none
 * @param start the start time in the system's format
 */
record ProcessIdentity(long pid, String boot, String start) {

    private static final Pattern TEXT = Pattern.compile("([0-9]{1,18}) (\\S+) (\\S.*)");

    /** Parses the text form; returns null if it is malformed. */
    static @Nullable ProcessIdentity of(String text) {
        Matcher matcher = TEXT.matcher(text);
        if (!matcher.matches()) {
            return null;
        }
        long pid = Long.parseLong(matcher.group(1));
        return pid <= 1
                ? null
                : new ProcessIdentity(pid, matcher.group(2), matcher.group(3).strip());
    }

    @Override
    public String toString() {
        return pid + " " + boot + " " + start;
    }
}
