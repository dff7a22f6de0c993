// The program that says at which TCP ports the sandbox's network is listened at, and by whom. It says so once, or whenever it changes.
// It runs in Perl, which the runtime layer has in every base.

/**
 * Argument: seconds between looks, or 0 for one look. It begins as root, which may not look into the processes of others without a right that
 * sandboxes lack: so a child looks as each user. It ends with its input.
 */
export const portWatchProgram = String.raw`
use strict; use POSIX ();
my $pause = shift; $0 = 'sandlot-ports'; $SIG{PIPE} = 'DEFAULT'; $| = 1;
my (%owners, $before);

sub look_as {
  my ($user, %wanted) = @_;
  POSIX::setgid($user) if $user; POSIX::setuid($user) if $user;
  opendir(my $all, '/proc') or return;
  for my $id (grep { /^\d+$/ } readdir $all) {
    opendir(my $files, "/proc/$id/fd") or next;
    for my $number (readdir $files) {
      my $link = readlink("/proc/$id/fd/$number") or next;
      my ($inode) = $link =~ /^socket:\[(\d+)\]$/ or next;
      delete $wanted{$inode} or next;
      my ($name, $command) = ('', '');
      if (open my $file, '<', "/proc/$id/comm") { sysread $file, $name, 60 }
      if (open my $file, '<', "/proc/$id/cmdline") { sysread $file, $command, 300 }
      $name =~ s/\n$//; $command =~ tr/\0/ /;
      print "$inode:" . unpack('H*', $name) . ':' . unpack('H*', $command) . "\n";
    }
    last unless %wanted;
  }
}
sub find_owners {
  my ($user, @inodes) = @_;
  my $pid = open(my $child, '-|'); defined $pid or return;
  if (!$pid) { look_as($user, map { $_ => 1 } @inodes); POSIX::_exit(0) if close STDOUT; POSIX::_exit(0) }
  while (my $line = readline $child) { chomp $line; my ($inode, $rest) = split /:/, $line, 2; $owners{$inode} = $rest }
  close $child;
}
sub look {
  my (@found, %unknown, %there);
  for my $table ('tcp', 'tcp6') {
    open(my $lines, '<', "/proc/net/$table") or next;
    while (my $line = readline $lines) {
      my @words = split ' ', $line;
      next unless @words > 9 && $words[3] eq '0A';
      last if @found >= 500;
      push @found, [@words[1, 7, 9]]; $there{$words[9]} = 1;
      push @{$unknown{$words[7]}}, $words[9] unless exists $owners{$words[9]};
    }
  }
  delete @owners{grep { !$there{$_} } keys %owners};
  for my $user (keys %unknown) { find_owners($user, @{$unknown{$user}}); $owners{$_} //= ':' for @{$unknown{$user}} }
  return join ' ', sort map { "$_->[0]:$_->[1]:" . $owners{$_->[2]} } @found;
}
for (;;) {
  my $now = look();
  print "$now\n" if !defined $before || $now ne $before;
  $before = $now;
  exit 0 unless $pause;
  my $ready = ''; vec($ready, 0, 1) = 1;
  if (select($ready, undef, undef, $pause) > 0) { exit 0 unless sysread STDIN, my $word, 64 }
}
`;
