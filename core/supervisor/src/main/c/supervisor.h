/* The records between the supervisor and the JVM, over one Unix stream socket (the JVM's descriptor 0).
 *
 * A record has fields. A zero byte follows each field, and one more the last. The first field is the kind; the others are KEY=VALUE.
 * Numbers are decimal, times are nanoseconds of CLOCK_MONOTONIC, graces milliseconds. A kind that does not exist is an error, and ends the
 * connection. A key with * may come several times, a key with ? may be missing. The JVM chooses ids above 0, and uses each once.
 *
 * Orders, from the JVM:
 *   ready version                     the first record
 *   start id dir arg* set* unset* out err? drain? input? wrapper? host? waits? note?
 *                                     starts a process as leader of a session; set (NAME=VALUE) and unset change the caller's environment; out and
 *                                     err are numbers of the JVM's descriptors, -1 for nothing, or paths of Unix sockets; drain is the read
 *                                     end of out; input is 1 for the caller's, or such a number; wrapper: the leader's name while it only waits, * always;
 *                                     host: it hosts ranks, each in --rank-of-host; waits: ranks of other nodes too; note: a file, made when a stop begins
 *   signal id number ranks? group?    to the leader, to the ranks that it hosts, or to its process group
 *   stop sequence grace all? only*    ends these ids, or all, with their descendants; the grace counts from now. all: SIGTERM to all at once
 *   verdict code                      the launcher ends with this exit code
 *   name text?                        the plugin whose code runs in the JVM
 *   settings grace code lost? all? dir? log?
 *                                     for a dead JVM: code: exit code after SIGTERM; lost: after the death of outer or inner; dir is removed; log gets why
 *   socket text                       the path of the JVM's socket, which is removed at the end
 *   lock file                         locks that file, which is removed at the end
 *   taken                             the JVM carries out the stop
 *   release id                        the host's ranks on other nodes have ended
 *   caught number grace?              the JVM itself got a signal, or a stop at its socket
 *
 * Events, to the JVM:
 *   hello version arg* env* dir pid terminal
 *                                     dir is empty if it was deleted
 *   started id pid
 *   failed id error text              errno, negative for the directory, and its text; the last event of this id
 *   ended id status memory user system time
 *                                     status as in wait(2); memory in KiB; user and system in microseconds; in the order of the ends
 *   leftBehind pid id text            a process that is now stopped; id is the start that left it behind, 0: unknown
 *   signal number
 *   killing sequence id count         the grace is over
 *   remains sequence pid text         the process still exists ten seconds after SIGKILL
 *   stopped sequence
 *   hostedEnded id                    in a stop no rank of a host runs any more on this node
 *   locked; busy
 */
#ifndef MUSTER_SUPERVISOR_H
#define MUSTER_SUPERVISOR_H

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <glob.h>
#include <libgen.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define VERSION 1
#define NO_FILES "no more files can be opened here: a limit is reached (ulimit -n)"
#define NO_PROCESSES "no process can be made here: a limit is reached (ulimit -u, or pids.max of the container)"

struct buffer {
    char *bytes;
    size_t begin, end;
    bool is_broken; /* out of memory, or the bytes are no record */
};

/* A record of the JVM, in place in the buffer: its kind, and the fields after it. Valid until bytes are added to the buffer. */
struct order {
    char *kind;
    const char *end;
};

void buffer_add(struct buffer *buffer, const void *bytes, size_t length);
bool order_read(struct buffer *buffer, struct order *order);
const char *order_text(const struct order *order, const char *key);
int64_t order_number(const struct order *order, const char *key);
char *order_next(const struct order *order, const char *key, char *value);

#define MOST_STARTS 16384
#define STRAYS 0 /* the first place is for processes of no known start */
#define NEVER INT64_MAX
#define SECOND INT64_C(1000000000)
#define MILLISECOND INT64_C(1000000)

struct start {
    int64_t id; /* 0: this place is free */
    pid_t pid;
    bool is_host, waits_for_others, has_ended, is_told, are_ranks_gone;
    int64_t stop; /* the number of the stop in progress; 0: none */
    int64_t spread_at, kill_at, killed_at;
    int end, drain; /* descriptors of inner: the pidfd, and the read end of its output, which the JVM reads; 0: none */
    int refusal;    /* why its program did not start: an errno that the new process wrote here, negative for its directory */
    char note[256], wrapper[16];
    struct seen { /* counts of the last look */
        int left, ranks, wrappers;
        bool has_just_ended; /* one of them ended: its newest children may have missed that look */
    } seen;
};

/* The state of a launcher, in memory that outer and inner share. */
struct run {
    pid_t outer, inner, jvm;
    int64_t grace, lost_bytes;
    int code, jvm_status, code_after_term, code_when_lost, stop_signal; /* the first that asked to stop; 0: none */
    bool stops_all_at_once, has_own_java, is_attached, is_outer_gone, is_inner_gone, has_strangers, has_begun, has_verdict;
    sigset_t mask, ignored; /* the caller's, for started processes */
    struct rlimit files;
    char package[4096], callers_directory[4096], lock_path[256], socket_path[256], plugin[256] /* whose code runs in the JVM */, directory[4096], termination_log[4096];
    int most; /* places in use are below it */
    struct start starts[MOST_STARTS + 1 /* for one too many */];
};

/* The descendants of a host: processes that carry its ranks, the ranks, and descendants of ranks. */
enum part { CARRIER, RANK, OF_RANK };

/* A process in /proc. */
struct process {
    pid_t pid, parent, group, session;
    uint64_t born;
    enum part part;
    bool is_dead, is_ours, is_resolved, is_wrapper;
    char name[17];
    int round; /* when it was last seen */
    struct process *next, *next_in_list;
    struct memory { /* kept between looks */
        int owner; /* place in run.starts */
        bool is_known, was_dead, is_told, is_killed, is_late /* its parent had SIGTERM before */, is_below_other /* launcher */;
    } memory;
};

extern struct run *run;

/* main.c */
int64_t now(void);
void say(int code, const char *format, ...) __attribute__((format(printf, 2, 3)));
#define leave(code, ...) (say(code, __VA_ARGS__), exit(code))

/* processes.c */
extern bool can_see;
extern struct process *processes; /* of the last look, also zombies */
void processes_open(void);
void processes_look(void);
bool process_ignores(pid_t pid, int number);
struct process *process_find(pid_t pid);
bool process_is_of(const struct process *process, const struct start *start);
bool is_group_ours(pid_t group);
void process_signal(pid_t pid, int number);

/* stop.c */
struct start *start_of(int64_t id, pid_t pid);
void stop(const struct order *order, int64_t grace);
void stop_signal(struct start *start, int number, bool is_for_ranks, bool is_for_group);
int64_t stop_step(bool has_changed);
bool stop_is_on(void);

/* inner.c */
extern bool is_jvm_there;
_Noreturn void inner_main(int signals, const char *attached, char **arguments);
_Noreturn void take_over(int signals);
void watch(int file, struct start *start, unsigned events);
void tell(const char *text, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* ending.c */
const char *signal_name(int number);
_Noreturn void end_launcher(void);

/* start.c */
int connect_to(const char *path);
bool start_process(const struct order *order);
int jvm_start(void);
_Noreturn void become_jvm(char **arguments);
void jvm_explain(int status);

/* rank.c */
#define LAUNCHER "muster"
#define WRAPPER "muster-rank"
#define LEFT_WRAPPER "muster-left" /* its rank has ended */
int rank_of_host(char **command);

#endif
