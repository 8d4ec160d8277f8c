# Usage: sh -c "$(cat task.sh)" sluice-task FOLDER BOOT SLEEP PS LOG PROGRAM [ARGUMENT...]
#
# Leads the session of one run. It opens the log (a pipe that a task created at its path blocks only this script), claims the run in its
# folder, or exits if that fails, runs the program, and records the exit code.
#
# A record is an empty file, which the shell creates itself and only if there is nothing at its path (noclobber: O_EXCL); what it says is
# written before: the process id and start time to "shell" before "claim", the exit code to "code" before "exit". So no reader sees an
# incomplete record, and no process is needed to write one. Standard error is not used.
# The processor time of the program follows its exit code.
#
# Signals to the whole session do not end the script; it traps them rather than ignoring them, so the program has the default handlers.
# The runner creates the link "stop" before it sends a signal, so a signal that arrives before the program starts is not lost.
# Variables have unusual names, because they would otherwise override the environment of the program.

trap : HUP INT QUIT PIPE ALRM TERM USR1 USR2

if [ "$2" = - ]; then
    sluice_start=$(TZ=UTC0 LC_ALL=C "$4" -o lstart= -p $$)
else
    sluice_started() { sluice_start=${20}; }
    read -r sluice_start <"/proc/$$/stat" || exit 126
    sluice_started ${sluice_start##*) }
fi
[ -f "$5" ] && [ ! -L "$5" ] || exit 126
exec >>"$5" || exit 126
set -C
echo "$$ $2 $sluice_start" >"$1/shell" || exit 126
true >"$1/claim" || exit 126

(
    [ ! -L "$1/stop" ] || exit 143
    shift 5
    exec "$@"
) 2>&1
sluice_code=$?

until { echo "$sluice_code" && times; } >|"$1/code" && true >"$1/exit" || [ -e "$1/exit" ] || [ -L "$1/exit" ] || [ ! -d "$1" ]; do
    "$3" 1
done
