# Usage: sh -c "$(cat task.sh)" sluice-task FOLDER BOOT LN SLEEP PS LOG PROGRAM [ARGUMENT...]
#
# Leads the session of one run. It opens the log (a pipe that a task created at its path blocks only this script), claims the run in its
# folder with its process id and start time, or exits if that fails, runs the program, and records the exit code. Its records are dangling
# symbolic links, because links are created atomically and never replaced. Standard error is not used.
#
# Signals to the whole session do not end the script; it traps them rather than ignoring them, so the program has the default handlers.
# The runner creates the link "stop" before it sends a signal, so a signal that arrives before the program starts is not lost.
# Variables have unusual names, because they would otherwise override the environment of the program.

trap : HUP INT QUIT PIPE ALRM TERM USR1 USR2

if [ "$2" = - ]; then
    sluice_start=$(TZ=UTC0 LC_ALL=C "$5" -o lstart= -p $$)
else
    sluice_started() { sluice_start=${20}; }
    read -r sluice_start <"/proc/$$/stat" || exit 126
    sluice_started ${sluice_start##*) }
fi
[ -f "$6" ] && [ ! -L "$6" ] || exit 126
exec >>"$6" || exit 126
[ ! -d "$1/claim" ] || exit 126
"$3" -s "$$ $2 $sluice_start" "$1/claim" || exit 126

(
    [ ! -L "$1/stop" ] || exit 143
    shift 6
    exec "$@"
) 2>&1
sluice_code=$?

until "$3" -s "$sluice_code" "$1/exit" || [ -e "$1/exit" ] || [ -L "$1/exit" ] || [ ! -d "$1" ]; do
    "$4" 1
done
