// What runs inside a sandbox to write down how a workspace began and to compare it later. Everything inside may be hostile: git runs there,
// as the sandbox user, for a limited time, without the hooks, programs and filters that a repository could name for these questions; what
// it prints is read as data. Nothing of the person's repository is changed but for one reference.
// Source: git-diff-index(1), git-ls-files(1), git-update-index(1), git-config(1).

/** What a snapshot does not take in, and a comparison does not read. */
const largeBytes = 16_777_216;
const mostFiles = 5_000;
const mostBytes = 268_435_456;

/** The repository of Sandlot's own for a workspace that is none. */
export const ownSnapshots = '/home/sandbox/.cache/sandlot/changes.git';

/** `root` must be set. A repository that root inside has taken over is looked at all the same, this one alone. */
const gitFunction = String.raw`
git() { command git $quick -c "safe.directory=$root" -c core.fsmonitor=false -c core.hooksPath=/dev/null -c core.untrackedCache=false -c core.pager=cat \
  -c core.bigFileThreshold=16m -c core.looseCompression=0 -c gc.auto=0 -c maintenance.auto=false -c commit.gpgsign=false "$@"; }
own=${ownSnapshots}; quick=
export GIT_AUTHOR_NAME=Sandlot GIT_AUTHOR_EMAIL=sandlot@localhost GIT_COMMITTER_NAME=Sandlot GIT_COMMITTER_EMAIL=sandlot@localhost
begin_own() {
  mkdir -p "$own" && git init -q --bare --template= "$own" && git --git-dir="$own" config core.bare false && mkdir -p "$own/info" || return 1
  export GIT_DIR=$own GIT_WORK_TREE=$root
}
# The same commit whenever and wherever it is made: a workspace that began empty needs nothing to be kept.
snapshot() { GIT_AUTHOR_DATE='@0 +0000' GIT_COMMITTER_DATE='@0 +0000' git commit-tree -m 'How the session began' "$@"; }
`;

/** Picks, from names with git's tag before them, those that a temporary index takes in, and tells the others: kind, tag, name, each with a NUL. */
const pick = String.raw`
use strict; my ($told, @only) = @ARGV; my %only = map { $_ => 1 } @only; my ($files, $bytes, %seen) = (0, 0); @ARGV = ();
open(my $out, '>', $told) or die "$told: $!\n"; $/ = "\0";
while (my $name = <STDIN>) {
  chomp $name; my $tag = substr($name, 0, 2, ''); next if $seen{$name}++ || (@only && !$only{$name});
  if ($name =~ m{/\z}) { print $out "repository\0$tag\0$name\0"; next }
  my $size = (lstat $name)[7] // 0; $size = 0 if -l _;
  if ($size > ${largeBytes}) { print $out "large\0$tag\0$name\0"; next }
  if (++$files > ${mostFiles} || ($bytes += $size) > ${mostBytes}) { print $out "more\0$tag\0$name\0"; next }
  print "$name\0";
}
`;

/** Environment of git inside: no configuration but the repository's own, no questions, nothing fetched on the way. */
export const plainGit = [
  'GIT_CONFIG_NOSYSTEM=1',
  'GIT_CONFIG_GLOBAL=/dev/null',
  'GIT_ATTR_NOSYSTEM=1',
  'GIT_TERMINAL_PROMPT=0',
  'GIT_NO_LAZY_FETCH=1',
  'GIT_LITERAL_PATHSPECS=1',
  'LC_ALL=C.UTF-8',
  `SANDLOT_PICK=${pick}`,
];

/** Writes the state of now into an index and a store of objects that are thrown away; sets `tmp`. */
const takeState = `
tmp=$(mktemp -d) || exit 9
trap 'rm -rf "$tmp"' EXIT; trap 'exit 124' TERM
index=$(git rev-parse --git-path index) && objects=$(git rev-parse --git-path objects) || exit 9
objects=$(realpath "$objects") || exit 9
if [ -f "$index" ]; then cp "$index" "$tmp/index"; else GIT_INDEX_FILE=$tmp/index git read-tree "$from" || exit 9; fi
mkdir "$tmp/objects"
export GIT_INDEX_FILE=$tmp/index GIT_OBJECT_DIRECTORY=$tmp/objects GIT_ALTERNATE_OBJECT_DIRECTORIES=$objects
git update-index -q --refresh >/dev/null
git ls-files -t -d -m -o --exclude-standard -z >"$tmp/names" || exit 9
perl -e "$SANDLOT_PICK" "$tmp/told" "$@" <"$tmp/names" | git update-index --add --remove -z --stdin || exit 9
`;

const open = `
root=$1; kind=$2; from=$3; head=$4; shift 4
${gitFunction}
cd "$root" || exit 9
if [ "$kind" = folder ]; then
  if [ -d "$own/objects" ]; then export GIT_DIR=$own GIT_WORK_TREE=$root
  else begin_own && snapshot "$(git mktree </dev/null)" >/dev/null || exit 9; fi
fi
git rev-parse -q --verify "$from^{commit}" >/dev/null || { echo "The state in which this session began is no longer in its repository." >&2; exit 8; }
`;

