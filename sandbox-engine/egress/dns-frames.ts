// Takes DNS messages out of a stream and puts them in: each after its length in two bytes. Source: RFC 1035 4.2.2, RFC 7766 8.

/** Collects messages; what it answers is its own memory, and never more than 64 KiB wait in it. */
export const createDnsFrames = (): { push: (bytes: Buffer) => Buffer[] } => {
  let length = 0;
  let lengthBytes = 0;
  let message: Buffer | null = null;
  let filled = 0;

  const readLength = (byte: number): void => {
    length = ((length << 8) | byte) & 0xffff;
    lengthBytes += 1;
    if (lengthBytes < 2) return;
    message = Buffer.allocUnsafe(length);
    lengthBytes = 0;
    filled = 0;
  };

  const push = (bytes: Buffer): Buffer[] => {
    const messages: Buffer[] = [];
    for (let at = 0; at < bytes.length; ) {
      if (message === null) {
        readLength(bytes[at] ?? 0);
        at += 1;
      } else {
        const copied: number = bytes.copy(message, filled, at);
        filled += copied;
        at += copied;
      }
      if (message !== null && filled === message.length) {
        messages.push(message);
        message = null;
      }
    }
    return messages;
  };
  return { push };
};

/** One message as it goes into a stream. */
export const frameDns = (message: Buffer): Buffer => Buffer.concat([Buffer.from([message.length >> 8, message.length & 255]), message]);
