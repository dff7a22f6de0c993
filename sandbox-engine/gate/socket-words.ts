// What the gate's programs need of Perl's Socket, Errno, Config and File::Glob, for Linux alone. Text only. Loading those modules took longer
// than all else that a gate does until it has proven itself, and a launch waits for that.
// Source: Linux include/uapi (socket.h, in.h, un.h, errno.h, elf-em.h); perlfunc.
import { gateFolder } from './capture-files.ts';

/** A program loads them by this line, once also where it is run inside another one. */
export const loadSocketWords = `BEGIN { require '${gateFolder}/socket-words.pl' }`;

export const socketWords = String.raw`
use strict;
sub AF_UNIX () { 1 } sub AF_INET () { 2 } sub SOCK_STREAM () { 1 } sub SOCK_DGRAM () { 2 }
sub SOL_SOCKET () { 1 } sub SO_REUSEADDR () { 2 } sub MSG_DONTWAIT () { 64 }
sub EINTR () { 4 } sub EAGAIN () { 11 } sub EADDRINUSE () { 98 } sub ETIMEDOUT () { 110 } sub EINPROGRESS () { 115 }
sub inet_aton { pack 'C4', split /\./, $_[0] }
sub inet_ntoa { join '.', unpack 'C4', $_[0] }
sub sockaddr_in { @_ == 2 ? pack 'S n a4 x8', AF_INET, @_ : (unpack 'S n a4', $_[0])[1, 2] }
sub sockaddr_un { pack 'S Z*', AF_UNIX, $_[0] }
sub names_in { opendir(my $folder, $_[0]) or return; map { "$_[0]/$_" } grep { !/^\./ } readdir $folder }

# The number of sendmsg on the processor that this very Perl was made for.
sub sendmsg_number {
  open(my $own, '<:raw', '/proc/self/exe') or return;
  read($own, my $elf, 20) == 20 or return;
  return { 62 => 46, 183 => 211, 243 => 211, 258 => 211 }->{unpack 'x18 v', $elf};
}
1;
`;
