// The programs that look at, send and take files inside a sandbox, as the sandbox user: every path and every link is the sandbox's own
// affair, and the host never opens one. In Perl, which the runtime layer has in every base. A failure is one line on standard error
// and a code: 2 not there, 3 not allowed, 4 of another kind, 5 anything else.
// Source: perlfunc(1), errno(3).

const common = String.raw`
use strict; use Fcntl ':mode', ':flock', 'O_RDONLY', 'O_NONBLOCK', 'O_WRONLY', 'O_CREAT', 'O_EXCL', 'O_NOFOLLOW'; $SIG{PIPE} = 'IGNORE'; $| = 1; binmode STDOUT; binmode STDIN;
sub fail { my ($what, $code) = @_; $code ||= $!{ENOENT} ? 2 : $!{EACCES} || $!{EPERM} ? 3 : $!{ENOTDIR} || $!{EISDIR} ? 4 : 5; print STDERR "$what\n"; exit $code }
sub kind { my $mode = shift; S_ISREG($mode) ? 'f' : S_ISDIR($mode) ? 'd' : S_ISLNK($mode) ? 'l' : 'o' }
sub record {
  my ($path, $name) = @_; my @found = lstat $path or return;
  my ($target, $leads) = ('', '');
  if (S_ISLNK($found[2])) { $target = readlink($path) // ''; my @there = stat $path; $leads = @there ? kind($there[2]) : '-' }
  print join("\0", kind($found[2]), $found[7], $found[9], sprintf('%04o', $found[2] & 07777), $target, $leads, $name), "\0";
}
`;

/** Whoever brings a file holds its part by a lock, which ends with him, however he ends: what nobody holds was left behind. One that is younger
 *  than `$age` seconds may be about to be locked. */
const sweep = String.raw`
sub sweep {
  my ($folder, $age) = @_; opendir(my $all, $folder) or return;
  for my $name (grep { /\A\.sandlot-\d+-\d+\.part\z/ } readdir $all) {
    sysopen(my $part, "$folder/$name", O_RDONLY | O_NONBLOCK | O_NOFOLLOW) or next;
    my @found = stat $part; next unless S_ISREG($found[2]) && $found[4] == $> && time - $found[9] >= $age;
    unlink "$folder/$name" if flock $part, LOCK_EX | LOCK_NB;
  }
}
`;

/** Arguments: folders in which something may have been left. */
export const sweepProgram = `${common}${sweep}
sweep($_, 0) for @ARGV;
`;

/** Arguments: a folder, how many entries at most. Prints how many there are, then the records. */
export const listProgram = String.raw`${common}${sweep}
my ($path, $most) = @ARGV; sweep($path, 2);
opendir(my $folder, $path) or fail("$path: $!");
my @names = grep { $_ ne '.' && $_ ne '..' } readdir $folder; closedir $folder;
print scalar(@names), "\0";
my %is_folder = map { $_ => -d "$path/$_" ? 0 : 1 } @names;
my @sorted = sort { $is_folder{$a} <=> $is_folder{$b} || lc $a cmp lc $b || $a cmp $b } @names;
splice @sorted, $most if @sorted > $most;
record("$path/$_", $_) for @sorted;
`;

/** The same for all files below a folder; links are not followed. A folder that is not there holds nothing. */
export const findProgram = String.raw`${common}
my ($path, $most) = @ARGV; my @found; my $total = 0; my @open = ['', 0];
while (my $next = shift @open) {
  my ($below, $depth) = @$next;
  opendir(my $folder, "$path/$below") or next;
  for my $name (sort grep { $_ ne '.' && $_ ne '..' } readdir $folder) {
    my $inside = $below eq '' ? $name : "$below/$name";
    if (!-l "$path/$inside" && -d _) { push @open, [$inside, $depth + 1] if $depth < 20 && @open < 5000; next }
    $total++; push @found, $inside if @found < $most; last if $total > 100000;
  }
  closedir $folder;
}
print "$total\0"; record("$path/$_", $_) for @found;
`;

