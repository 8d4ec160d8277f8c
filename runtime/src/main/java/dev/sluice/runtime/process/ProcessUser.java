package dev.sluice.runtime.process;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.FileInputStream;
import java.io.IOException;

/**
 * The users of processes: their real user ids, with Linux's {@code /proc}. A program that changes its effective user,
 * such as {@code su}, belongs to whoever started it, until it changes its real user, too.
 */
public final class ProcessUser {

    /** The user of a process that has ended, or of every process on systems without {@code /proc}. */
    public static final long UNKNOWN = -1;

    /** Larger than the part of {@code /proc/N/status} that is read. */
    private static final int LENGTH_MAX = 1024;

    private static final String FIELD = "\nUid:\t";

    private ProcessUser() {}

    /** Returns the real user id of a process, or {@link #UNKNOWN}. */
    public static long of(long pid) {
        return read(Long.toString(pid));
    }

    /** Returns the real user id of this program, or {@link #UNKNOWN}. */
    public static long ofThisProgram() {
        return read("self");
    }

    private static long read(String process) {
        try (FileInputStream in = new FileInputStream("/proc/" + process + "/status")) {
            return parse(new String(in.readNBytes(LENGTH_MAX), ISO_8859_1));
        } catch (IOException ended) {
            return UNKNOWN;
        }
    }

    /** Parses a status, in which the real, effective, saved and file system ids are separated by tabs. */
    static long parse(String status) {
        int start = status.indexOf(FIELD) + FIELD.length();
        int end = status.indexOf('\t', start);
        return start < FIELD.length() || end < 0 ? UNKNOWN : Long.parseLong(status.substring(start, end));
    }

    /** Sends SIGTERM, or SIGKILL if forced, to a process, if it is one of this user at that moment. */
    static void end(long pid, long user, boolean force) {
        ProcessHandle.of(pid).filter(process -> of(pid) == user).ifPresent(process -> {
            boolean unused = force ? process.destroyForcibly() : process.destroy();
        });
    }
}
