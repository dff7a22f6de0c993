// Standard input to its end, whatever it is: a file, a pipe, a socket.

/** All of standard input as text. */
export const readStdin = async (): Promise<string> => {
  const parts: Buffer[] = [];
  for await (const part of process.stdin) parts.push(Buffer.from(part as Buffer));
  return Buffer.concat(parts).toString('utf8');
};
