// The program that hands a script to bash inside the container, one top-level group at a time, and reports what bash asks for next.
// Bash reads a pipe byte by byte, so the first byte of a group is taken exactly when all before it has been run: that is the marker.
// Perl, because every Debian has it (perl-base is essential); it needs no file and no variable in the script's shell.
// A frame is at most a page long and written whole, so that what is left running cannot print into it, and a child that makes the
// output non-blocking loses none.
// Each marker carries the time at which it was made, so that it can come late. perl-base has no clock finer than a second, so the kernel is
// asked; where perl is of another kind than those that are known here, the marker says none.
// What the script sends its output through, such as a tee, may print after its end: whoever holds the outputs then has half a second.
// Nobody can look into it (PR_SET_DUMPABLE), not even root without SYS_PTRACE: who knew the nonce could say that a script has passed. The
// pipe for reports, which bash opens by its path, is lent by a process of its own, which was split off before the nonce came.
// SHLVL begins at 1, so that Debian's ~/.bash_logout does not take this for a console and spoil the exit code.
// Source: clock_gettime(2), prctl(2) and the tables of system calls of Linux; bash(1) reads unseekable input unbuffered; pipe(7), F_SETPIPE_SZ: a pipe of one page is writable only when empty.

/** Number of the descriptor that bash reads the script from, as part of its path. */
export const scriptPath = '/dev/fd/3';

/** Stands in the prelude for the path of the pipe that failures are reported to. */
export const reportPlace = '__REPORT_PIPE__';

const program = String.raw`
use strict; use Config; $^F = 3; $SIG{PIPE} = 'IGNORE';
my $held = '';
sub more { sysread(STDIN, $held, 65536, length $held) or exit 125 }
sub row { my $end; more() while ($end = index($held, "\n")) < 0; my $text = substr($held, 0, $end + 1, ''); chop $text; $text }
sub take { my $count = shift; more() while length($held) < $count; substr($held, 0, $count, '') }
my ($kind) = $Config{archname} =~ /^([^-]+)/; my $calls = {
  x86_64 => [228, 157], aarch64 => [113, 167], riscv64 => [113, 167], powerpc64le => [246, 171], s390x => [260, 172],
}->{$kind}; my ($clock, $control) = $calls ? @$calls : ();
pipe(my $reads, my $writes) or exit 125; pipe(my $told, my $tells) or exit 125; pipe(my $lives, my $life) or exit 125;
my $lender = fork; defined $lender or exit 125;
if (!$lender) {
  $0 = 'sandlot-setup'; close $_ for $reads, $writes, $told, $life;
  open(STDIN, '<', '/dev/null'); open($_, '>', '/dev/null') for \*STDOUT, \*STDERR;
  sysread($lives, my $nothing, 1); exit 0;
}
close $lives; syscall($control, 4, 0, 0, 0, 0) if $control;
my $nonce = row(); my @sizes = split ' ', row();
my @pieces = map { take($_) } @sizes;
my $pid = fork; defined $pid or exit 125;
if (!$pid) {
  close $writes; close $told; close $tells; open(STDIN, '<', '/dev/null');
  $SIG{PIPE} = 'DEFAULT'; $ENV{SHLVL} = 1;
  if (fileno($reads) != 3) { exit 125 }
  exec { 'bash' } 'bash', '-l', '${scriptPath}' or exit 127;
}
close $reads; $0 = 'sandlot-setup'; fcntl($writes, 1031, 4096); fcntl($writes, 4, 2048); fcntl($told, 4, 2048);
{ my $path = "/proc/$lender/fd/" . fileno($tells); $pieces[0] =~ s/${reportPlace}/$path/g; }
my $code; my @reports; my $died = 0; $SIG{CHLD} = sub { $died = 1 };
sub hear { while (sysread($told, my $text, 65536)) { push @reports, $text; shift @reports while @reports > 400 } }
sub ended { return 1 if defined $code; if (waitpid($pid, 1) == $pid) { $code = $? & 127 ? 128 + ($? & 127) : $? >> 8; return 1 } 0 }
sub put {
  my ($to, $text) = @_;
  while (length $text) {
    my $count = syswrite($to, $text);
    if (defined $count) { substr($text, 0, $count, '') } elsif ($! == 11) { my $out = ''; vec($out, fileno $to, 1) = 1; select(undef, $out, undef, 0.1) }
    elsif ($! != 4) { return }
  }
}
sub now {
  return '' unless $clock; my $time = pack 'q2', 0, 0;
  return '' if syscall($clock, 0, $time) != 0; my ($seconds, $nano) = unpack 'q2', $time; sprintf ' %d.%06d', $seconds, $nano / 1000;
}
sub frame { put($_, "\0$nonce$_[0]\n") for \*STDOUT, \*STDERR }
sub held {
  my %ours = map { (readlink("/proc/$$/fd/$_") || '') => 1 } 1, 2; opendir(my $all, '/proc') or return 0;
  for my $one (grep { /^[0-9]+$/ && $_ != $$ } readdir $all) { for (1, 2) { my $to = readlink "/proc/$one/fd/$_"; return 1 if $to && $ours{$to} } }
  0;
}
my ($heard, $free) = ('', ''); vec($heard, fileno $told, 1) = 1; vec($free, fileno $writes, 1) = 1;
sub drained {
  for (;;) {
    my $count = select(my $in = $heard, my $out = $free, undef, $died ? 0.005 : 0.2);
    hear() if $count > 0 && $in & $heard;
    return 0 if ($died || $count < 1) && ended();
    next unless $count > 0 && vec($out, fileno $writes, 1);
    my $left = pack 'i', 0; ioctl($writes, 0x541b, $left);
    return 1 if !unpack 'i', $left;
    select(undef, undef, undef, 0.002);
    return 0 if ended();
  }
}
sub give {
  my $text = shift;
  while (length $text) {
    my $count = syswrite($writes, $text);
    if (defined $count) { substr($text, 0, $count, '') } elsif ($! == 32) { return 0 }
    drained() or return 0;
  }
  1;
}
my @firsts = map { substr($_, 0, 1) } @pieces; push @firsts, '';
my $going = give($pieces[0] . $firsts[1]);
for my $index (1 .. $#pieces) {
  last unless $going;
  @reports = (); frame('M' . ($index - 1) . now());
  $going = give(substr($pieces[$index], 1) . $firsts[$index + 1]);
}
close $writes;
until (ended()) { my $in = ''; vec($in, fileno $told, 1) = 1; select($in, undef, undef, 0.2); hear() if vec($in, fileno $told, 1) }
hear();
for (1 .. 25) { last unless held(); select(undef, undef, undef, 0.02) }
my $report = join '', @reports; $report = substr($report, -16000); $report =~ s/([^ -\$&-~])/sprintf '%%%02x', ord $1/ge;
while ($report =~ /(.{1,3900})/g) { put(\*STDERR, "\0" . $nonce . "R$1\n") }
frame("E$code");
exit $code;
`;

/** The command that starts the feeder; everything it works with comes on its standard input. */
export const feederCommand: readonly string[] = ['perl', '-e', program];

/** What the feeder reads: the nonce, the size of each piece in bytes, the pieces. The first piece is the prelude. */
export const feederInput = (nonce: string, pieces: Buffer[]): Buffer =>
  Buffer.concat([Buffer.from(`${nonce}\n${pieces.map((piece) => piece.length).join(' ')}\n`), ...pieces]);
