// Scripts that really fail at the shell, at rights, at programs, at limits and at apt, each with the hint that it must bring.
// Nothing here prints what a tool would say: the tool itself runs and fails, in a sandbox without a network.

export interface FailingScript {
  /** The hint's code. */
  code: string;
  script: string;
  /** Must stand in the hint or in its next action. */
  says?: RegExp;
  network?: 'bridge';
  timeoutSeconds?: number;
  needsNpm?: true;
}

/** Lines of a script. */
export const lines = (...text: string[]): string => text.join('\n');

export const shellScripts: FailingScript[] = [
  { code: 'unknown', script: '(exit 17)', says: /does not know this failure \(exit code 17\)/ },
  { code: 'unknown', script: lines("echo 'mkdir: Permission denied' >&2", 'false') },
  { code: 'unknown', script: "echo 'expected: cat: /nope: No such file or directory'; (exit 5)" },
  { code: 'no_such_file', script: lines('exec > >(tee /tmp/log) 2>&1', 'ls /nope'), says: /"\/nope"/ },
  { code: 'timeout', script: 'sleep 300', says: /took longer than its 1 seconds.*Raise timeout_seconds/, timeoutSeconds: 1 },
  { code: 'command_timeout', script: 'timeout 0.1 sleep 300', says: /more time/ },
  { code: 'syntax_error', script: lines('echo a', 'if true; then', '  echo )', 'fi'), says: /the script:.*line 3/ },
  { code: 'syntax_error', script: lines("printf 'if true; then\\n' > a.sh", 'bash a.sh'), says: /cannot read a\.sh/ },
  { code: 'needs_bash', script: "sh -c '[[ a == a ]]'", says: /bash instead of sh/ },
  { code: 'answered_no', script: '[ -f /nope ]', says: /\|\| true/ },
  { code: 'answered_no', script: lines('count=0', '((count++))') },
  { code: 'answered_no', script: 'echo a | grep b' },
  { code: 'unbound_variable', script: lines('set -u', 'echo $NOT_SET_Q'), says: /\$\{NOT_SET_Q:-value\}/ },
  { code: 'unbound_variable', script: ': "${TOKEN_Q:?must be given}"', says: /\$\{TOKEN_Q:-value\}/ },
  { code: 'pipe_closed', script: 'seq 1 200000 | head -n 1', says: /sed -n 1p/ },
  { code: 'needs_input', script: 'read -r answer', says: /--non-interactive/ },
  { code: 'needs_terminal', script: 'stty size', says: /wants a terminal/ },
  { code: 'wrong_option', script: 'ls --nosuch', says: /--help/ },
  { code: 'no_such_file', script: 'cat /workspace/nope.txt', says: /"\/workspace\/nope\.txt"/ },
  { code: 'file_exists', script: lines('mkdir /tmp/there', 'mkdir /tmp/there'), says: /mkdir -p/ },
  { code: 'crlf', script: lines("printf 'echo a\\r\\n\\r\\n' > a.sh", 'bash a.sh'), says: /sed -i/ },
];

export const rightsScripts: FailingScript[] = [
  { code: 'permission', script: 'mkdir /opt/tool', says: /sudo mkdir \/opt\/tool/ },
  { code: 'permission', script: 'echo x > /etc/x', says: /\| sudo tee \/etc\/x/ },
  { code: 'permission', script: 'apt-get install -y jq', says: /sudo apt-get install -y jq/ },
  { code: 'not_even_root', script: 'echo 1 | sudo tee /proc/sys/vm/swappiness', says: /belong to the machine/ },
  { code: 'sudo_denied', script: lines('sudo rm /etc/sudoers.d/sandbox', 'sudo true'), says: /NOPASSWD/ },
];