/** Arguments: root. Prints kind, commit and head (or `-`), each on a line. */
export const startScript = String.raw`
root=$1
${gitFunction}
# A copy has other inodes than its index says; nobody has had the time to change a file without its time.
quick='-c core.checkStat=minimal -c core.trustctime=false'
cd "$root" 2>/dev/null || cd /workspace || exit 9
top=$(git rev-parse --show-toplevel 2>/dev/null)
if [ "$top" = "$(pwd -P)" ]; then kind=repository; else
  kind=folder; root=/workspace; cd "$root" && begin_own || exit 9
fi
head=$(git rev-parse -q --verify 'HEAD^{commit}')
start=$head
tmp=$(mktemp -d) || exit 9
trap 'rm -rf "$tmp"' EXIT; trap 'exit 124' TERM
git update-index -q --refresh >/dev/null
git ls-files -t -d -m -o --exclude-standard -z >"$tmp/names" || exit 9
if [ -z "$head" ] || [ -s "$tmp/names" ]; then
  index=$(git rev-parse --git-path index) || exit 9
  if [ "$kind" = repository ]; then [ -f "$index" ] && cp "$index" "$tmp/index"; export GIT_INDEX_FILE=$tmp/index; fi
  perl -e "$SANDLOT_PICK" "$tmp/told" <"$tmp/names" | git update-index --add --remove -z --stdin || exit 9
  if [ "$kind" = folder ] && [ -s "$tmp/told" ]; then
    perl -0ne 'chomp; push @t, $_; if (@t == 3) { if ($t[0] eq "large" && $t[2] !~ /\n/) { $t[2] =~ s/([*?\[\\ ])/\\$1/g; print "/$t[2]\n" } @t = () }' "$tmp/told" >>"$own/info/exclude"
  fi
  tree=$(git write-tree) && start=$(snapshot ${'$'}{head:+-p "$head"} "$tree") || exit 9
  git update-ref refs/sandlot/start "$start" || exit 9
fi
printf '%s\n%s\n%s\n' "$kind" "$start" "${'$'}{head:--}"
`;

/** Arguments: root, kind, start, head (or `-`), then the files to look at. Prints the branch, the commits since, whether anything is not
 *  committed, what was not compared, `end`, and git's raw and counted lists; all fields end in NUL. */
export const listScript = String.raw`${open}
branch=$(git symbolic-ref -q --short HEAD); [ "$kind" = folder ] && branch=
range=HEAD; [ "$head" = - ] || range="$head..HEAD"
commits=$(git rev-list --count "$range" 2>/dev/null)
[ "$kind" = folder ] && commits=0
${takeState}
dirty=no; { perl -0ne 'chomp; $n++ unless m{/\z}; END { exit !$n }' "$tmp/names" || ! git diff-index --cached --quiet HEAD -- 2>/dev/null; } && dirty=yes
printf '%s\0%s\0%s\0' "$branch" "${'$'}{commits:-0}" "$dirty"
cat "$tmp/told"; printf 'end\0'
git diff-index --cached --no-ext-diff --no-textconv --ignore-submodules=dirty -M -l500 --raw --numstat --abbrev=40 -z "$from" -- "$@"
`;

/** The same arguments. Prints the patch for looking at. */
export const showScript = `${open}${takeState}
git diff-index --cached --no-ext-diff --no-textconv --ignore-submodules=dirty --no-color -M -l500 -p "$from" -- "$@"
`;

const leftOut = String.raw`
perl -0ne 'chomp; push @t, $_; if (@t == 3) { print STDERR "left out, ", ($t[0] eq "repository" ? "a repository of its own" : "too large"), ": $t[2]\n" if $n++ < 20; @t = () }' "$tmp/told"
`;

/** What goes out as a file; the same arguments without files. */
export const patchScripts = {
  diff: `${open}${takeState}${leftOut}
git diff-index --cached --no-ext-diff --no-textconv --ignore-submodules=dirty --no-color -M -l500 -p --binary --full-index "$from" --
`,
  commits: `${open}
[ "$kind" = repository ] || { echo "This workspace is no git repository, so it has no commits." >&2; exit 8; }
range=HEAD; [ "$head" = - ] || range="$head..HEAD"
[ -n "$(git rev-list -n 1 "$range")" ] || { echo "Nothing was committed since this session began." >&2; exit 8; }
git format-patch --stdout --no-ext-diff --no-textconv --binary --full-index -M $([ "$head" = - ] && echo --root) "$range"
`,
  bundle: `${open}
[ "$kind" = repository ] || { echo "This workspace is no git repository, so it has no commits." >&2; exit 8; }
range=HEAD; [ "$head" = - ] || range="$head..HEAD"
[ -n "$(git rev-list -n 1 "$range")" ] || { echo "Nothing was committed since this session began." >&2; exit 8; }
branch=$(git symbolic-ref -q HEAD)
if [ "$head" = - ]; then git bundle create -q - HEAD $branch; else git bundle create -q - HEAD $branch "^$head"; fi
`,
} as const;

/** Arguments: root, message, author's name and address (or empty). Prints the commit, its subject and how many files it holds. */
export const commitScript = String.raw`
root=$1; message=$2; name=$3; address=$4
${gitFunction}
cd "$root" || exit 9
if [ -z "$name" ]; then name=$(git config user.name); address=$(git config user.email); fi
name=${'$'}{name:-Sandlot session}; address=${'$'}{address:-sandbox@localhost}
export GIT_AUTHOR_NAME=$name GIT_AUTHOR_EMAIL=$address GIT_COMMITTER_NAME=$name GIT_COMMITTER_EMAIL=$address
# What is a repository of its own stays out: git could only name the commit that it stands on.
git ls-files -t -d -m -o --exclude-standard -z | perl -0ne 'chomp; substr($_, 0, 2, ""); print "$_\0" unless m{/\z} || $seen{$_}++' |
  git update-index --add --remove --replace -z --stdin || exit 9
git diff-index --cached --quiet HEAD -- 2>/dev/null && { echo "There is nothing to commit: everything is committed already." >&2; exit 8; }
git commit -q --no-verify --cleanup=strip -m "$message" || exit 9
git rev-parse HEAD && git show -s --format=%s HEAD && git show --format= --name-only -z HEAD | tr -dc '\0' | wc -c
`;
