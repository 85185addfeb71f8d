/* Ends processes: leaders first, then their descendants, and all by SIGKILL when the grace is over. No other file decides that. */
#include "supervisor.h"

#define UNKILLABLE (10 * SECOND)
#define UNHEARD INT64_MAX /* the number of a stop that inner itself began: the JVM gets no records of it */

static int64_t next_look, pause_length;

/* Finds a start by its id, or by the pid of its leader. */
struct start *start_of(int64_t id, pid_t pid) {
    struct start *found = NULL;
    for (int i = 1; i < run->most && (!found || found->has_ended); i++)
        if (run->starts[i].id && (id ? run->starts[i].id == id : run->starts[i].pid == pid)) found = &run->starts[i];
    return found;
}

bool stop_is_on(void) {
    for (int i = 0; i < run->most; i++)
        if (run->starts[i].stop) return true;
    return false;
}

/* Tells the JVM that a stop is complete, or that later ones have replaced it. */
static void tell_stopped(int64_t stop) {
    for (int i = 0; i < run->most; i++)
        if (run->starts[i].stop == stop) return;
    if (stop && stop != UNHEARD) tell(NULL, "stopped sequence=%lld", (long long)stop);
}

/* For three quarters of the grace only the leader has SIGTERM. With a grace above 20 s, the others have at least the last 10 s. */
static void begin(struct start *start, int64_t stop, int64_t grace, bool is_all) {
    int64_t at = now(), spread = grace / 4 * 3, replaced = start->stop;
    if (grace > 20 * SECOND && spread > grace - UNKILLABLE) spread = grace - UNKILLABLE;
    if (is_all || run->stops_all_at_once || grace <= 3 * SECOND) spread = 0;
    if (!replaced || start->spread_at > at) start->spread_at = at + spread;
    start->stop = stop;
    if (!replaced || stop != UNHEARD || start->kill_at > at + grace) start->kill_at = at + grace, start->killed_at = 0;
    if (*start->note) close(open(start->note, O_WRONLY | O_CREAT | O_CLOEXEC, 0600));
    tell_stopped(replaced);
}

/* Begins to stop the starts that an order names. Without an order, or if it names none: all starts, and the strays. */
void stop(const struct order *order, int64_t grace) {
    bool is_limited = order && *order_text(order, "only"), is_all = order && order_number(order, "all");
    int64_t sequence = order ? order_number(order, "sequence") : UNHEARD;
    for (char *id = NULL; is_limited && (id = order_next(order, "only", id));) {
        struct start *start = start_of(atoll(id), 0);
        if (start) begin(start, sequence, grace, is_all);
    }
    for (int i = run->is_inner_gone && run->has_strangers ? 1 : STRAYS; !is_limited && i < run->most; i++)
        if (i == STRAYS || run->starts[i].id) begin(&run->starts[i], sequence, grace, is_all);
    tell_stopped(sequence);
    next_look = 0;
    pause_length = 5 * MILLISECOND;
}

/* Sends a signal other than a stop: to the leader or its process group, or to the ranks that it hosts. */
void stop_signal(struct start *start, int number, bool is_for_ranks, bool is_for_group) {
    if (!is_for_ranks && !start->has_ended) process_signal(is_for_group ? -start->pid : start->pid, number);
    processes_look();
    for (struct process *process = is_for_ranks ? processes : NULL; process; process = process->next)
        if (process_is_of(process, start) && process->part == RANK && !process->memory.is_below_other) process_signal(process->pid, number);
}

/* Whether a process gets SIGTERM now. A leader gets it at once, other processes when the leader has ended, or later. Ranks of a host count as
 * leaders. Wrappers get it when no rank is left; then the host gets it, which has seen the ends of the wrappers. */
static bool is_due(const struct start *start, const struct process *process, int64_t at) {
    bool is_leader = process->pid == start->pid;
    if (!start->is_host) return is_leader || start->has_ended || at >= start->spread_at;
    if (process->part != CARRIER) return process->part == RANK || at >= start->spread_at;
    if (start->seen.ranks || (start->waits_for_others && !start->has_ended && is_jvm_there)) return false;
    return process->is_wrapper || (!start->seen.wrappers && (is_leader || start->has_ended));
}

/* Sends SIGTERM once to each process, after its parent: a shell whose command ends first would run its next command. A process that was started
 * after its parent got SIGTERM helps to clean up, so it gets none. */
