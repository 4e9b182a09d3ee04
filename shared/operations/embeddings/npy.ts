/** Reads and writes NumPy's .npy format: https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html */

export const NPY_TYPE = 'application/x-npy';

/** The header of our own files has this fixed size, so that rows start at a known offset. */
export const NPY_HEADER_BYTES = 128;

const MAGIC = [0x93, 0x4e, 0x55, 0x4d, 0x50, 0x59, 1, 0];

/** Returns the header of a file of little-endian float32 rows. */
export function encodeNpyHeader(rows: number, columns: number): Uint8Array {
  const text = `{'descr': '<f4', 'fortran_order': False, 'shape': (${rows}, ${columns}), }`;
  const length = NPY_HEADER_BYTES - MAGIC.length - 2;
  const header = `${text.padEnd(length - 1)}\n`;
  const size = [length & 0xff, length >> 8];
  return Uint8Array.from([
    ...MAGIC,
    ...size,
    ...Array.from(header, (letter) => letter.charCodeAt(0)),
  ]);
}

export interface Vectors {
  /** Row by row; a row without a vector consists of NaN. */
  values: Float32Array;
  dimensions: number;
}

/** Reads a file that `encodeNpyHeader` begins; null if it isn't one. */
export function readNpy(file: ArrayBuffer): Vectors | null {
  if (file.byteLength < NPY_HEADER_BYTES) return null;
  const bytes = new Uint8Array(file, 0, NPY_HEADER_BYTES);
  if (MAGIC.some((byte, at) => bytes[at] !== byte)) return null;
  const header = String.fromCharCode(...bytes.subarray(MAGIC.length + 2));
  const shape = /'descr': '<f4'.*'shape': \(\d+, (\d+)\)/.exec(header);
  const dimensions = Number(shape?.[1] ?? 0);
  if (dimensions === 0) return null;
  // An interrupted run may have written fewer rows than the header says.
  const rows = Math.floor((file.byteLength - NPY_HEADER_BYTES) / (4 * dimensions));
  return { values: new Float32Array(file, NPY_HEADER_BYTES, rows * dimensions), dimensions };
}
