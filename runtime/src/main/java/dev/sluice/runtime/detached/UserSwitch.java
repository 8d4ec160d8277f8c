package dev.sluice.runtime.detached;

import dev.sluice.core.application.TaskCommand;
import dev.sluice.runtime.machine.TaskUser;
import dev.sluice.runtime.process.CommandSearch;
import dev.sluice.runtime.process.LocalCommand;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Executes commands as other users.
 *
 * <p>{@code setpriv} takes user id, primary and supplementary groups of the user and gives up all capabilities; then a
 * shell, which already has only these rights, does what concerns the user's files: it changes the directory, opens the
 * standard input, and sets the umask and the environment. The variables of the task come to it under other names, so
 * they have no meaning for the programs before it ({@code LD_PRELOAD}), and their values are in no command line. Shells
 * drop variables such as {@code a.b}; if there are any, Perl gives all of them their names.
 *
 * @param setpriv the path of {@code setpriv}, a part of util-linux
 * @param perl the path of {@code perl}, or null
 */
record UserSwitch(String setpriv, @Nullable String perl) {

    /** The umask of commands that have none of their own. */
    private static final int UMASK = 0077;

    /** The prefix of the names under which variables are passed to the shell. */
    private static final String CARRIED = "sluice_env_";

    private static final String SCRIPT = """
            umask "$1"
            cd -- "$2" || exit 126
            [ -z "$3" ] || command exec <"$3" || exit 126
            shift 3
            while [ "$1" != -- ]; do
                eval "export $2=\\"\\$$1\\"; unset $1"
                shift 2
            done
            shift
            exec "$@\"""";

    /** On failure, exits as a shell does. Without the first variable, Perl warns about unknown languages. */
    private static final String PERL =
            "delete $ENV{PERL_BADLANG}; my %v; while ((my $c = shift) ne '--') { $v{+shift} ="
                    + " delete $ENV{$c} } @ENV{keys %v} = values %v; exec { $ARGV[0] } @ARGV; my $code = $!{ENOENT} ? 127 : 126;"
                    + " print STDERR \"$ARGV[0]: $!\\n\"; exit $code";

    /**
     * Finds the tools of this machine.
     *
     * @throws IllegalStateException if one is missing
     */
    static UserSwitch find() {
        return new UserSwitch(
                CommandSearch.required("setpriv"), CommandSearch.find("perl", System.getenv("PATH"), null));
    }

    /** Returns why a command cannot be executed on this machine, or null. */
    @Nullable String obstacle(LocalCommand command) {
        return perl != null
                ? null
                : command.environment().keySet().stream()
                        .filter(name -> !TaskCommand.isShellVariable(name))
                        .findFirst()
                        .map(name -> "cannot set the variable " + name + ", which shells drop, without perl: install"
                                + " perl, or use letters, digits and _ in its name")
                        .orElse(null);
    }

    /** Returns the variables of a task with those that describe its user. */
    static SortedMap<String, String> environment(LocalCommand command, TaskUser.Account account) {
        SortedMap<String, String> variables = new TreeMap<>(command.environment());
        variables.putIfAbsent("HOME", account.home());
        variables.putIfAbsent("USER", account.name());
        variables.putIfAbsent("LOGNAME", account.name());
        variables.putIfAbsent("SHELL", account.shell().isEmpty() ? "/bin/sh" : account.shell());
        return variables;
    }

    /**
     * Returns the program and the arguments that execute a command.
     *
     * @param carried receives the environment with which they are to be executed, beside variables of this program
     */
    List<String> arguments(LocalCommand command, TaskUser.Account account, Map<String, String> carried) {
        List<String> arguments = new ArrayList<>(List.of(
                setpriv,
                "--reuid=" + account.uid(),
                "--regid=" + account.gid(),
                "--init-groups",
                "--inh-caps=-all",
                "--",
                "/bin/sh",
                "-c",
                SCRIPT,
                "sluice-task",
                Integer.toOctalString(command.umask() == TaskCommand.UMASK_INHERITED ? UMASK : command.umask()),
                command.directory() == null ? "/" : command.directory().toString(),
                command.stdin() == null ? "" : command.stdin().toString()));
        SortedMap<String, String> variables = environment(command, account);
        boolean byShell = variables.keySet().stream().allMatch(TaskCommand::isShellVariable);
        if (!byShell) {
            arguments.addAll(List.of("--", Objects.requireNonNull(perl), "-e", PERL, "--"));
        }
        variables.forEach((name, value) -> {
            String carrier = CARRIED + carried.size();
            carried.put(carrier, value);
            arguments.addAll(List.of(carrier, name));
        });
        arguments.add("--");
        arguments.addAll(command.arguments());
        if (!byShell) {
            carried.put("PERL_BADLANG", "0");
        }
        return arguments;
    }
}
