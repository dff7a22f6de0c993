// A program of a hundred and some bytes that asks for an AF_VSOCK socket by the 32-bit call that every 64-bit kernel still has, and ends
// with what it got: a small number where it got one.
// Source: System V ABI (ELF); Linux, int 0x80, socketcall(2) is number 102, SYS_SOCKET is 1.

const base = 0x40_0000;
const headers = 0x78;

const code = Buffer.from('b866000000bb01000000b900000000cd8089c7b83c0000000f05', 'hex');
const request = Buffer.alloc(12);
request.writeUInt32LE(40, 0);
request.writeUInt32LE(1, 4);
// Where the request lies, right behind the code.
code.writeUInt32LE(base + headers + code.length, 11);

const header = (length: number): Buffer => {
  const elf = Buffer.alloc(headers);
  Buffer.from('7f454c46020101', 'hex').copy(elf);
  elf.writeUInt16LE(2, 16);
  elf.writeUInt16LE(62, 18);
  elf.writeUInt32LE(1, 20);
  elf.writeBigUInt64LE(BigInt(base + headers), 24);
  elf.writeBigUInt64LE(64n, 32);
  elf.writeUInt16LE(64, 52);
  elf.writeUInt16LE(56, 54);
  elf.writeUInt16LE(1, 56);
  elf.writeUInt32LE(1, 64);
  elf.writeUInt32LE(5, 68);
  elf.writeBigUInt64LE(BigInt(base), 80);
  elf.writeBigUInt64LE(BigInt(base), 88);
  elf.writeBigUInt64LE(BigInt(length), 96);
  elf.writeBigUInt64LE(BigInt(length), 104);
  elf.writeBigUInt64LE(4096n, 112);
  return elf;
};

/** The whole file. */
export const oldCallProgram = Buffer.concat([header(headers + code.length + request.length), code, request]);
