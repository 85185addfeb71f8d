# shellcheck shell=bash
# The launcher, as the warden sees it.

# A launcher that stands still neither sees nor stops anything when the shell of its start script is killed, which would have let it
# go on. Only where there was one: it holds the other end of what was standard error.
let_launcher_go_on() {
    look_at "${launcher%% *}"
    if [[ $start == "${launcher#* }" && $state == T && $guard && $ppid != "$guard" ]]; then
        kill -s CONT "${launcher%% *}"
    fi
}

# Its files are closed a moment before it has ended.
launcher_has_died() {
    local look
    for look in 1 2 3 4 5 6 7 8 9 10; do
        look_at "${launcher%% *}"
        [[ $start == "${launcher#* }" && $state != [XZ] ]] || return 0
        pause "$look"
    done
    return 1
}