/** Arguments: a file, from where, how much. Prints its size and a newline, then the bytes. Waits for no pipe. */
export const readProgram = String.raw`${common}
my ($path, $from, $most) = @ARGV;
sysopen(my $file, $path, O_RDONLY | O_NONBLOCK) or fail("$path: $!");
my @found = stat $file; S_ISREG($found[2]) or fail("$path: It is no file", 4);
print "$found[7]\n"; sysseek($file, $from, 0); my $left = $most;
while ($left > 0) { my $count = sysread($file, my $bytes, $left > 65536 ? 65536 : $left); last unless $count; print $bytes; $left -= $count }
`;

/** Arguments: a path. Prints kind, size and a newline, then the file's bytes or a tar stream of the folder, which is named after it. */
export const sendProgram = String.raw`${common}
my $path = shift; my @found = stat $path or fail("$path: $!");
if (S_ISDIR($found[2])) {
  print "d 0\n"; $path =~ s{/+\z}{}; my ($folder, $name) = $path =~ m{\A(.*)/([^/]+)\z}s; $folder = '/' if ($folder // '') eq '';
  exec 'tar', '-c', '--format=gnu', '--hard-dereference', '-C', $folder, '--', "./$name"; fail("tar: $!", 5);
}
S_ISREG($found[2]) or fail("$path: It is neither a file nor a folder", 4);
sysopen(my $file, $path, O_RDONLY | O_NONBLOCK) or fail("$path: $!");
my $left = (stat $file)[7]; print "f $left\n";
while ($left > 0) {
  my $count = sysread($file, my $bytes, $left > 262144 ? 262144 : $left);
  fail("$path: It became shorter while it was read", 5) unless $count;
  my $at = 0; while ($at < $count) { my $sent = syswrite(STDOUT, $bytes, $count - $at, $at); exit 5 unless defined $sent; $at += $sent } $left -= $count;
}
`;

/** Arguments: \`file\` or \`folder\`, a path, a name for a file that goes into a folder (or empty), the mode. On its input come pieces with their
 *  length before them; the length 0 says that all has come, and only then is the file in place. Prints where it is. */
export const takeProgram = String.raw`${common}${sweep}
my ($kind, $path, $name, $mode) = @ARGV; my ($out, $part, $tar);
sub make { my $at = ''; for my $one (split m{/}, shift) { $at .= "$one/"; next if $one eq ''; mkdir $at or -d $at or fail("$at: $!") } }
sub clear { unlink $part if defined $part; kill 'TERM', $tar if $tar }
$SIG{TERM} = sub { clear(); exit 5 };
if ($kind eq 'folder') {
  make($path); pipe(my $in, $out) or fail("pipe: $!"); $tar = fork; defined $tar or fail("fork: $!");
  if (!$tar) { close $out; open(STDIN, '<&', $in); open(STDOUT, '>&', \*STDERR); $SIG{PIPE} = 'DEFAULT'; exec 'tar', '-x', '--no-same-owner', '-C', $path or exit 126 }
  close $in;
} else {
  $path =~ s{/+\z}{} if $path =~ m{[^/]/+\z} && $name eq '';
  if ($name ne '' && ($path =~ m{/\z} || -d $path)) { $path =~ s{/+\z}{}; $path = "$path/$name" }
  -d $path and fail("$path: There is a folder of this name", 4);
  my ($folder) = $path =~ m{\A(.*)/[^/]+\z}s; make($folder) if ($folder // '') ne '';
  sweep($folder, 2); $part = "$folder/.sandlot-$$-" . time . '.part'; sysopen($out, $part, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0600) or do { my $why = "$path: $!"; undef $part; fail($why) };
  flock $out, LOCK_EX | LOCK_NB;
}
binmode $out;
sub take { my ($want, $bytes) = (shift, ''); while (length($bytes) < $want) { sysread(STDIN, $bytes, $want - length $bytes, length $bytes) or do { clear(); fail('The rest did not come', 5) } } $bytes }
while (my $length = unpack 'N', take(4)) {
  my $bytes = take($length); my $at = 0;
  while ($at < $length) { my $put = syswrite($out, $bytes, $length - $at, $at); if (!defined $put) { my $why = "$path: $!"; clear(); fail($why, 5) } $at += $put }
}
close $out or do { my $why = "$path: $!"; clear(); fail($why, 5) };
if ($tar) { waitpid $tar, 0; $? == 0 or fail("The folder was not unpacked whole at $path", 5) }
else { chmod oct $mode, $part; rename $part, $path or do { my $why = "$path: $!"; clear(); fail($why) } }
print "$path\n";
`;
