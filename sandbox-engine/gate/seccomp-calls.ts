// The system calls that a restricted sandbox and its gate may make, by what they are for. What is not named here is refused.
// Source: Linux, include/uapi/asm-generic/unistd.h and the tables of x86_64 and arm64, up to 6.18; what needs CAP_SYS_ADMIN, CAP_SYS_TIME
// or CAP_SYS_RAWIO anyway is left out, because no restricted sandbox has them.

const words = (text: string): string[] => text.trim().split(/\s+/);

const files = words(`
  access cachestat chdir chmod chown close close_range copy_file_range creat dup dup2 dup3 faccessat faccessat2 fadvise64 fadvise64_64
  fallocate fchdir fchmod fchmodat fchmodat2 fchown fchownat fcntl fdatasync fgetxattr file_getattr file_setattr flistxattr flock
  fremovexattr fsetxattr fstat fstatfs fsync ftruncate futimesat getcwd getdents getdents64 getxattr getxattrat inotify_add_watch
  inotify_init inotify_init1 inotify_rm_watch fanotify_mark ioctl lchown lgetxattr link linkat listxattr listxattrat llistxattr
  lremovexattr lseek lsetxattr lstat mkdir mkdirat mknod mknodat name_to_handle_at newfstatat open openat openat2 pread64 preadv preadv2
  pwrite64 pwritev pwritev2 read readahead readlink readlinkat readv removexattr removexattrat rename renameat renameat2 rmdir sendfile
  setxattr setxattrat splice stat statfs statx symlink symlinkat sync sync_file_range sync_file_range2 syncfs tee truncate umask unlink
  unlinkat utime utimensat utimes vmsplice write writev chroot listmount statmount
`);

const waiting = words(`
  epoll_create epoll_create1 epoll_ctl epoll_ctl_old epoll_pwait epoll_pwait2 epoll_wait epoll_wait_old eventfd eventfd2 io_cancel
  io_destroy io_getevents io_pgetevents io_setup io_submit pipe pipe2 poll ppoll pselect6 select signalfd signalfd4
`);

const memory = words(`
  brk madvise map_shadow_stack membarrier memfd_create memfd_secret mincore mlock mlock2 mlockall mmap mprotect mremap mseal msync munlock
  munlockall munmap pkey_alloc pkey_free pkey_mprotect process_madvise process_mrelease remap_file_pages
`);

// Which namespaces `clone` and `unshare` may make is a rule of the profile; `clone3` hides its flags from a filter.
const processes = words(`
  arch_prctl capget capset execve execveat exit exit_group fork get_robust_list get_thread_area getcpu getegid geteuid getgid getgroups
  getpgid getpgrp getpid getppid getpriority getresgid getresuid getrlimit getrusage getsid gettid getuid ioprio_get ioprio_set kcmp
  landlock_add_rule landlock_create_ruleset landlock_restrict_self lsm_get_self_attr lsm_list_modules modify_ldt pidfd_getfd pidfd_open
  prctl prlimit64 process_vm_readv process_vm_writev ptrace rseq sched_get_priority_max sched_get_priority_min sched_getaffinity
  sched_getattr sched_getparam sched_getscheduler sched_rr_get_interval sched_setaffinity sched_setattr sched_setparam sched_setscheduler
  sched_yield seccomp set_robust_list set_thread_area set_tid_address setfsgid setfsuid setgid setgroups setpgid setpriority setregid
  setresgid setresuid setreuid setrlimit setsid setuid sysinfo times uname vfork wait4 waitid
`);

const signals = words(`
  kill pause pidfd_send_signal restart_syscall rt_sigaction rt_sigpending rt_sigprocmask rt_sigqueueinfo rt_sigreturn rt_sigsuspend
  rt_sigtimedwait rt_tgsigqueueinfo sigaltstack tgkill tkill
`);

const times = words(`
  adjtimex alarm clock_adjtime clock_getres clock_gettime clock_nanosleep getitimer gettimeofday nanosleep setitimer time timer_create
  timer_delete timer_getoverrun timer_gettime timer_settime timerfd_create timerfd_gettime timerfd_settime
`);

const between = words(`
  futex futex_requeue futex_wait futex_waitv futex_wake mq_getsetattr mq_notify mq_open mq_timedreceive mq_timedsend mq_unlink msgctl
  msgget msgrcv msgsnd semctl semget semop semtimedop shmat shmctl shmdt shmget getrandom
`);

// `socket` and `socketpair` make them, by rules of the profile; these use what was made.
const sockets = words(`
  accept accept4 bind connect getpeername getsockname getsockopt listen recvfrom recvmmsg recvmsg sendmmsg sendmsg sendto setsockopt
  shutdown
`);

/** Calls that are allowed whatever their arguments are. */
export const openCalls: readonly string[] = [...files, ...waiting, ...memory, ...processes, ...signals, ...times, ...between, ...sockets];
