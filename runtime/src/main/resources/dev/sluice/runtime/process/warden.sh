# Usage: sh -c "$(cat warden.sh)" sluice-warden GRACE_SECONDS MARK
#
# Sends signals for one process runner, and outlives it. Reads lines:
#   + GROUP           the process group belongs to the runner
#   - GROUP           nothing is left of it
#   SIGNAL GROUP      signal it (TERM, CONT, KILL)
# When the input ends, for whatever reason, it ends what is left: the groups it was told of and, where there is a /proc, every
# process whose environment has the mark. That also finds one that was started too late to be told of, or made its own session.
# Only built-in commands are used until then, so a signal costs no process.

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

# Marked processes outside the groups; what is in a group gets the group's signal, and no second one.
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

# Sends a signal to all that is left; fails when nothing is.
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
# Something may fork while it is being killed.
for round in 1 2 3 4 5; do
    signal KILL || exit 0
    sleep 0.1 || sleep 1
done
