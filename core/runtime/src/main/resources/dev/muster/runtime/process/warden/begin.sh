# shellcheck shell=bash
# The warden: outlives the launcher and ends its processes when it dies. WardenScript has the files of this directory one after the other.
#
# MUSTER_WARDEN holds the grace period in hundredths of a second and the marker's value. MUSTER_WARDEN_DIRECTORY is the run's private
# directory, which the launcher removes itself when it can. MUSTER_WARDEN_FIRST has the names of variables by which forerunners are
# known: they get TERM and the grace period before all others. MUSTER_WARDEN_LAUNCHER is the launcher's PID and START, not set where
# that had died before. The standard input is a pipe from the launcher, with orders (orders.sh). Its end without "quit" means that the
# launcher is dead.
#
# Nothing here makes a process before all others have ended, so that signals go out when no process can be made any more; and time is
# what the clock says, however long a look takes.

# What its standard error is at first stays open for whoever waits for the end of it, and of nothing else.
exec 8>&2 2> /dev/null
trap '' HUP INT QUIT USR1 USR2 PIPE TERM TSTP TTIN TTOU XCPU VTALRM PROF IO PWR
settings=${MUSTER_WARDEN-} directory=${MUSTER_WARDEN_DIRECTORY-} forerunners=${MUSTER_WARDEN_FIRST-}
launcher=${MUSTER_WARDEN_LAUNCHER-}
unset FUNCNEST IFS MUSTER_WARDEN MUSTER_WARDEN_DIRECTORY MUSTER_WARDEN_FIRST MUSTER_WARDEN_LAUNCHER
LC_ALL=C
grace=${settings%% *}
random=${settings#* }
# Whatever else goes wrong: an empty marker would be found in every process of the machine.
case $grace in '' | *[!0-9]*) exit 1 ;; esac
case $random in
    *[!0-9a-f]*) exit 1 ;;
    ????????????????*) ;;
    *) exit 1 ;;
esac
# How long it may take from the fork of a process to its program: it may have lost a signal on the way.
birth=10
# As StopSequence.UNKILLABLE says.
hanging=1000
longest_environment=4194304

unset leaders ours first strangers group_warned warned held missed
line=
# Those that lead a group and session of ours, by pid; all others that are known to be ours, or not, by PID:START.
declare -A leaders=() ours=() strangers=()
# Who is a forerunner, or was, by PID:START: whoever has overwritten its environment since is one.
declare -A first=()
# When a group got TERM, by its leader's pid, and when a process did, by PID:START.
declare -A group_warned=() warned=()
# Descriptors of all that our leaders print to; those whose were looked at though they lead nothing that was told, by PID:START; and
# leaders that had ended before their own could be looked at, by pid.
outputs=()
declare -A held=() missed=()
# What the last look found: our live processes, and of each pid its identity, parent and group.
left=()
unset identity parent group is_left
declare -A identity=() parent=() group=() is_left=()
# What all have ended by, and when a look is given up for it.
deadline=0 look_until='' shift=0