static void term(struct start *start, struct process *process, int64_t at) {
    struct process *parent = process_find(process->parent);
    if (parent && process_is_of(parent, start) && is_due(start, parent, at)) term(start, parent, at);
    bool is_helper = process->memory.is_late && parent && parent->is_ours && !parent->is_wrapper, is_leader = process->pid == start->pid;
    if (process->memory.is_told || process->memory.is_below_other || is_helper || (is_leader && start->is_told)) return;
    process->memory.is_told = true;
    if (is_leader) start->is_told = true;
    else if (process->parent == run->jvm || run->has_verdict)
        say(-1, "%s left process %d (%s) behind; stopping it", *run->plugin ? run->plugin : "the launcher's JVM", process->pid, process->name);
    else if (!start->is_host) tell(process->name, "leftBehind pid=%d id=%lld", process->pid, (long long)start->id);
    process_signal(process->pid, SIGTERM);
}

/* The part of a stop that concerns a whole start, before its processes. The strays are first in the table; any leader may need them. */
static void step_start(struct start *start, int64_t at) {
    struct process *leader = process_find(start->pid);
    bool is_there = start->pid && !start->has_ended, is_wrapper = *start->wrapper == '*' || (leader && !strcmp(leader->name, start->wrapper));
    if (is_there || start == &run->starts[STRAYS]) run->starts[STRAYS].has_ended = !is_there;
    if (at >= start->kill_at) {
        if (!start->killed_at && (start->seen.left || is_there)) tell(NULL, "killing sequence=%ld id=%ld count=%d", start->stop, start->id, start->seen.left);
        if (!start->killed_at) start->killed_at = at;
        if (start->pid && is_group_ours(start->pid)) kill(-start->pid, SIGKILL);
        return;
    }
    if (is_there && !start->is_host && (is_wrapper || (!start->is_told && process_ignores(start->pid, SIGTERM)))) start->spread_at = at;
    if (start->pid && !start->is_told && (!can_see || (is_there && !start->is_host && !leader)))
        process_signal(can_see ? start->pid : -start->pid, SIGTERM), start->is_told = true;
    if (start->is_host && !start->seen.ranks && !start->are_ranks_gone) tell(NULL, "hostedEnded id=%lld", (long long)start->id);
    start->are_ranks_gone |= !start->seen.ranks;
}

/* Sends SIGKILL. A process that forks faster than inner looks can be killed only by its group. Whether it is the first SIGKILL. */
static bool kill_process(struct process *process) {
    bool is_fresh = !process->memory.is_killed;
    process->memory.is_killed = true;
    kill(process->pid, SIGSTOP);
    kill(is_group_ours(process->group) ? -process->group : process->pid, SIGKILL);
    return is_fresh;
}

static bool is_over(const struct start *start, int64_t at) {
    bool is_leader_left = start->pid && (!start->has_ended || (!can_see && !kill(-start->pid, 0)));
    if (!is_leader_left && !start->seen.left && !start->seen.has_just_ended) return true;
    if (!start->killed_at || at - start->killed_at < UNKILLABLE) return false;
    for (struct process *process = processes; process; process = process->next) {
        if (!process_is_of(process, start)) continue;
        if (is_jvm_there) tell(process->name, "remains sequence=%ld pid=%d", start->stop, process->pid);
        else say(-1, "process %d (%s) is still there 10 s after SIGKILL (it hangs in the kernel); not waiting for it", process->pid, process->name);
    }
    return true;
}

/* Continues all stops. With more processes a look takes longer, so the pauses between looks are longer, too. Returns the latest time of the
 * next call. */
int64_t stop_step(bool has_changed) {
    int64_t at = now();
    bool is_any_fresh = false;
    if (!stop_is_on()) return NEVER;
    if (at < next_look && !(has_changed && next_look - at < pause_length / 2)) return next_look;
    processes_look();
    for (int i = 0; i < run->most; i++)
        if (run->starts[i].stop) step_start(&run->starts[i], at);
    for (struct process *process = processes; process; process = process->next) {
        struct start *start = &run->starts[process->memory.owner];
        if (!process_is_of(process, start) || !start->stop) continue;
        if (at >= start->kill_at) is_any_fresh |= kill_process(process);
        else if (is_due(start, process, at)) term(start, process, at);
    }
    int64_t cost = 3 * (now() - at), longest = 100 * MILLISECOND;
    pause_length = 2 * pause_length < longest ? 2 * pause_length : longest;
    next_look = is_any_fresh ? 0 : now() + (cost > pause_length ? cost : pause_length);
    for (int i = 0; i < run->most; i++) {
        struct start *start = &run->starts[i];
        int64_t order = start->stop;
        if (order && is_over(start, at)) {
            start->stop = 0;
            if (start->has_ended && start->drain > 0) close(start->drain); /* strays have none */
            if (start->has_ended) start->id = 0;
            tell_stopped(order);
        }
        if (start->stop && start->kill_at > at && start->kill_at < next_look) next_look = start->kill_at;
        if (start->stop && start->spread_at > at && start->spread_at < next_look) next_look = start->spread_at;
    }
    return next_look;
}
