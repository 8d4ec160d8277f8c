/**
 * The supervisor of tasks as processes of this machine. Detached processes survive the end of the program that started
 * them, attached ones end with it.
 *
 * <p>{@link dev.sluice.runtime.detached.DetachedRunner} starts and stops runs
 * ({@link dev.sluice.runtime.detached.RunKey}) and reports their outcome to a
 * {@link dev.sluice.runtime.detached.DetachedRunListener}. It also reports the runs that an earlier runner on the same
 * directory started, however that program ended. Every run gets exactly one end or loss, which is repeated after a
 * restart until the run is forgotten.
 *
 * <p>Mechanism. Every run has a folder ({@code RunFolder}) and is led by a shell ({@code task.sh}, started by {@code
 * TaskLauncher}) in a separate session. Before anything else the shell writes its process id, its start time and the
 * boot id of the machine ({@code ProcessIdentity}, {@code ProcessClock}) to a file, and then claims the run: it
 * creates an empty file, which fails if anything is at its path (O_EXCL). A runner that wants to prevent a start
 * claims the run itself, with a symbolic link. Both are created atomically and never replaced, so exactly one claim
 * wins. The exit code is recorded in the same way: content first, then the record. While the machine runs, a record
 * is therefore complete as soon as it is visible. The shell needs no process for its records, and nothing is synced
 * to the disk: if the machine crashes, no process survives, and the boot id shows it; a record without its content is
 * damaged, and the run is lost. Former versions wrote symbolic links only, which are still read. {@code
 * RunReconciler} determines the outcome of runs on one thread, from folders and processes. It reports a run lost only
 * after all its processes have ended. {@code RunSessions} finds them by the environment variable {@code SLUICE_RUN},
 * which contains the mark of the runner and the name of the run's folder; it also finds processes in new sessions.
 * Processes of runs that are not expected are terminated ({@code RunRecovery}, {@code OrphanTerminator}).
 *
 * <p>Attached processes need neither folder nor shell, because nobody looks for them later: the command itself leads
 * the session, its exit code is that of the child process, and a {@code Warden} terminates what is left when the
 * program ends, even by a signal that it cannot catch. Everything else is the same.
 *
 * <p>Suspension. {@code RunSignals} halts and continues all processes of a run, and records in its folder that they are
 * halted, so that a later runner can resume it. It also sends other signals.
 *
 * <p>GPUs and limits. A run that requests GPUs starts when enough of them are free ({@code GpuClaims}); a GPU is free
 * when nothing of the run that held it is alive. Its folder records them, and is removed only then. {@code RunLimits}
 * enforces memory, cores and number of processes, with one control group per run or by watching ({@code
 * LimitSchedule}), and names the limit that a run has exceeded.
 *
 * <p>Measurement. {@code RunMeter} measures what runs use in the same pass as their limits, about every second, and at
 * their end: exactly with control groups. Without them the memory is that of samples, in which each process shows its
 * own peak, and the shell of a detached run records the processor time ({@code ShellTimes}), also while no runner is
 * there. An attached run that ends within a second has no figures.
 *
 * <p>Users. If runs are those of other users ({@link dev.sluice.runtime.machine.Accounts}), the shell that leads a run
 * stays this program's user and writes the records; only the command is executed as the user ({@code UserSwitch}).
 * Folders and logs of a run are given to its user in folders that nobody else can change. Everybody can set the mark of
 * a run, so outside of the session that recorded itself only processes of its user ({@code RunOwners}) belong to it
 * ({@code RunSession}), and are signalled one by one.
 *
 * <p>Limitations.
 * <ul>
 *   <li>A directory belongs to one machine and one PID namespace. A runner in another container, or on another
 *       machine with the same disk, treats processes that it cannot see as ended.
 *   <li>A service manager that kills all processes of a service, such as systemd without
 *       {@code KillMode=process}, also kills the tasks.
 *   <li>When a command ends, the remaining processes of its session are terminated.
 *       Processes in sessions of their own are found by their mark and terminated within seconds after the end
 *       is reported. A process that also removed the mark from its environment, or changed its user, or whose
 *       environment this program may not read, is never terminated.
 *   <li>If only the shell of a run was killed while no program was watching, and no remaining process of its
 *       session has the mark, the processes may be unrelated: the runner does not signal them, and reports the
 *       run lost when the session is empty.
 *   <li>A shell that is killed together with its command, for example by {@code kill -9 0}, leaves no exit code:
 *       the run is lost, unless it was being stopped.
 *   <li>A crash of the machine may lose the latest writes. No process survives it, so runs without an exit code
 *       are lost.
 *   <li>Detached tasks inherit only {@code PATH}, {@code HOME}, {@code USER}, {@code LANG} and {@code LC_*} of the
 *       program's environment.
 *   <li>Memory that is watched may be exceeded for about a second, and a process whose parents have ended and that
 *       created its own session is not counted.
 *   <li>Without control groups the measured memory counts pages that processes share once for each, and misses peaks of
 *       processes that end between two samples; the processor time misses processes that nobody waited for.
 *   <li>Without {@code /proc} start times have a resolution of one second, and there are neither boot ids nor
 *       marks: a process with the id of a task's shell that started in the same second is taken for it, a
 *       process group with its id is taken for its remains, and a process that created its own group is not
 *       found.
 * </ul>
 *
 * <p>A detached task costs one sleeping shell while it runs, and two processes instead of one to start.
 */
package dev.sluice.runtime.detached;