export const programScripts: FailingScript[] = [
  { code: 'command_not_found', script: 'jq --version', says: /Add "jq" to the recipe's apt packages/ },
  { code: 'command_not_found', script: 'nosuchcommand_q', says: /"nosuchcommand_q"/ },
  { code: 'command_not_found', script: lines('sudo rm /usr/bin/sudo', 'hash -r', 'sudo true'), says: /recipe.*as root/ },
  { code: 'command_not_found', script: lines('echo x > a.tar.bz2', 'tar xjf a.tar.bz2'), says: /Add "bzip2" to the recipe's apt packages/ },
  { code: 'no_services', script: 'systemctl start postgresql', says: /no systemd/ },
  { code: 'not_executable', script: lines('echo x > plain', './plain'), says: /chmod/ },
  { code: 'is_a_folder', script: '/tmp', says: /"\/tmp" is a folder/ },
  {
    code: 'missing_interpreter',
    script: lines("printf '#!/bin/bash\\r\\necho hi\\r\\n' > a.sh", 'chmod +x a.sh', './a.sh'),
    says: /first line/,
  },
  {
    code: 'architecture',
    script: lines('cp /bin/true a', "printf '\\003\\003' | dd of=a bs=1 seek=18 conv=notrunc status=none", './a'),
    says: /uname -m/,
  },
  { code: 'wrong_libc', script: lines("sed 's/GLIBC_2\\.34/GLIBC_9.34/' /bin/true > a", 'chmod +x a', './a'), says: /glibc/ },
  {
    code: 'missing_shared_library',
    script: lines('sed s/libselinux.so.1/libselinuq.so.1/ /bin/ls > a', 'chmod +x a', './a'),
    says: /libselinuq\.so\.1/,
  },
  { code: 'crashed', script: "python3 -c 'import ctypes; ctypes.string_at(0)'", says: /segmentation fault.*139/ },
  { code: 'too_many_arguments', script: '/bin/true $(seq 1 400000)', says: /xargs/ },
  {
    code: 'too_many_files',
    script: lines('ulimit -n 12', 'python3 -c \'[open("/dev/null") for _ in range(20)].append(0)\''),
    says: /ulimit -n/,
  },
  { code: 'locale', script: `python3 -c 'import locale; locale.setlocale(locale.LC_ALL, "de_DE.UTF-8")'`, says: /C\.UTF-8/ },
  { code: 'program_syntax', script: 'python3 -c \'print "x"\'', says: /SyntaxError: Missing parentheses/ },
  { code: 'missing_module', script: "python3 -c 'import leftish'", says: /"leftish"/ },
  { code: 'disk_full', script: 'head -c 100M /dev/zero > /dev/shm/fill', says: /sandlot prune/ },
  { code: 'out_of_memory', script: `perl -e '$x = "x" x (900 << 20)'`, says: /had 0\.5 GiB.*larger size/ },
  { code: 'killed', script: "bash -c 'kill -9 $$'", says: /exit code 137/ },
];

/** A package source in a folder, with a package that is on its list and nowhere else. */
const source = (address: string, ...more: string[]): string =>
  lines(
    'mkdir /tmp/source; cd /tmp/source',
    "printf 'Package: leftish\\nVersion: 1\\nArchitecture: all\\nMaintainer: a\\nDescription: a\\nFilename: ./leftish.deb\\nSize: 2\\nSHA256: %064d\\n' 1 > Packages",
    ...more,
    `echo 'deb ${address} ./' | sudo tee /etc/apt/sources.list`,
  );
const release = (...fields: string[]): string =>
  `printf '${fields.join('\\n')}\\nSHA256:\\n %s %s Packages\\n' $(sha256sum Packages | cut -d' ' -f1) $(stat -c %s Packages) > Release`;
const update = 'sudo apt-get update -o Acquire::Retries=0';
const install = 'sudo apt-get install -y -o Acquire::Retries=0 leftish';
const here = '[trusted=yes] file:/tmp/source';

export const aptScripts: FailingScript[] = [
  { code: 'apt_update_first', script: 'sudo apt-get install -y nosuchpackage-q', says: /"nosuchpackage-q".*recipe's apt packages/ },
  { code: 'apt_needs_yes', script: 'sudo apt-get remove git', says: /`-y`/ },
  {
    code: 'dpkg_interrupted',
    script: lines('sudo touch /var/lib/dpkg/updates/0001', 'sudo apt-get install -y jq'),
    says: /dpkg --configure -a/,
  },
  {
    code: 'apt_locked',
    script: lines(
      'mkfifo /tmp/hanging; serve /tmp 8000',
      "echo 'deb http://127.0.0.1:8000/hang ./' | sudo tee /etc/apt/sources.list",
      'sudo apt-get update & cat /tmp/hanging',
      'sudo apt-get update',
    ),
    says: /one apt at a time/,
  },
  {
    code: 'package_script',
    script: lines(
      'mkdir -p d/DEBIAN',
      "printf 'Package: leftish\\nVersion: 1\\nArchitecture: all\\nMaintainer: a\\nDescription: a\\n' > d/DEBIAN/control",
      "printf '#!/bin/sh\\nexit 7\\n' > d/DEBIAN/postinst; chmod 755 d/DEBIAN/postinst",
      'dpkg-deb --root-owner-group -b d leftish.deb',
      'sudo dpkg -i leftish.deb',
    ),
    says: /own install script/,
  },
  { code: 'unsigned_repository', script: lines(source('file:/tmp/source', release('Suite: x')), update), says: /signed-by/ },
  { code: 'apt_source', script: lines(source('file:/tmp/source'), update), says: /\/etc\/os-release/ },
  { code: 'clock', script: lines(source(here, release('Date: Thu, 01 Jan 2099 00:00:00 UTC')), update), says: /Set the clock/ },
  {
    code: 'expired',
    script: lines(source(here, release('Date: Wed, 01 Jan 2020 00:00:00 UTC', 'Valid-Until: Thu, 02 Jan 2020 00:00:00 UTC')), update),
    says: /no longer valid/,
  },
  {
    code: 'apt_conflict',
    script: lines(source(here, "echo 'Depends: nosuch-q' >> Packages"), update, install),
    says: /do not go together/,
  },
  {
    code: 'apt_fetch',
    script: lines(source('[trusted=yes] http://127.0.0.1:8000'), 'serve /tmp/source 8000', update, install),
    says: /sudo apt-get update/,
  },
  { code: 'checksum', script: lines(source(here, 'echo x > leftish.deb'), update, install), says: /changed/ },
  {
    code: 'egress_blocked',
    script: lines("echo 'deb http://packages.example.org/debian x main' | sudo tee /etc/apt/sources.list", update, install),
    says: /Allow packages\.example\.org/,
  },
];
