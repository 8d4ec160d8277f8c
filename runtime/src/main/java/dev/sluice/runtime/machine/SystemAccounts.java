package dev.sluice.runtime.machine;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.sluice.runtime.process.CommandSearch;
import java.io.IOException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The users of the system, from files or a directory service, as {@code getent passwd} returns them. An answer counts
 * for a minute, unless the user does not exist. The supplementary groups of a task are those that the system has when
 * its process switches users, so they are not looked up here; the server looks up the groups of its callers with
 * {@code id}, of users without an account, too, and without keeping requests waiting.
 */
public final class SystemAccounts implements Accounts {

    private static final Duration AGE_MAX = Duration.ofMinutes(1);
    private static final Duration PATIENCE = Duration.ofSeconds(10);
    private static final int ENTRIES_MAX = 10_000;

    /** The exit code of {@code getent} for a key that does not exist. */
    private static final int NOT_FOUND = 2;

    private static final int FIELDS = 7;
    private static final String NOT_AS_ROOT =
            "tasks do not run as root: submit as another user, or start the server with --allow-root";

    private final Source source;
    private final boolean allowRoot;
    private final LongSupplier nanoTime;
    private final Map<String, Known> known = new LinkedHashMap<>();

    private record Known(TaskUser.Account user, long atNanos) {}

    /** Reads the users of the system. */
    interface Source {

        /**
         * Returns the entry of a user as in {@code /etc/passwd}; empty if there is none.
         *
         * @throws IOException if the users cannot be read
         */
        String entry(String name) throws IOException;
    }

    SystemAccounts(Source source, boolean allowRoot, LongSupplier nanoTime) {
        this.source = source;
        this.allowRoot = allowRoot;
        this.nanoTime = nanoTime;
    }

    /**
     * Creates accounts with which each task runs as its submitter, which requires that this program runs as root.
     *
     * @param allowRoot whether tasks may run as root
     * @throws IllegalStateException if this machine lacks {@code getent}
     */
    public static SystemAccounts find(boolean allowRoot) {
        String getent = CommandSearch.required("getent");
        return new SystemAccounts(name -> read(getent, name), allowRoot, System::nanoTime);
    }

    @Override
    public String description() {
        return "run as their submitters"
                + (allowRoot ? ", root included" : "; those of root are refused (--allow-root)");
    }

    @Override
    public @Nullable String refusal(String submitter) {
        return allowRoot || !submitter.equals("root") ? null : NOT_AS_ROOT;
    }

    @Override
    public boolean changeUser() {
        return true;
    }

    private static String read(String getent, String name) throws IOException {
        Process process = new ProcessBuilder(getent, "passwd", "--", name)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        process.getOutputStream().close();
        try {
            if (!process.waitFor(PATIENCE.toMillis(), TimeUnit.MILLISECONDS)) {
                process.destroyForcibly();
                throw new IOException("no answer about user " + name + " within " + PATIENCE.toSeconds() + " s");
            }
            if (process.exitValue() != 0 && process.exitValue() != NOT_FOUND) {
                throw new IOException("getent passwd " + name + " failed: exit code " + process.exitValue());
            }
            return new String(process.getInputStream().readAllBytes(), UTF_8).strip();
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
    }

    @Override
    public TaskUser of(String submitter) throws IOException {
        long now = nanoTime.getAsLong();
        synchronized (known) {
            Known earlier = known.get(submitter);
            if (earlier != null && now - earlier.atNanos < AGE_MAX.toNanos()) {
                return earlier.user;
            }
        }
        TaskUser user = find(submitter);
        if (!(user instanceof TaskUser.Account account)) {
            return user;
        }
        synchronized (known) {
            if (known.size() >= ENTRIES_MAX) {
                known.clear();
            }
            known.put(submitter, new Known(account, now));
        }
        return user;
    }

    private TaskUser find(String submitter) throws IOException {
        boolean possible = !submitter.isEmpty() && submitter.chars().allMatch(c -> c > ' ' && c != ':' && c != 0x7f);
        String[] fields = (possible ? source.entry(submitter) : "").split(":", -1);
        // A number is also looked up as user id, and a directory service may ignore case: neither is that user.
        if (fields.length != FIELDS || !fields[0].equals(submitter)) {
            return new TaskUser.Refused("user " + submitter + " does not exist on this machine: create the account, or"
                    + " submit as a user who has one");
        }
        try {
            long uid = Long.parseLong(fields[2]);
            if (uid == 0 && !allowRoot) {
                return new TaskUser.Refused(NOT_AS_ROOT);
            }
            return new TaskUser.Account(submitter, uid, Long.parseLong(fields[3]), fields[5], fields[6]);
        } catch (NumberFormatException e) {
            throw new IOException("malformed entry of user " + submitter, e);
        }
    }
}
