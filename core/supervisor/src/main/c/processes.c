/* Reads /proc: which processes descend from this one, and which start (a process that inner started) each belongs to. */
#include "supervisor.h"

#define LISTS 4096

bool can_see;
struct process *processes;

static struct process *lists[LISTS]; /* all processes ever seen, hashed by pid */
static int round;
static DIR *directory;
static int spare = -1; /* closed during a look, so that one descriptor is free */

static bool read_file(pid_t pid, const char *name, char *text, size_t room) {
    char path[32];
    snprintf(path, sizeof path, "%d/%s", pid, name);
    int file = directory ? openat(dirfd(directory), path, O_RDONLY | O_CLOEXEC) : -1;
    ssize_t length = file < 0 ? 0 : read(file, text, room - 1);
    if (file >= 0) close(file);
    text[length > 0 ? length : 0] = 0;
    return length > 0;
}

static struct process *find(pid_t pid) {
    struct process *process = lists[pid % LISTS];
    while (process && process->pid != pid) process = process->next_in_list;
    return process;
}

struct process *process_find(pid_t pid) {
    struct process *process = find(pid);
    return process && process->round == round ? process : NULL;
}

/* Adds a process to the list. "PID (NAME) STATE PARENT GROUP SESSION ... THREADS ... BORN": the name may have any characters. */
static void look_at(pid_t pid) {
    char text[1024], state = 0;
    int threads = 0;
    unsigned long long born = 0;
    struct process *known = find(pid), seen = {.pid = pid, .round = round, .next = processes, .next_in_list = lists[pid % LISTS]};
    if (pid <= 0 || !read_file(pid, "stat", text, sizeof text)) return;
    char *open = strchr(text, '('), *close = strrchr(text, ')');
    if (!open || !close) return;
    snprintf(seen.name, sizeof seen.name, "%.*s", (int)(close - open - 1), open + 1);
    seen.is_wrapper = !strcmp(seen.name, WRAPPER) || !strcmp(seen.name, LEFT_WRAPPER);
    int count = sscanf(close + 2, "%c %d %d %d %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %d %*s %llu", &state, &seen.parent,
        &seen.group, &seen.session, &threads, &born);
    if (count != 6) return;
    seen.born = born;
    /* A zombie with more threads still runs: only its first thread has ended. */
    seen.is_dead = state == 'X' || (state == 'Z' && threads <= 1);
    if (known && known->born == seen.born) {
        seen.memory = known->memory;
        seen.memory.is_known = true;
        seen.memory.was_dead = known->is_dead;
    }
    if (known) seen.next_in_list = known->next_in_list;
    else if ((known = malloc(sizeof seen))) lists[pid % LISTS] = known;
    else return;
    *known = seen;
    processes = known;
}

bool process_ignores(pid_t pid, int number) {
    static char text[65536]; /* hundreds of groups may come first; the stack may not grow */
    char *at = read_file(pid, "status", text, sizeof text) ? strstr(text, "SigIgn:") : NULL;
    return at && (strtoull(at + 7, NULL, 16) >> (number - 1) & 1);
}

bool process_is_of(const struct process *process, const struct start *start) {
    return process->is_ours && !process->is_dead && &run->starts[process->memory.owner] == start;
}

/* Whether a process group has only our processes: its number may be in use by another group now. Without /proc this is a guess. */
bool is_group_ours(pid_t group) {
    for (struct process *process = processes; process; process = process->next)
        if (process->group == group && !process->is_ours) return false;
    return group > 1;
}

/* The daemons of mpirun have their own sessions. So an orphan of unknown origin belongs to the last host of ranks, if there is one. */
static struct start *last_host(void) {
    struct start *last = NULL;
    for (int i = 1; i < run->most; i++)
        if (run->starts[i].id && run->starts[i].is_host && (!last || run->starts[i].id > last->id)) last = &run->starts[i];
    return run->is_inner_gone && run->has_strangers ? NULL : last;
}

/* A rank leads a process group in its wrapper's session. The wrapper adopts orphans of its rank. When the rank has ended, its name changes. */
static enum part part_of(const struct process *process, const struct process *parent) {
    if (!parent) return CARRIER;
    if (!parent->is_wrapper) return parent->part == CARRIER ? CARRIER : OF_RANK;
    bool is_leader = process->pid == process->group && process->session == parent->session;
    return is_leader || !strcmp(parent->name, LEFT_WRAPPER) ? RANK : OF_RANK;
}

/* All descendants of this process are ours, except the JVM. A process belongs to the start of its parent; an orphan to that of its session. */
static void resolve(struct process *process, int depth) {
    struct process *parent = process_find(process->parent);
    struct memory *memory = &process->memory;
    if (process->is_resolved || process->pid == getpid() || process->pid == run->outer || process->pid == run->jvm) return;
    process->is_resolved = true;
    bool is_child = process->parent == getpid(), is_of_jvm = process->parent == run->jvm && run->jvm > 0 && !run->is_attached;
    if (is_child || !parent || depth > 4096) parent = NULL;
    else resolve(parent, depth + 1);
    if (parent && !parent->is_ours) parent = NULL;
    process->is_ours = is_child || is_of_jvm || parent;
    process->part = part_of(process, parent);
    if (!memory->is_known) memory->is_late = parent && (parent->memory.is_told || parent->memory.is_late);
    struct start *start = start_of(0, process->pid);
    if (start && start->has_ended) start = NULL; /* its pid is in use again */
    if (!start && is_child && memory->owner == STRAYS) {
        start = start_of(0, process->session);
        if (!start) start = last_host();
    }
    if (start) memory->owner = (int)(start - run->starts);
    else if (parent) memory->owner = parent->memory.owner;
    memory->is_below_other |= parent && (parent->memory.is_below_other || !strcmp(parent->name, LAUNCHER));
    struct seen *seen = &run->starts[memory->owner].seen;
    seen->has_just_ended |= process->is_ours && process->is_dead && !memory->was_dead;
    if (!process->is_ours || process->is_dead) return;
    seen->left++;
    seen->ranks += process->part != CARRIER;
    seen->wrappers += process->is_wrapper;
}

/* Looks at all processes, also zombies, which tell the start of their children. The memory of a known process stays. */
void processes_look(void) {
    struct rlimit most = {run->files.rlim_max, run->files.rlim_max};
    if (!directory) return;
    setrlimit(RLIMIT_NOFILE, &most); /* another process may have lowered it */
    if (spare >= 0) close(spare);
    processes = NULL;
    round++;
    rewinddir(directory);
    for (struct dirent *entry; (entry = readdir(directory));) look_at(atoi(entry->d_name));
    spare = open("/dev/null", O_RDONLY | O_CLOEXEC);
    for (int i = 0; i < run->most; i++) run->starts[i].seen = (struct seen){0};
    for (struct process *process = processes; process; process = process->next) resolve(process, 0);
    can_see = process_find(getpid()) != NULL;
}

void processes_open(void) {
    directory = opendir("/proc");
    spare = open("/dev/null", O_RDONLY | O_CLOEXEC);
    look_at(getpid());
    can_see = processes != NULL;
}

/* A suspended process handles the signal only after SIGCONT. */
void process_signal(pid_t pid, int number) {
    kill(pid, number);
    kill(pid, SIGCONT);
}
