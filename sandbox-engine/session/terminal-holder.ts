// The two programs that keep a terminal's shell inside the sandbox. The holder is what the first connection starts: it has the shell's PTY
// and lives on without a connection; the client joins a later one to it. Both run in Perl, which the runtime layer has in every base.
// To the holder come frames (terminal-frames.ts). From it comes what the shell prints; to a client first a line that counts what was dropped.
// While nobody is connected the newest output is kept, up to a limit: an old connection that nobody reads must not stop the shell.
// Source: pty(7), ioctl_tty(2) for the numbers, which are the same on x86, ARM, RISC-V and S/390.

/** Output that waits for the next connection, in bytes; what is older is dropped, up to the end of a line. */
const keptWhileAway = 1_048_576;

/** Arguments: the terminal's folder, columns, rows, where the shell begins, and whether that is to be made. Ends with the shell's exit code, which it also leaves as `code`, the last output as `kept`. */
export const holderProgram = String.raw`
use strict; use Errno; use Fcntl; use POSIX (); use Socket;
my ($folder, $cols, $rows, $place, $comes) = @ARGV; $0 = 'sandlot-terminal'; $SIG{PIPE} = 'IGNORE';
my ($in, $out) = (\*STDIN, \*STDOUT);
my ($typed, $frames, $shown, $dropped, $isOver) = ('', '', '', 0, 0);
sub broke { my $why = shift; print STDERR "Sandlot could not open a terminal: $why: $!\r\n"; exit 126 }
sub unblock { fcntl($_[0], F_SETFL, fcntl($_[0], F_GETFL, 0) | O_NONBLOCK) }
sub passes { $!{EAGAIN} || $!{EINTR} }

sysopen(my $pty, '/dev/ptmx', O_RDWR | O_NOCTTY) or broke('/dev/ptmx');
my $number = pack 'i', 0;
ioctl($pty, 0x40045431, $number) && ioctl($pty, 0x80045430, $number) or broke('ptmx');
my $name = '/dev/pts/' . unpack('i', $number);
sub size { my $size = pack 'S4', $_[1], $_[0], 0, 0; ioctl($pty, 0x5414, $size) }
size($cols, $rows);
$SIG{CHLD} = sub { $isOver = 1 };
my $pid = fork; defined $pid or broke('fork');
if (!$pid) {
  $SIG{$_} = 'DEFAULT' for 'PIPE', 'CHLD'; POSIX::setsid();
  open(my $tty, '+<', $name) or broke($name);
  POSIX::dup2(fileno($tty), $_) for 0 .. 2;
  if ($comes) { my $at = ''; for (grep { length } split m{/}, $place) { $at .= "/$_"; mkdir $at } }
  chdir $place;
  # Each command is written down at once, with its time, so that it can be taken into the recipe.
  $ENV{PROMPT_COMMAND} //= 'history -a'; $ENV{HISTTIMEFORMAT} //= '';
  exec { 'bash' } 'bash', '-l' or broke('bash');
}
my $door; my %knocking;
if (mkdir $folder, 0700) {
  socket($door, PF_UNIX, SOCK_STREAM, 0) && bind($door, sockaddr_un("$folder/tty")) && listen($door, 8) or undef $door;
}
unblock($_) for $pty, $in, $out;

# Nobody is connected any more, or another is.
sub leave { close $in; close $out; ($in, $out, $frames) = (undef, undef, '') }
sub join_in { leave() if $in; $in = $out = $_[0]; $shown = "$dropped\n$shown"; $dropped = 0 }
sub keep {
  my $extra = length($shown) - ${keptWhileAway};
  return if $out || $extra <= 0;
  my $end = index($shown, "\n", $extra - 1); $extra = $end + 1 if $end >= 0;
  $dropped += $extra; substr($shown, 0, $extra, '');
}
sub hear {
  while (length($frames) >= 3) {
    my ($kind, $length) = unpack 'Cn', $frames;
    last if length($frames) < 3 + $length;
    my $told = substr($frames, 3, $length); substr($frames, 0, 3 + $length, '');
    if ($kind) { size(unpack 'n2', $told) } else { $typed .= $told }
  }
}
sub take { my $count = sysread($pty, $shown, 65536, length $shown); keep() if $count; $count }
sub show { my $count = syswrite($out, $shown); if (defined $count) { substr($shown, 0, $count, '') } elsif (!passes()) { leave() } }
sub type { my $count = syswrite($pty, $typed); if (defined $count) { substr($typed, 0, $count, '') } elsif (!passes()) { $typed = '' } }
sub listen_in { my $count = sysread($in, $frames, 65536, length $frames); if ($count) { hear() } elsif (defined $count || !passes()) { leave() } }
sub greet { accept(my $guest, $door) or return; unblock($guest); $knocking{fileno $guest} = $guest }
# Who only looks whether somebody is here says nothing.
sub open_to { my $guest = delete $knocking{$_[0]}; join_in($guest) if sysread($guest, my $word, 1) }

sub wait_and_serve {
  my ($reads, $writes) = ('', '');
  vec($reads, fileno $pty, 1) = 1 if !$out || length($shown) < 65536;
  vec($reads, fileno $in, 1) = 1 if $in && length($typed) < 65536;
  vec($reads, $_, 1) = 1 for ($door ? fileno $door : ()), keys %knocking;
  vec($writes, fileno $pty, 1) = 1 if length $typed;
  vec($writes, fileno $out, 1) = 1 if $out && length $shown;
  # The shell's end interrupts it, but for the moment before it begins.
  return if select($reads, $writes, undef, 5) < 1;
  if (vec($reads, fileno $pty, 1) && !take() && !passes()) { $isOver = 1 }
  show() if $out && length $shown;
  if ($in && vec($reads, fileno $in, 1)) { listen_in() }
  type() if length $typed;
  for (keys %knocking) { open_to($_) if vec($reads, $_, 1) }
  greet() if $door && vec($reads, fileno $door, 1);
}
wait_and_serve() until $isOver;
waitpid($pid, 0); my $code = $? & 127 ? 128 + ($? & 127) : $? >> 8;
# What it left running may go on printing.
for (1 .. 64) { last unless take() }
sub leave_behind {
  my ($what, $text) = @_;
  open(my $file, '>', "$folder/$what.part") or return;
  print($file $text) && close($file) && rename("$folder/$what.part", "$folder/$what");
}
my $deadline = time + 5;
while ($out && length $shown && time < $deadline) { my $writes = ''; vec($writes, fileno $out, 1) = 1; select(undef, $writes, undef, 1); show() }
if ($door) { leave_behind('kept', "$dropped\n$shown") if !$out; leave_behind('code', "$code\n") }
exit $code;
`;

/** Argument: the terminal's folder. Joins its own input and output to the holder there, until either has ended. */
export const clientProgram = String.raw`
use strict; use Socket;
$0 = 'sandlot-terminal'; $SIG{PIPE} = 'IGNORE';
my $holder; socket($holder, PF_UNIX, SOCK_STREAM, 0) && connect($holder, sockaddr_un("$ARGV[0]/tty")) or exit 1;
sub pass {
  my ($from, $to) = @_;
  my $count = sysread($from, my $bytes, 65536) or exit 0;
  while (length $bytes) { my $count = syswrite($to, $bytes); defined $count or exit 0; substr($bytes, 0, $count, '') }
}
syswrite($holder, '!');
for (;;) {
  my $reads = ''; vec($reads, $_, 1) = 1 for 0, fileno $holder;
  select($reads, undef, undef, undef);
  pass($holder, \*STDOUT) if vec($reads, fileno $holder, 1);
  pass(\*STDIN, $holder) if vec($reads, 0, 1);
}
`;
