/* Ends processes: leaders first, then what they have started, KILL when the grace is over. The only place where that is decided. */
#include "supervisor.h"

#define BRIEF (3 * SECOND)
#define UNKILLABLE (10 * SECOND)
#define MOST_ROUNDS 50
#define UNHEARD INT64_MAX /* the number of a stop of whose course nobody is told */
#define WRAPPER_OF_RANK "muster-rank"

/* What a host has below it: programs that carry ranks, those that are left alone, ranks, and what these have started. */
enum part { CARRIER, CLIENT, RANK, OF_RANK };

static int64_t next_look, pause_length;

/* By its id, or by the pid of its leader. */
struct start *start_of(int64_t id, pid_t pid) {
    for (int i = 1; i < run->most; i++)
        if (run->starts[i].id && (id ? run->starts[i].id == id : run->starts[i].pid == pid)) return &run->starts[i];
    return NULL;
}

bool stop_is_on(void) {
    for (int i = 0; i < run->most; i++)
        if (run->starts[i].stop) return true;
    return false;
}

/* Tells that an order is carried out, or that later ones have replaced it. */
static void tell_stopped(int64_t stop) {
    for (int i = 0; i < run->most; i++)
        if (run->starts[i].stop == stop) return;
    if (stop && stop != UNHEARD) tell(NULL, "stopped sequence=%lld", (long long)stop);
}

/* Who leads has most of the grace to itself: two thirds, and where it is longer than 20 s, all but the last 10 at most. */
static void begin(struct start *start, int64_t stop, int64_t grace, bool is_all) {
    int64_t at = now(), spread = grace / 3 * 2, replaced = start->stop;
    if (grace > 20 * SECOND && spread > grace - UNKILLABLE) spread = grace - UNKILLABLE;
    if (is_all || run->stops_all_at_once || grace <= BRIEF || start->is_wrapper) spread = 0;
    if (!replaced || start->spread_at > at) start->spread_at = at + spread;
    start->stop = stop;
    start->kill_at = at + grace;
    start->killed_at = 0;
    tell_stopped(replaced);
}

static bool is_meant(const struct order *order, int64_t id) {
    char *only = NULL;
    while ((only = order_next(order, "only", only)))
        if (atoll(only) == id) return true;
    return false;
}

/* Ends those that an order names. Without one, or where it names none: all, and what belongs to nobody known. */
static void stop(const struct order *order, int64_t sequence, int64_t grace, bool is_all) {
    bool is_limited = order && *order_text(order, "only"), has_strangers = run->is_inner_gone && run->has_strangers;
    if (!is_limited && !has_strangers) begin(&run->starts[STRAYS], sequence, grace, is_all);
    for (int i = 1; i < run->most; i++) {
        struct start *start = &run->starts[i];
        if (start->id && (!is_limited || is_meant(order, start->id))) begin(start, sequence, grace, is_all);
    }
    tell_stopped(sequence);
    next_look = 0;
    pause_length = 5 * MILLISECOND;
}

void stop_order(const struct order *order) {
    stop(order, order_number(order, "sequence"), order_number(order, "grace") * MILLISECOND, order_number(order, "all"));
}

void stop_everything(int64_t grace) {
    stop(NULL, UNHEARD, grace, false);
}

/* The kernel cuts names off. */
static bool is_listed(const struct start *host, const char *mark, const char *name) {
    char line[32];
    snprintf(line, sizeof line, "\n%s%.15s", mark, name);
    const char *at = strstr(host->names, line);
    return at && (at[strlen(line)] == '\n' || strlen(name) == 15);
}

static enum part part_of(const struct process *process, const struct start *host) {
    struct process *parent = process_find(process->parent);
    if (process->pid == host->pid) return CARRIER;
    if (parent && parent->memory.owner != process->memory.owner) parent = NULL;
    bool is_wrapped = parent && !strcmp(parent->name, WRAPPER_OF_RANK);
    enum part above = parent && !is_wrapped ? part_of(parent, host) : CARRIER;
    if (above != CARRIER) return above == CLIENT ? CLIENT : OF_RANK;
    bool is_passed = is_listed(host, "", process->name) || (parent && is_listed(host, "+", process->name));
    if (!is_wrapped && (is_passed || !strcmp(process->name, WRAPPER_OF_RANK))) return CARRIER;
    return !is_wrapped && is_listed(host, "-", process->name) ? CLIENT : RANK;
}

