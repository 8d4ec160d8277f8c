/**
 * Tasks as processes of this machine that outlive the program that started them.
 *
 * <p>{@link dev.sluice.runtime.detached.DetachedRunner} starts and stops runs ({@link dev.sluice.runtime.detached.RunKey}) and tells
 * a {@link dev.sluice.runtime.detached.DetachedRunListener} what becomes of them, also of those that an earlier runner on the same
 * directory had started, however its program ended. Of each run it hears exactly one end or loss, and the same again after a
 * restart until the run is forgotten.
 *
 * <p>How. Every run has a folder ({@code RunFolder}) and is led by a shell ({@code task.sh}, started by {@code TaskLauncher}) in a
 * session of its own. The shell claims the run before anything else by a symbolic link that tells its process id, when it
 * started and the boot of the machine ({@code ProcessIdentity}, {@code ProcessClock}), and leaves the exit code of the command in
 * another one. Links appear with all their content or not at all and are never replaced, so of all who claim a run, one wins; a
 * runner that does not want a run to begin claims it itself. {@code RunReconciler} decides on one thread, from folders and processes,
 * what became of a run. It calls one lost only after nothing of it lives: all that a run starts carries the mark of the runner and
 * the name of its folder in {@code SLUICE_RUN} in its environment, by which {@code RunSessions} finds it, also in sessions of its own. Folders that nobody
 * knows are of runs that are over for everybody: what lives of them is stopped.
 *
 * <p>Caveats.
 * <ul>
 *   <li>A directory belongs to one machine and one space of process ids. A runner in another container, or on another machine
 *       with the same disk, takes what it cannot see for ended.
 *   <li>Whoever ends all processes of a service together with it, as systemd does unless it is told {@code KillMode=process},
 *       ends the tasks too.
 *   <li>When a command is over, its session is ended as {@link dev.sluice.runtime.process.ProcessRunner} does it, and what made a
 *       session of its own is found by its mark and ended within seconds after the end is reported. What in addition took the mark from its
 *       environment, or runs as another user, is never ended.
 *   <li>Where only the shell of a run was killed while no program watched, and all that is left in its session has no mark, that
 *       may be somebody else's: the run is lost when the session is empty, and nothing is done to empty it.
 *   <li>A shell that is killed together with its command, such as by {@code kill -9 0}, leaves no exit code: the run is lost,
 *       unless it was being stopped.
 *   <li>A crash of the machine may lose what was written last; then nothing of any run lives, and those without an exit code are
 *       lost.
 *   <li>Of the program's environment tasks inherit {@code PATH}, {@code HOME}, {@code USER}, {@code LANG} and {@code LC_*} alone.
 *   <li>Without {@code /proc} the start of a process is known to the second, there is no id of the boot, and there are no marks:
 *       a process that has the id of a task's shell and began in the same second is taken for it, a process group that has
 *       its id for what it left, and what made a group of its own is not found.
 * </ul>
 *
 * <p>A task costs one sleeping shell while it runs, and four processes instead of one to start and end.
 */
package dev.sluice.runtime.detached;
