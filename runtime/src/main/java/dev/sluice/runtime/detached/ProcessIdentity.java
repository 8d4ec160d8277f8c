package dev.sluice.runtime.detached;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What tells one process from all others of this machine, also from one that is given its id later. Its text is
 * {@code PID BOOT START}.
 *
 * @param pid the process id, greater than 1
 * @param boot the id of the boot of the machine; {@code -} where there is none
 * @param start when it started, in the words of the system
 */
record ProcessIdentity(long pid, String boot, String start) {

    private static final Pattern TEXT = Pattern.compile("([0-9]{1,18}) (\\S+) (\\S.*)");

    /** The process a text tells, or null if that is none. */
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
