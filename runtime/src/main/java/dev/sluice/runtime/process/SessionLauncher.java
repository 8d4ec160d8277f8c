package dev.sluice.runtime.process;

import java.io.File;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Starts a command as the leader of a new session.
 *
 * <p>The JDK cannot do this, so a helper program creates the session and then <em>executes</em> the command in the same
 * process; there is no additional process, and the process id is the command's.
 *
 * @param helper the helper and its arguments, which precede the command
 */
public record SessionLauncher(List<String> helper) {

    /** The environment variable that marks all processes of a runner or run, including those in other sessions. */
    public static final String MARK_VARIABLE = "SLUICE_RUN";

    /** On failure, prints the reason and exits with the same code as {@code setsid}. */
    private static final String PERL =
            "use POSIX (); POSIX::setsid(); exec { $ARGV[0] } @ARGV; my $code = $!{ENOENT} ? 127 : 126;"
                    + " print STDERR \"$ARGV[0]: $!\\n\"; exit $code";

    private static final String PYTHON = """
            import os, sys
            os.setsid()
            try:
                os.execvp(sys.argv[1], sys.argv[1:])
            except OSError as e:
                sys.stderr.write(sys.argv[1] + ': ' + e.strerror + '\\n')
                sys.exit(127 if isinstance(e, FileNotFoundError) else 126)
            """;

    public SessionLauncher {
        helper = List.copyOf(helper);
    }

    /**
     * Returns the preferred helper on this machine.
     *
     * @throws IllegalStateException if there is none
     */
    public static SessionLauncher find() {
        String path = System.getenv("PATH");
        for (SessionLauncher launcher : all()) {
            String program = CommandSearch.find(launcher.helper.get(0), path, null);
            if (program != null) {
                List<String> located = new ArrayList<>(launcher.helper);
                located.set(0, program);
                return new SessionLauncher(located);
            }
        }
        throw new IllegalStateException(
                "cannot run tasks: setsid (util-linux or busybox), perl or python3 not found in PATH");
    }

    /** Returns all known helpers, the cheapest first; macOS has the second. */
    public static List<SessionLauncher> all() {
        return List.of(
                new SessionLauncher(List.of("setsid")),
                new SessionLauncher(List.of("perl", "-e", PERL, "--")),
                new SessionLauncher(List.of("python3", "-I", "-S", "-c", PYTHON)));
    }

    /**
     * Returns a builder for a process that leads a new session. Standard error is merged into standard output unless
     * the caller changes that.
     */
    public ProcessBuilder prepare(List<String> arguments, Map<String, String> environment, @Nullable File directory) {
        List<String> all = new ArrayList<>(helper.size() + arguments.size());
        all.addAll(helper);
        all.addAll(arguments);
        ProcessBuilder builder = new ProcessBuilder(all).directory(directory).redirectErrorStream(true);
        builder.environment().putAll(environment);
        return builder;
    }
}
