/** Decodes a vector of an embeddings response: numbers or base64, of several types. */
import { getNumber } from '../../shared/exact-number.ts';
import { isJsonObject, type JsonValue } from '../../shared/json.ts';

export interface ReadVector {
  values: Float32Array;
  encoding: string;
}

/** `format` is the requested encoding or type; returns null if the value isn't one vector. */
export function readVector(value: JsonValue, format: string): ReadVector | null {
  if (typeof value === 'string') return decodeBase64(value, format);
  if (Array.isArray(value)) {
    const [first] = value;
    // Some gateways wrap the vector in a list; several vectors for one input are per token.
    if (Array.isArray(first)) return value.length === 1 ? readVector(first, format) : null;
    return readNumbers(value);
  }
  // Cohere and Jina may return an object with one list for each type.
  if (isJsonObject(value)) {
    const [inner] = Object.values(value);
    return inner !== undefined && (Array.isArray(inner) || typeof inner === 'string')
      ? readVector(inner, format)
      : null;
  }
  return null;
}

function readNumbers(list: JsonValue[]): ReadVector | null {
  if (list.length === 0) return null;
  const values = new Float32Array(list.length);
  let isWhole = true;
  for (const [at, item] of list.entries()) {
    const number = typeof item === 'number' ? item : getNumber(item);
    if (number === null || !Number.isFinite(Math.fround(number))) return null;
    isWhole &&= Number.isInteger(number);
    values[at] = number;
  }
  return { values, encoding: isWhole ? 'integers' : 'float' };
}

const BASE64 = /^[A-Za-z0-9+/_-]+={0,2}$/;

/**
 * Voyage (https://docs.voyageai.com/docs/flexible-dimensions-and-quantization) and Perplexity
 * (https://docs.perplexity.ai/docs/embeddings/best-practices) encode other types as well.
 */
function decodeBase64(text: string, format: string): ReadVector | null {
  if (!BASE64.test(text)) return null;
  const bytes = Buffer.from(text, 'base64');
  if (bytes.byteLength === 0) return null;
  if (/uint8/i.test(format)) {
    return { values: Float32Array.from(bytes), encoding: 'base64 (uint8)' };
  }
  if (/int8/i.test(format)) return decodeSignedBytes(bytes);
  if (/binary/i.test(format)) {
    // Perplexity's lowest bit is the first one; NumPy and others start with the highest.
    const values = unpackBits(bytes, /base64_binary/i.test(format));
    return { values, encoding: 'base64 (binary)' };
  }
  const floats = decodeFloats(bytes);
  if (floats !== null) return { values: floats, encoding: 'base64' };
  // Perplexity sends signed bytes unless the request says otherwise.
  return format === '' ? decodeSignedBytes(bytes) : null;
}

function decodeSignedBytes(bytes: Uint8Array): ReadVector {
  return { values: Float32Array.from(new Int8Array(bytes)), encoding: 'base64 (int8)' };
}

/** No model returns larger values, but bytes misread as float32 do. */
const MAX_VALUE = 1e6;

function decodeFloats(bytes: Buffer): Float32Array | null {
  if (bytes.byteLength % 4 !== 0) return null;
  const values = new Float32Array(bytes.byteLength / 4);
  for (let at = 0; at < values.length; at += 1) values[at] = bytes.readFloatLE(4 * at);
  return values.every((value) => Math.abs(value) <= MAX_VALUE) ? values : null;
}

/** Maps 1 bits to 1 and 0 bits to -1. */
function unpackBits(bytes: Uint8Array, lowestFirst: boolean): Float32Array {
  const values = new Float32Array(8 * bytes.byteLength);
  for (let at = 0; at < values.length; at += 1) {
    const place = lowestFirst ? at & 7 : 7 - (at & 7);
    values[at] = ((bytes[at >> 3] ?? 0) >> place) & 1 ? 1 : -1;
  }
  return values;
}
