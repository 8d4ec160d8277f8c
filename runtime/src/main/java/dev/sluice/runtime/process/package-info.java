/**
 * Tasks as processes of this machine, on Linux and, with a coarser view, other Unix systems.
 *
 * <p>{@link dev.sluice.runtime.process.ProcessRunner} starts a {@link dev.sluice.runtime.process.LocalCommand}, hands out a
 * {@link dev.sluice.runtime.process.TaskProcess} to stop it by, and tells a
 * {@link dev.sluice.runtime.process.ProcessListener} exactly once how it ended
 * ({@link dev.sluice.runtime.process.ProcessExit}). {@link dev.sluice.runtime.process.LogFiles} makes file names of task names.
 *
 * <p>What a task is: a session, led by the command. {@code SessionLauncher} makes it one with a helper that becomes the command
 * ({@code setsid}), so no process is added. {@code CommandSearch} finds out beforehand what cannot be started. {@code Warden} is
 * one shell per runner that signals whole groups and, when its pipe from the JVM ends, ends all that is left: nothing outlives a
 * runner, even one that was killed. {@code SessionCloser} does SIGTERM, grace, SIGKILL, and the same for what a task left running
 * when its leader ended; it looks for it in a {@code ProcessTable} ({@code ProcTable} on Linux, else {@code PsTable}).
 *
 * <p>What is public besides serves {@code dev.sluice.runtime.detached}, whose tasks outlive their runner: a session may have a
 * {@code SessionLeader} that is no child of this program, and a {@code GroupSignals} other than the warden ({@code ShellSignals}).
 *
 * <p>Caveats. A process that makes a session of its own escapes {@link dev.sluice.runtime.process.TaskProcess#stop}; on Linux it
 * still ends with the runner, for it carries the variable {@code SLUICE_RUN} in its environment, unless it takes that away or
 * hides it by changing its user. What another service starts on a task's behalf, such as a container, is not seen at all.
 * Without {@code /proc} a session is its leader's process group and no more.
 */
package dev.sluice.runtime.process;
