# Usage: sh -c "$(cat task.sh)" sluice-task FOLDER BOOT LN SLEEP PS LOG PROGRAM [ARGUMENT...]
#
# Leads the session of one run. It opens the log, where a pipe that a task put in its place can block nobody else; claims the run in its
# folder with its own process id and start time, or else does nothing; runs the program; and writes down the exit code. What it writes are symbolic links that point nowhere: they are there with
# all their content or not at all, and never replaced. Standard error is for nobody.
#
# The signals that are sent to whole sessions do not end it, but the program has them as they were: they are caught, not ignored.
# Who stops the run makes the link "stop" before any signal, so one that comes too early for the program is not missed.
# It has no variables of common names: those would replace what the program is to have in its environment.

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
