/**
 * Processes of this machine, their sessions and logs, on Linux and, with limitations, other Unix systems. The runner of
 * {@code dev.sluice.runtime.detached} is built from these parts.
 *
 * <p>{@link dev.sluice.runtime.process.LocalCommand} is what a process executes, and
 * {@link dev.sluice.runtime.process.LogFiles} maps task names to file names.
 *
 * <p>A task is a session. {@code SessionLauncher} creates it with a helper that executes the command in the same
 * process ({@code setsid}), so there is no additional process. {@code CommandSearch} detects commands that cannot be
 * started. {@code SessionCloser} implements SIGTERM, grace period and SIGKILL, also for processes that remain when
 * the leader of a session ({@code SessionLeader}) has ended; it finds them in a {@code ProcessTable}
 * ({@code ProcTable} on Linux, otherwise {@code PsTable}). {@code GroupSignals} are sent by shells
 * ({@code ShellSignals}), or by the {@code Warden}: one shell per program that, when its pipe from the JVM is closed,
 * terminates all remaining processes. None outlives a program with a warden, even one that was killed.
 *
 * <p>Limitations. A process that creates its own session escapes the closer. On Linux it is still found, because it
 * carries the variable {@code SLUICE_RUN} in its environment, unless it removes the variable or hides it by changing
 * its user. Processes that another service starts for a task, such as containers, are not detected. Without
 * {@code /proc} a session is only its leader's process group.
 */
package dev.sluice.runtime.process;
