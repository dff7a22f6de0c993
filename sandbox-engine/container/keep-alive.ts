// The first process of every sandbox: it waits, and nothing inside can end it.

/**
 * Perl, because perl-base is essential in Debian. Without a handler the kernel keeps signals from inside away from process 1, so that
 * `pkill sleep` or `kill -9 -1` in a sandbox ends its own processes only; orphans are reaped by the kernel. From outside, a stop is a
 * kill after the container's stop timeout: set a short one.
 */
export const keepAlive = ['/usr/bin/perl', '-e', "$0 = 'sandlot-hold'; $SIG{CHLD} = 'IGNORE'; sleep 86400 while 1"];

/** What the first process calls itself. */
export const keepAliveName = 'sandlot-hold';
