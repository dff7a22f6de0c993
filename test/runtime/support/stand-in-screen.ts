// A screen's server of a few lines in the place of the real one: greets as RFB does, then gives back what it gets; "flood N" gives N bytes.
// For the path of the bytes; the real desktop is in test/egress/desktop.test.ts.
import { Readable } from 'node:stream';
import { pack } from 'tar-stream';
import type { ContainerRuntime } from '../../../sandbox-engine/container/container-runtime.ts';

const server = `#!/usr/bin/perl
use strict; use Socket;
my ($path) = grep { $ARGV[$_ - 1] eq '-rfbunixpath' } 1 .. $#ARGV; $path = $ARGV[$path];
my $door; socket($door, PF_UNIX, SOCK_STREAM, 0) && bind($door, sockaddr_un($path)) && chmod(0600, $path) && listen($door, 8) or die $!;
$SIG{CHLD} = 'IGNORE';
while (accept(my $viewer, $door)) {
  next if fork;
  syswrite($viewer, "RFB 003.008\\n");
  while (sysread($viewer, my $said, 65536)) {
    if ($said !~ /^flood (\\d+)/) { syswrite($viewer, $said); next }
    my $line = join('', map { chr(65 + $_ % 26) } 0 .. 1023);
    for (1 .. $1 / 1024) { my $at = 0; $at += syswrite($viewer, $line, 1024 - $at, $at) while $at < 1024 }
  }
  exit;
}
`;

/** Puts it into a container, with a window manager that does nothing. */
export const putStandInScreen = async (runtime: ContainerRuntime, containerId: string): Promise<void> => {
  const archive = pack();
  archive.entry({ name: 'Xvnc', mode: 0o755 }, server);
  archive.entry({ name: 'openbox', mode: 0o755 }, '#!/bin/sh\nexec sleep 1000\n');
  archive.entry({ name: 'xsetroot', mode: 0o755 }, '#!/bin/sh\n');
  archive.finalize();
  await runtime.putArchive(containerId, '/usr/local/bin', Readable.from(archive));
};
