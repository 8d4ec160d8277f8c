/**
 * Runs tasks as processes of this machine, on Linux and, with limitations, other Unix systems.
 *
 * <p>{@link dev.sluice.runtime.process.ProcessRunner} starts a {@link dev.sluice.runtime.process.LocalCommand}, returns
 * a {@link dev.sluice.runtime.process.TaskProcess} to stop it, and reports its end
 * ({@link dev.sluice.runtime.executor.RunExit}) exactly once to a
 * {@link dev.sluice.runtime.process.ProcessListener}. {@link dev.sluice.runtime.process.LogFiles} maps task names to
 * file names.
 *
 * <p>A task is a session, led by the command. {@code SessionLauncher} creates it with a helper that executes the
 * command in the same process ({@code setsid}), so there is no additional process. {@code CommandSearch} detects
 * commands that cannot be started. {@code Warden} is one shell per runner that signals groups and, when its pipe from
 * the JVM is closed, terminates all remaining processes: none outlives a runner, even one that was killed.
 * {@code SessionCloser} implements SIGTERM, grace period and SIGKILL, also for processes that remain when the leader of
 * a task has ended; it finds them in a {@code ProcessTable} ({@code ProcTable} on Linux, otherwise {@code PsTable}).
 *
 * <p>The other public types are for {@code dev.sluice.runtime.detached}, whose tasks outlive their runner: a session
 * may have a {@code SessionLeader} that is not a child of this program, and a {@code GroupSignals} other than the
 * warden ({@code ShellSignals}).
 *
 * <p>Limitations. A process that creates its own session escapes {@link dev.sluice.runtime.process.TaskProcess#stop}.
 * On Linux it still ends with the runner, because it carries the variable {@code SLUICE_RUN} in its environment, unless
 * it removes the variable or hides it by changing its user. Processes that another service starts for a task, such as
 * containers, are not detected. Without {@code /proc} a session is only its leader's process group.
 */
package dev.sluice.runtime.process;