/* Each hears once. Who was started after the signal by somebody who has got it helps to put things away, and so does not. */
static void term(struct start *start, struct process *process) {
    struct process *parent = process_find(process->parent);
    bool is_helper = process->memory.is_late && parent && parent->is_ours, is_leader = process->pid == start->pid;
    if (process->memory.is_told || process->memory.is_below_other || is_helper || (is_leader && start->is_told)) return;
    process->memory.is_told = true;
    if (is_leader) start->is_told = true;
    else if (start == run->starts && !run->is_inner_gone && (process->parent == run->jvm || !is_jvm_there))
        say("%s left process %d (%s) behind; stopping it", *run->plugin ? run->plugin : "the launcher's JVM", process->pid, process->name);
    else if (!start->is_host || !start->stop) tell(process->name, "leftBehind pid=%d id=%lld", process->pid, start->id > 0 ? (long long)start->id : 0LL);
    process_signal(process->pid, SIGTERM);
}

static void term_leader(struct start *start) {
    struct process *leader = process_find(start->pid);
    if (!start->has_ended && !start->is_told && leader) term(start, leader);
    if (!can_see && start->pid && (start->has_ended || !start->is_told)) kill(-start->pid, SIGTERM);
    start->is_told = true;
}

/* A host is told when none of its ranks is left, and what carried them with it. */
static void stop_host(struct start *host, int64_t at) {
    bool are_any_left = false;
    int file = *host->note && !host->is_told ? open(host->note, O_WRONLY | O_CREAT | O_CLOEXEC, 0600) : -1;
    if (file >= 0) close(file);
    for (struct process *process = NULL; (process = process_of(host, process));) {
        enum part part = part_of(process, host);
        if (part == RANK || (part == OF_RANK && at >= host->spread_at)) term(host, process);
        are_any_left |= part == RANK || part == OF_RANK;
    }
    if (are_any_left) return;
    if (!host->are_ranks_gone) tell(NULL, "hostedEnded id=%lld", (long long)host->id);
    host->are_ranks_gone = true;
    if (host->waits_for_others && !host->is_released && !host->has_ended && is_jvm_there) return; /* else nobody would tell */
    for (struct process *process = NULL; (process = process_of(host, process));) {
        bool is_wrapper = !strcmp(process->name, WRAPPER_OF_RANK);
        if (is_wrapper) term(host, process);
        are_any_left |= is_wrapper;
    }
    if (are_any_left) return; /* who started them hears of their ends, before it is told itself */
    term_leader(host);
    for (struct process *process = NULL; (process = process_of(host, process));)
        if (host->has_ended || part_of(process, host) == CARRIER) term(host, process);
}

static void stop_start(struct start *start, int64_t at) {
    if (at >= start->kill_at) return;
    if (start->is_host) {
        stop_host(start, at);
        return;
    }
    if (!start->is_told && !start->has_ended && start->pid && process_ignores(start->pid, SIGTERM)) start->spread_at = at;
    term_leader(start);
    if (start->pid && !start->has_ended && at < start->spread_at) return;
    for (struct process *process = NULL; (process = process_of(start, process));) term(start, process);
}

/* Sends KILL; how many it met that it had not met before. Where something forks faster than we look, only its whole group can be met. */
static int kill_all(struct start *start, int64_t at) {
    int fresh = has_just_ended(start);
    for (struct process *process = NULL; (process = process_of(start, process));) {
        fresh += !process->memory.is_killed;
        process->memory.is_killed = true;
        kill(process->pid, SIGSTOP);
        kill(is_group_ours(process->group) ? -process->group : process->pid, SIGKILL);
    }
    if (start->pid && is_group_ours(start->pid)) kill(-start->pid, SIGKILL);
    if (!start->killed_at && (fresh || (start->pid && !start->has_ended))) tell(NULL, "killing id=%lld count=%d", (long long)start->id, fresh);
    if (!start->killed_at) start->killed_at = at;
    return fresh;
}

