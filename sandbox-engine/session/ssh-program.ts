// What runs inside a sandbox for one SSH connection: the image's own OpenSSH server on the connection's two ends, as the sandbox user. It
// listens nowhere and ends with the connection. Its configuration comes by a pipe, since it holds the variables that a terminal would get.
// Source: sshd(8), -i; sshd_config(5).
import type { ExecSpec } from '../container/container-runtime.ts';
import { sandboxUser, workspace } from '../container/sandbox-spec.ts';

/** Where Debian's openssh-server has it. */
export const serverPath = '/usr/sbin/sshd';

const serve = String.raw`
umask 077; d=$1; mkdir -p "$d" || exit 1
if [ ! -s "$d/host_key" ]; then ssh-keygen -q -t ed25519 -N '' -f "$d/host_key.$$" && mv "$d/host_key.$$" "$d/host_key" && rm -f "$d/host_key.$$.pub" || exit 1; fi
printf '%s\n' "$2" > "$d/keys.$$" && mv "$d/keys.$$" "$d/keys" || exit 1
set_env=$(perl -e 'print "SetEnv"; for (sort keys %ENV) { next if /\W/ || /^(HOME|USER|LOGNAME|SHELL|PWD|OLDPWD|SHLVL|TERM|_)$/ || $ENV{$_} =~ /["\\\n\r]/; print qq( "$_=$ENV{$_}") }')
case "$set_env" in SetEnv) set_env= ;; esac
for sftp in /usr/lib/openssh/sftp-server /usr/lib/ssh/sftp-server /usr/libexec/openssh/sftp-server internal-sftp; do [ -x "$sftp" ] && break; done
exec 3<<END
HostKey $d/host_key
AuthorizedKeysFile $d/keys
AllowUsers ${sandboxUser}
PasswordAuthentication no
KbdInteractiveAuthentication no
UsePAM no
StrictModes no
PidFile none
PrintMotd no
AllowTcpForwarding local
AllowAgentForwarding no
AllowStreamLocalForwarding no
X11Forwarding no
Subsystem sftp $sftp
$set_env
END
# It closes what it was handed, so it opens the pipe of this shell, which stays until it has ended.
${serverPath} -i -f /proc/$$/fd/3
`;

/** The exec that serves one connection; `secrets` are what a terminal would get. */
export const servingExec = (sessionId: string, publicLine: string, secrets: readonly string[]): ExecSpec => ({
  command: ['/bin/sh', '-c', serve, 'sandlot-ssh', `/tmp/.sandlot-ssh-${sessionId}`, publicLine],
  env: [...secrets],
  user: sandboxUser,
  workdir: workspace,
  stdin: true,
});
