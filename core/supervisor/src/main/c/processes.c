/* Looks at /proc: which processes descend from this one, and from which of those that it has started. */
#include "supervisor.h"

struct table {
    struct process *all;
    int count, room;
};

bool can_see;

static DIR *directory;
static int spare = -1; /* given back for a look, where no descriptor is free */
static char own_name[17];
static struct table present, before;

static bool read_file(pid_t pid, const char *name, char *text, size_t room) {
    char path[32];
    snprintf(path, sizeof path, "%d/%s", pid, name);
    int file = directory ? openat(dirfd(directory), path, O_RDONLY | O_CLOEXEC) : -1;
    ssize_t length = file < 0 ? 0 : read(file, text, room - 1);
    if (file >= 0) close(file);
    text[length > 0 ? length : 0] = 0;
    return length > 0;
}

/* False when there is none. "PID (NAME) STATE PARENT GROUP SESSION ... THREADS ... BORN": the name may hold anything. */
static bool read_process(pid_t pid, struct process *process) {
    char text[1024], state = 0;
    int threads = 0;
    unsigned long long born = 0;
    *process = (struct process){.pid = pid};
    if (!read_file(pid, "stat", text, sizeof text)) return false;
    char *open = strchr(text, '('), *close = strrchr(text, ')');
    if (!open || !close) return false;
    snprintf(process->name, sizeof process->name, "%.*s", (int)(close - open - 1), open + 1);
    int count = sscanf(close + 2, "%c %d %d %d %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %d %*s %llu", &state,
        &process->parent, &process->group, &process->session, &threads, &born);
    process->born = born;
    /* Its first thread may have ended before the others. */
    process->is_dead = state == 'X' || (state == 'Z' && threads <= 1);
    return count == 6;
}

void processes_open(void) {
    struct process self;
    directory = opendir("/proc");
    spare = open("/dev/null", O_RDONLY | O_CLOEXEC);
    can_see = read_process(getpid(), &self);
    memcpy(own_name, self.name, sizeof own_name);
}

bool process_ignores(pid_t pid, int number) {
    char text[2048];
    char *at = read_file(pid, "status", text, sizeof text) ? strstr(text, "SigIgn:") : NULL;
    return at && (strtoull(at + 7, NULL, 16) >> (number - 1) & 1);
}

static int by_pid(const void *one, const void *other) {
    pid_t a = ((const struct process *)one)->pid, b = ((const struct process *)other)->pid;
    return (a > b) - (a < b);
}

static struct process *find(struct table *table, pid_t pid) {
    struct process wanted = {.pid = pid};
    return table->count ? bsearch(&wanted, table->all, (size_t)table->count, sizeof wanted, by_pid) : NULL;
}

struct process *process_find(pid_t pid) {
    return find(&present, pid);
}

/* Whether one has ended since the last look: what it has started may have come too late for this one. */
bool has_just_ended(const struct start *start) {
    for (int i = 0; i < present.count; i++) {
        const struct process *process = &present.all[i];
        if (process->is_ours && process->is_dead && !process->memory.was_dead && process->memory.owner == start - run->starts) return true;
    }
    return false;
}

/* The next process that a start has, itself included. */
struct process *process_of(const struct start *start, struct process *after) {
    struct process *end = present.all + present.count;
    for (struct process *process = after ? after + 1 : present.all; process < end; process++)
        if (process->is_ours && !process->is_dead && process->memory.owner == start - run->starts) return process;
    return NULL;
}

/* Whether nobody else is in a process group: its number may be another one's by now. Without /proc there is no better guess. */
bool is_group_ours(pid_t group) {
    for (int i = 0; i < present.count; i++)
        if (present.all[i].group == group && !present.all[i].is_ours) return false;
    return group > 1;
}

static void add(const struct process *process) {
    if (present.count == present.room) {
        int room = present.room ? 2 * present.room : 512;
        struct process *all = realloc(present.all, (size_t)room * sizeof *all);
        if (!all) return;
        present.all = all;
        present.room = room;
    }
    present.all[present.count++] = *process;
}

/* The daemons of mpirun have sessions of their own: what belongs to nobody known is below the host of ranks, where there is one. */
static struct start *last_host(void) {
    struct start *last = NULL;
    for (int i = 1; i < run->most; i++)
        if (run->starts[i].id && run->starts[i].is_host && (!last || run->starts[i].id > last->id)) last = &run->starts[i];
    return run->is_inner_gone && run->has_strangers ? NULL : last;
}

/* Whoever descends from us is ours, but for the JVM. Whose it is its parent tells; of those that we have inherited the session or group. */
static void resolve(struct process *process, int depth) {
    struct process *parent = process_find(process->parent);
    struct memory *memory = &process->memory;
    if (process->is_resolved || process->pid == getpid() || process->pid == run->outer || process->pid == run->jvm) return;
    process->is_resolved = true;
    bool is_child = process->parent == getpid(), is_of_jvm = process->parent == run->jvm && !run->is_attached;
    if (is_child || !parent || depth > 4096) parent = NULL;
    else resolve(parent, depth + 1);
    if (parent && !parent->is_ours) parent = NULL;
    process->is_ours = is_child || is_of_jvm || parent;
    if (!memory->is_known) memory->is_late = parent && (parent->memory.is_told || parent->memory.is_late);
    struct start *start = start_of(0, process->pid);
    if (!start && is_child && memory->owner == STRAYS) {
        start = start_of(0, process->session);
        if (!start) start = start_of(0, process->group);
        if (!start) start = last_host();
    }
    if (start) memory->owner = (int)(start - run->starts);
    else if (parent) memory->owner = parent->memory.owner;
    memory->is_below_other |= parent && (parent->memory.is_below_other || !strcmp(parent->name, own_name));
}

/* Looks at all processes, the dead ones too: they tell whose those are that they have started. What was known of one stays known. */
void processes_look(void) {
    struct table swap = before;
    struct process process;
    if (!directory) return;
    before = present;
    present = swap;
    present.count = 0;
    struct rlimit most = {caller.files.rlim_max, caller.files.rlim_max}; /* somebody may have lowered it */
    setrlimit(RLIMIT_NOFILE, &most);
    if (spare >= 0) close(spare);
    rewinddir(directory);
    for (struct dirent *entry; (entry = readdir(directory));) {
        if (entry->d_name[0] < '1' || entry->d_name[0] > '9' || !read_process(atoi(entry->d_name), &process)) continue;
        struct process *known = find(&before, process.pid);
        if (known && known->born == process.born) {
            process.memory = known->memory;
            process.memory.is_known = true;
            process.memory.was_dead = known->is_dead;
        }
        add(&process);
    }
    spare = open("/dev/null", O_RDONLY | O_CLOEXEC);
    qsort(present.all, (size_t)present.count, sizeof *present.all, by_pid);
    for (int i = 0; i < present.count; i++) resolve(&present.all[i], 0);
    can_see = process_find(getpid()) != NULL;
}

/* Whoever stands still obeys only when it goes on. */
void process_signal(pid_t pid, int number) {
    kill(pid, number);
    if (number != SIGKILL && number != SIGSTOP && number != SIGCONT) kill(pid, SIGCONT);
}