static void kill_late(int64_t at) {
    for (int round = 0, quiet = 0; round < MOST_ROUNDS && quiet < 2; round++) {
        int fresh = 0;
        bool is_any = false;
        for (int i = 0; i < run->most; i++)
            if (run->starts[i].stop && at >= run->starts[i].kill_at) is_any = true, fresh += kill_all(&run->starts[i], at);
        quiet = !is_any ? 2 : fresh ? 0 : quiet + 1;
        if (quiet < 2) processes_look();
    }
}

static bool is_over(struct start *start, int64_t at) {
    bool is_leader_left = start->pid && (!start->has_ended || (!can_see && !kill(-start->pid, 0)));
    if (!is_leader_left && !process_of(start, NULL) && !has_just_ended(start)) return true;
    if (!start->killed_at || at - start->killed_at < UNKILLABLE) return false;
    for (struct process *process = NULL; (process = process_of(start, process));) {
        if (is_jvm_there) tell(process->name, "remains pid=%d", process->pid);
        else say("process %d (%s) is still there 10 s after SIGKILL (it hangs in the kernel); not waiting for it", process->pid, process->name);
    }
    return true;
}

static void finish(int64_t at) {
    for (int i = 0; i < run->most; i++) {
        struct start *start = &run->starts[i];
        int64_t stop = start->stop;
        if (!stop || !is_over(start, at)) continue;
        start->stop = 0;
        if (start->has_ended) start_forget(start);
        tell_stopped(stop);
    }
}

/* Sends a signal that is no stop: to the leader, or to the ranks that it hosts. */
void stop_signal(struct start *start, int number, bool is_for_ranks) {
    if (!is_for_ranks && !start->has_ended) process_signal(start->pid, number);
    if (is_for_ranks) processes_look();
    for (struct process *process = NULL; is_for_ranks && (process = process_of(start, process));)
        if (!process->memory.is_below_other && part_of(process, start) == RANK) process_signal(process->pid, number);
}

/* mpirun waits for whoever holds the output of a rank that has ended. So what ranks have left behind ends when no rank runs any more. */
static void end_left(struct start *host, int64_t at) {
    bool is_any = false;
    for (struct process *process = NULL; (process = process_of(host, process));) {
        bool is_rank = part_of(process, host) == RANK, is_left = is_rank && process->parent == getpid();
        is_any |= is_left;
        if (is_rank == is_left && strcmp(process->name, WRAPPER_OF_RANK)) continue;
        host->left_until = 0;
        return;
    }
    if (is_any && !host->left_until) host->left_until = at + run->grace;
    for (struct process *process = NULL; is_any && (process = process_of(host, process));) {
        if (part_of(process, host) < RANK) continue;
        if (at < host->left_until) term(host, process);
        else kill(process->pid, SIGKILL);
    }
}

static int64_t look_at_hosts(int64_t at) {
    bool is_any = false;
    for (int i = 1; i < run->most; i++) is_any |= run->starts[i].id && run->starts[i].is_host && !run->starts[i].has_ended;
    if (!is_any || at < next_look) return is_any ? next_look : NEVER;
    processes_look();
    for (int i = 1; i < run->most; i++)
        if (run->starts[i].id && run->starts[i].is_host && !run->starts[i].has_ended) end_left(&run->starts[i], at);
    return next_look = now() + SECOND + 50 * (now() - at);
}

/* Goes on with all stops. A look costs more the more processes there are, and so do the pauses between looks. Returns when it must be called
 * again, at the latest. */
int64_t stop_step(bool has_changed) {
    int64_t at = now();
    if (!stop_is_on()) return look_at_hosts(at);
    if (at < next_look && !(has_changed && next_look - at < pause_length / 2)) return next_look;
    processes_look();
    for (int i = 0; i < run->most; i++)
        if (run->starts[i].stop) stop_start(&run->starts[i], at);
    kill_late(at);
    finish(at);
    int64_t cost = 3 * (now() - at), longest = 100 * MILLISECOND;
    pause_length = 2 * pause_length < longest ? 2 * pause_length : longest;
    next_look = now() + (cost > pause_length ? cost : pause_length);
    for (int i = 0; i < run->most; i++) {
        struct start *start = &run->starts[i];
        if (start->stop && start->kill_at > at && start->kill_at < next_look) next_look = start->kill_at;
        if (start->stop && start->spread_at > at && start->spread_at < next_look) next_look = start->spread_at;
    }
    return next_look;
}
