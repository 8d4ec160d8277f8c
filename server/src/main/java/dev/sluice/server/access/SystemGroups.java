package dev.sluice.server.access;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.sluice.config.field.DurationText;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Looks up the groups of users with the command {@code id}, which asks every source that the system is configured to
 * use. Groups are kept for a minute, and looked up again in the background after half of it. Thread-safe.
 *
 * <p>{@link dev.sluice.runtime.machine.SystemAccounts} looks up users, not groups: the account that a task runs as, on a
 * thread that may wait and with errors that concern one task. Requests do not wait for that long, and one of a user
 * without an account on this machine is answered, too.
 */
final class SystemGroups {

    /** How long groups are kept. */
    static final Duration AGE_MAX = Duration.ofMinutes(1);

    /** Time limit of a look-up. */
    static final Duration TIMEOUT = Duration.ofSeconds(5);

    private static final Duration REFRESH = AGE_MAX.dividedBy(2);
    private static final int USERS_MAX = 10_000;
    private static final int LOOKUPS_MAX = 4;
    private static final int OUTPUT_MAX = 64 << 10;

    private final String program;
    private final Duration timeout;
    private final LongSupplier nanos;
    private final Map<String, Membership> known = new ConcurrentHashMap<>();
    private final Map<String, CompletableFuture<List<String>>> lookups = new ConcurrentHashMap<>();
    private final ThreadPoolExecutor threads;

    private record Membership(List<String> groups, long since) {}

    /** Thrown when the groups of a user cannot be found out. */
    static final class LookupException extends Exception {

        private static final long serialVersionUID = 1;

        LookupException(String message) {
            super(message);
        }
    }

    SystemGroups() {
        this("id", TIMEOUT, System::nanoTime);
    }

    /** @param program the command, called as {@code id -Gnz -- USER} */
    SystemGroups(String program, Duration timeout, LongSupplier nanos) {
        this.program = program;
        this.timeout = timeout;
        this.nanos = nanos;
        this.threads = new ThreadPoolExecutor(
                LOOKUPS_MAX, LOOKUPS_MAX, AGE_MAX.toSeconds(), TimeUnit.SECONDS, new LinkedBlockingQueue<>(), task -> {
                    Thread thread = new Thread(task, "groups");
                    thread.setDaemon(true);
                    return thread;
                });
        threads.allowCoreThreadTimeOut(true);
    }

    /** Returns the groups of a user, or null if they have to be looked up. */
    @Nullable List<String> known(String user) {
        if (!isName(user)) {
            return List.of();
        }
        Membership found = known.get(user);
        long age = found == null ? 0 : nanos.getAsLong() - found.since();
        if (found == null || age > AGE_MAX.toNanos()) {
            return null;
        }
        if (age > REFRESH.toNanos()) {
            CompletableFuture<List<String>> unused = lookup(user);
        }
        return found.groups();
    }

    /** Returns the groups of a user; none for one that the system does not know. May block for a limited time. */
    List<String> of(String user) throws LookupException {
        List<String> groups = known(user);
        if (groups != null) {
            return groups;
        }
        try {
            return lookup(user).get(timeout.toMillis() * 2, TimeUnit.MILLISECONDS);
        } catch (ExecutionException e) {
            Throwable cause = e.getCause();
            throw new LookupException(
                    "cannot look up the groups of user " + user + ": " + (cause == null ? e : cause).getMessage());
        } catch (TimeoutException e) {
            throw new LookupException("cannot look up the groups of user " + user + ": too many look-ups wait");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new LookupException("interrupted");
        }
    }

    /** Returns whether the system could know a user by this name; it takes numbers for ids of other users. */
    private static boolean isName(String user) {
        return !user.startsWith("+") && !user.chars().allMatch(Character::isDigit);
    }

    private CompletableFuture<List<String>> lookup(String user) {
        return lookups.computeIfAbsent(
                user,
                each -> CompletableFuture.supplyAsync(
                        () -> {
                            try {
                                List<String> groups = execute(each);
                                if (known.size() >= USERS_MAX) {
                                    known.clear();
                                }
                                known.put(each, new Membership(groups, nanos.getAsLong()));
                                return groups;
                            } finally {
                                lookups.remove(each);
                            }
                        },
                        threads));
    }

    private List<String> execute(String user) {
        try {
            Process process = new ProcessBuilder(program, "-Gnz", "--", user)
                    .redirectInput(Path.of("/dev/null").toFile())
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
            try {
                // it exits with an error if the user is unknown, but also if one of the groups has no name
                if (!process.waitFor(timeout.toMillis(), TimeUnit.MILLISECONDS)) {
                    throw new IllegalStateException("no answer within " + DurationText.format(timeout));
                }
                try (InputStream in = process.getInputStream()) {
                    return Arrays.stream(new String(in.readNBytes(OUTPUT_MAX), UTF_8).split("\0"))
                            .filter(group -> !group.isBlank())
                            .toList();
                }
            } finally {
                process.destroyForcibly();
            }
        } catch (IOException e) {
            throw new IllegalStateException(String.valueOf(e.getMessage()), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        }
    }
}
