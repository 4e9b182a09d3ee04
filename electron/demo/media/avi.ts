/** AVI files of run-length coded, 256-colour pictures: small, lossless, and no encoder needed. */

const BI_RLE8 = 1;
const HAS_INDEX = 0x10;
const KEY_FRAME = 0x10;

export interface AviVideo {
  width: number;
  height: number;
  fps: number;
  palette: readonly (readonly [number, number, number])[];
  /** Each one `encodeRle8Frame`'s bytes. */
  frames: readonly Buffer[];
}

/** Layout: https://learn.microsoft.com/windows/win32/directshow/avi-riff-file-reference */
export function encodeAvi({ width, height, fps, palette, frames }: AviVideo): Buffer {
  const largest = Math.max(...frames.map(({ length }) => length));
  const mainHeader = words(
    [Math.round(1e6 / fps), largest * fps, 0, HAS_INDEX, frames.length, 0, 1, largest],
    [width, height, 0, 0, 0, 0],
  );
  const streamHeader = Buffer.concat([
    Buffer.from('vidsmrle', 'latin1'),
    words([0, 0, 0, 1, fps, 0, frames.length, largest, 0xffffffff, 0]),
    Buffer.from(new Int16Array([0, 0, width, height]).buffer),
  ]);
  const colours = Buffer.alloc(256 * 4);
  palette.forEach(([red, green, blue], index) => {
    colours.set([blue, green, red, 0], index * 4);
  });
  // A BITMAPINFOHEADER: one plane in the low half of the fourth word, 8 bits a pixel in the high.
  const format = words([40, width, height, (8 << 16) | 1, BI_RLE8, largest, 0, 0, 256, 0]);
  const streamList = list('strl', [
    chunk('strh', streamHeader),
    chunk('strf', Buffer.concat([format, colours])),
  ]);
  const pictures = frames.map((frame) => chunk('00dc', frame));
  const index: Buffer[] = [];
  let offset = 4;
  for (const [at, picture] of pictures.entries()) {
    const entry = words([0, KEY_FRAME, offset, frames[at]?.length ?? 0]);
    entry.write('00dc', 0, 'latin1');
    index.push(entry);
    offset += picture.length;
  }
  return riff('RIFF', 'AVI ', [
    list('hdrl', [chunk('avih', mainHeader), streamList]),
    list('movi', pictures),
    chunk('idx1', Buffer.concat(index)),
  ]);
}

/** One row of palette indexes as pairs of count and colour. */
export function encodeRle8Row(row: Uint8Array): Buffer {
  const pairs: number[] = [];
  for (let start = 0; start < row.length; ) {
    let end = start + 1;
    while (end < row.length && row[end] === row[start] && end - start < 255) end += 1;
    pairs.push(end - start, row[start] ?? 0);
    start = end;
  }
  return Buffer.from([...pairs, 0, 0]);
}

/** Rows from the top; the format wants the bottom one first, and a mark at the end. */
export function encodeRle8Frame(rows: readonly Buffer[]): Buffer {
  return Buffer.concat([...rows.toReversed(), Buffer.from([0, 1])]);
}

function words(...groups: number[][]): Buffer {
  const values = groups.flat();
  const bytes = Buffer.alloc(values.length * 4);
  for (const [index, value] of values.entries()) bytes.writeUInt32LE(value, index * 4);
  return bytes;
}

function chunk(name: string, data: Buffer): Buffer {
  const padding = Buffer.alloc(data.length % 2);
  const head = Buffer.alloc(8);
  head.write(name, 0, 'latin1');
  head.writeUInt32LE(data.length, 4);
  return Buffer.concat([head, data, padding]);
}

function list(type: string, parts: Buffer[]): Buffer {
  return riff('LIST', type, parts);
}

function riff(name: string, type: string, parts: Buffer[]): Buffer {
  return chunk(name, Buffer.concat([Buffer.from(type, 'latin1'), ...parts]));
}
