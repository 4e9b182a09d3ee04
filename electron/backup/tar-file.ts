/** Reads and writes the headers of TAR archives (POSIX ustar) that hold only plain files. */

export const TAR_BLOCK_BYTES = 512;
/** Marks the end of an archive. */
export const TAR_END_BYTES = 2 * TAR_BLOCK_BYTES;

export interface TarEntry {
  name: string;
  sizeBytes: number;
}

/** Returns the bytes of content and padding that follow a header. */
export function getPaddedSize(sizeBytes: number): number {
  return Math.ceil(sizeBytes / TAR_BLOCK_BYTES) * TAR_BLOCK_BYTES;
}

const MAX_NAME_BYTES = 100;
/** Larger sizes don't fit into eleven octal digits. */
const MAX_OCTAL = 8 ** 11 - 1;

export function createTarHeader({ name, sizeBytes }: TarEntry, modifiedMs: number): Buffer {
  if (Buffer.byteLength(name) > MAX_NAME_BYTES) throw new TypeError(`${name} is too long.`);
  const header = Buffer.alloc(TAR_BLOCK_BYTES);
  header.write(name, 0);
  header.write('0000600\0', 100);
  header.write('0000000\0', 108);
  header.write('0000000\0', 116);
  writeSize(header, sizeBytes);
  header.write(`${toOctal(Math.floor(modifiedMs / 1000), 11)}\0`, 136);
  header.write('0', 156);
  header.write('ustar\0' + '00', 257);
  header.write(`${toOctal(sumHeader(header), 6)}\0 `, 148);
  return header;
}

function writeSize(header: Buffer, sizeBytes: number): void {
  if (sizeBytes <= MAX_OCTAL) {
    header.write(`${toOctal(sizeBytes, 11)}\0`, 124);
    return;
  }
  // Base-256, which all common tar programs read.
  header.writeUInt8(0x80, 124);
  header.writeBigUInt64BE(BigInt(sizeBytes), 128);
}

function toOctal(value: number, digits: number): string {
  return value.toString(8).padStart(digits, '0');
}

/** The header's own checksum counts as spaces. */
function sumHeader(header: Uint8Array): number {
  return header.reduce((sum, byte, index) => sum + (index >= 148 && index < 156 ? 0x20 : byte), 0);
}

export interface TarHeader extends TarEntry {
  /** False for links, folders, devices and extensions. */
  isFile: boolean;
}

/** Returns null for the end of the archive; throws if the block isn't a header. */
export function readTarHeader(block: Buffer): TarHeader | null {
  if (block.every((byte) => byte === 0)) return null;
  const isTar = readText(block, 257, 6).startsWith('ustar');
  if (!isTar || readOctal(block, 148, 8) !== sumHeader(block)) {
    throw new TypeError('The block isn’t a TAR header.');
  }
  const prefix = readText(block, 345, 155);
  const name = readText(block, 0, MAX_NAME_BYTES);
  const type = block.readUInt8(156);
  return {
    name: prefix === '' ? name : `${prefix}/${name}`,
    sizeBytes:
      block.readUInt8(124) === 0x80
        ? Number(block.readBigUInt64BE(128))
        : readOctal(block, 124, 12),
    isFile: type === 0x30 || type === 0,
  };
}

function readText(block: Buffer, at: number, length: number): string {
  const field = block.subarray(at, at + length);
  const end = field.indexOf(0);
  return field.toString('utf8', 0, end === -1 ? length : end);
}

function readOctal(block: Buffer, at: number, length: number): number {
  const text = readText(block, at, length).trim();
  if (!/^[0-7]+$/.test(text)) throw new TypeError('The block isn’t a TAR header.');
  return Number.parseInt(text, 8);
}
