/* confine.c  Limits the resources and system calls of a judging process. Source: seccomp(2) */
#include "confine.h"

#include "../base/sanitizer.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <stddef.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

/* --- Memory and time --- */

static unsigned stepTime; /* s */

void ksiLimitsInit(ksiLimits *limits)
{
    const long pages = sysconf(_SC_PHYS_PAGES), bytes = sysconf(_SC_PAGESIZE);
    *limits = (ksiLimits){.memory = pages > 0 ? (uint64_t)pages * (uint64_t)bytes / 4 * 3 : UINT64_MAX, .time = 600};
}

static rlim_t lesser(rlim_t a, rlim_t b)
{
    return a < b ? a : b;
}

/* The kernel sends SIGXCPU to a process beyond the limit. */
void ksiRenewTime(void)
{
    struct timespec used;
    struct rlimit limit;
    if (stepTime == 0 || clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used) || getrlimit(RLIMIT_CPU, &limit))
        return;
    const rlim_t until = (rlim_t)used.tv_sec + stepTime + 1;
    limit.rlim_cur = lesser(until, limit.rlim_max);
    (void)!setrlimit(RLIMIT_CPU, &limit);
}

void ksiLimitProcess(const ksiLimits *limits)
{
    struct rlimit limit = {0, 0};
    (void)!setrlimit(RLIMIT_CORE, &limit);
#ifndef KSI_SANITIZED
    if (!getrlimit(RLIMIT_DATA, &limit)) {
        limit.rlim_cur = lesser(limit.rlim_cur, limits->memory);
        (void)!setrlimit(RLIMIT_DATA, &limit);
    }
#endif
    stepTime = limits->time;
    ksiRenewTime();
}

/* --- System calls --- */

#if defined __x86_64__
#define MACHINE AUDIT_ARCH_X86_64
#elif defined __aarch64__
#define MACHINE AUDIT_ARCH_AARCH64
#endif

#if defined MACHINE && !defined KSI_SANITIZED

#define LOAD(member) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, member))
#define ARGUMENT(i) LOAD(args[i]) /* the lower half: all supported machines are little-endian */
#define RETURN(value) BPF_STMT(BPF_RET | BPF_K, value)
#define REFUSE(error) RETURN(SECCOMP_RET_ERRNO | (error))
#define ALLOW RETURN(SECCOMP_RET_ALLOW)
#define UNLESS(value, skip) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, value, 0, skip)
#define NEVER(call) UNLESS(SYS_##call, 1), REFUSE(EPERM)
/* WITHOUT refuses a call if the argument has any of these flags, WITH unless it has this flag, ONLY
 * unless it has this value. */
#define WITHOUT(call, i, flags)                                                                                        \
    UNLESS(SYS_##call, 4), ARGUMENT(i), BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, flags, 0, 1), REFUSE(EPERM), ALLOW
#define WITH(call, i, flag)                                                                                            \
    UNLESS(SYS_##call, 4), ARGUMENT(i), BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, flag, 1, 0), REFUSE(EPERM), ALLOW
#define ONLY(call, i, value) UNLESS(SYS_##call, 4), ARGUMENT(i), UNLESS(value, 1), ALLOW, REFUSE(EPERM)

/* A build that counts branches writes its counters at the end: see ksiLeave. */
#ifdef KSI_COUNT_BRANCHES
enum { MAKING = 0, WRITING = 0 };
#else
enum { MAKING = O_CREAT | O_TRUNC, WRITING = O_WRONLY | O_RDWR | MAKING };
#endif

void ksiConfineProcess(const ksiLimits *limits, bool mayFork)
{
    const unsigned refused = limits->mayReopen ? MAKING : WRITING;
    struct sock_filter code[] = {
        LOAD(arch), BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, MACHINE, 1, 0), REFUSE(EPERM), LOAD(nr),
#ifdef __x86_64__
        // an x32 system call number: another way to make the same call
        BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, 0x40000000, 0, 1), REFUSE(EPERM), WITHOUT(open, 1, refused), NEVER(creat),
        NEVER(fork), NEVER(vfork), NEVER(unlink), NEVER(rename), NEVER(link), NEVER(symlink), NEVER(mkdir),
        NEVER(rmdir), NEVER(mknod), NEVER(chmod), NEVER(chown), NEVER(lchown),
#endif
        WITHOUT(openat, 2, refused), WITH(clone, 0, mayFork ? UINT32_MAX : CLONE_THREAD),
        ONLY(tgkill, 0, (unsigned)getpid()),
    // the C library then falls back to older calls
#ifdef SYS_clone3
        UNLESS(SYS_clone3, 1), REFUSE(ENOSYS),
#endif
#ifdef SYS_openat2
        UNLESS(SYS_openat2, 1), REFUSE(ENOSYS),
#endif
#ifdef SYS_io_uring_setup
        NEVER(io_uring_setup),
#endif
#ifdef SYS_pidfd_getfd
        NEVER(pidfd_getfd), NEVER(pidfd_send_signal),
#endif
        NEVER(execve), NEVER(execveat), NEVER(ptrace), NEVER(process_vm_readv), NEVER(process_vm_writev), NEVER(kill),
        NEVER(tkill), NEVER(rt_sigqueueinfo), NEVER(rt_tgsigqueueinfo), NEVER(socket), NEVER(socketpair),
        NEVER(connect), NEVER(bind), NEVER(unlinkat), NEVER(renameat), NEVER(renameat2), NEVER(linkat),
        NEVER(symlinkat), NEVER(mkdirat), NEVER(mknodat), NEVER(fchmod), NEVER(fchmodat), NEVER(fchown),
        NEVER(fchownat), NEVER(truncate), NEVER(setxattr), NEVER(fsetxattr), NEVER(mount), NEVER(umount2),
        NEVER(chroot), NEVER(unshare), NEVER(setns), NEVER(bpf), NEVER(perf_event_open), NEVER(add_key),
        NEVER(request_key), NEVER(keyctl), NEVER(open_by_handle_at), NEVER(userfaultfd), ALLOW};
    const struct sock_fprog program = {.len = sizeof code / sizeof *code, .filter = code};
    if (!prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0))
        (void)!prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program);
}

#else

void ksiConfineProcess(const ksiLimits *limits, bool mayFork)
{
    (void)limits, (void)mayFork;
}

#endif

/* --- The end --- */

#ifdef KSI_COUNT_BRANCHES
void __gcov_dump(void);
#endif

void ksiSaveCounters(void)
{
#ifdef KSI_COUNT_BRANCHES
    __gcov_dump();
#endif
}

_Noreturn void ksiLeave(int status)
{
    ksiSaveCounters();
    _exit(status);
}
