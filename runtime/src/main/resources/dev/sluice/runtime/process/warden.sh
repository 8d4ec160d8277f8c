# Usage: sh -c "$(cat warden.sh)" sluice-warden GRACE_SECONDS MARK
#
# Sends signals for one process runner, and outlives it. Reads lines:
#   + GROUP           registers a process group of the runner
#   - GROUP           unregisters a group that has ended
#   SIGNAL GROUP      sends a signal, such as TERM, to a group
# When the input ends for any reason, terminates the registered groups and, if there is a /proc, every process with the mark in its
# environment. These include processes that were started too late to be registered or created their own session.
# Uses only built-in commands until then, so a signal needs no process.

trap '' HUP INT QUIT TERM
grace=$1 mark=$2
groups=' '

while read -r word group; do
    case $word in
        +) case $groups in *" $group "*) ;; *) groups="$groups$group " ;; esac ;;
        -) case $groups in *" $group "*) groups="${groups%%" $group "*} ${groups#*" $group "}" ;; esac ;;
        *) kill -s "$word" -- "-$group" ;;
    esac
done

# Lists the marked processes outside the groups; those in a group receive the signal to the group.
strays() {
    [ -r /proc/self/environ ] || return 0
    for file in $(grep -lsF "SLUICE_RUN=$mark" /proc/[0-9]*/environ); do
        pid=${file#/proc/}
        pid=${pid%/environ}
        read -r stat <"/proc/$pid/stat" || continue
        set -- ${stat##*) }
        case $groups in *" $3 "*) ;; *) echo "$pid" ;; esac
    done
}

# Sends a signal to all remaining processes; fails if there are none.
signal() {
    found=1
    for group in $groups; do
        kill -s "$1" -- "-$group" && found=0
    done
    for pid in $(strays); do
        kill -s "$1" -- "$pid" && found=0
    done
    return $found
}

signal TERM || exit 0
signal CONT
rounds=$((grace * 10))
while [ "$rounds" -gt 0 ]; do
    signal 0 || exit 0
    sleep 0.1 || sleep 1
    rounds=$((rounds - 1))
done
# Processes may fork while they are being killed.
for round in 1 2 3 4 5; do
    signal KILL || exit 0
    sleep 0.1 || sleep 1
done
