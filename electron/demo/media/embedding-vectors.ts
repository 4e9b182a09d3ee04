/** Computes vectors by feature hashing, so that similar inputs are near each other. */
import { countPairs, countTerms, splitStems } from './rerank-scores.ts';

/** Returns a vector of length 1. */
export type EmbedText = (text: string, dimensions: number) => Float32Array;

/** Weights words more than letter pairs, which keep inflected forms near each other. */
export function embedWords(text: string, dimensions: number): Float32Array {
  const vector = new Float32Array(dimensions);
  for (const [term, count] of countTerms(splitStems(text))) {
    addFeature(vector, `word ${term}`, 1 + Math.log(count));
  }
  addPairs(vector, text, 0.25);
  return normalize(vector);
}

export function embedLetterPairs(text: string, dimensions: number): Float32Array {
  const vector = new Float32Array(dimensions);
  addPairs(vector, text, 1);
  return normalize(vector);
}

/** Embeds an image by its byte frequencies, which are all that the demo reads of it. */
export function embedBytes(bytes: Uint8Array, dimensions: number): Float32Array {
  const counts = new Float32Array(64);
  for (const byte of bytes) counts[byte >> 2] = (counts[byte >> 2] ?? 0) + 1;
  const vector = new Float32Array(dimensions);
  for (const [at, count] of counts.entries()) addFeature(vector, `byte ${at}`, Math.sqrt(count));
  return normalize(vector);
}

function addPairs(vector: Float32Array, text: string, weight: number): void {
  for (const [pair, count] of countPairs(text)) addFeature(vector, pair, weight * Math.sqrt(count));
}

/**
 * Each feature changes several dimensions, so that vectors look dense and collisions average out.
 */
const PLACES = 64;

function addFeature(vector: Float32Array, feature: string, weight: number): void {
  let state = hash(feature);
  for (let place = 0; place < PLACES; place += 1) {
    // https://en.wikipedia.org/wiki/Xorshift
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    const at = (state >>> 1) % vector.length;
    vector[at] = (vector[at] ?? 0) + ((state & 1) === 0 ? weight : -weight);
  }
}

/** FNV-1a, which never returns 0, because xorshift would stay at 0. */
function hash(text: string): number {
  let state = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) {
    state = Math.imul(state ^ text.charCodeAt(at), 0x01000193);
  }
  return state || 1;
}

function normalize(vector: Float32Array): Float32Array {
  const length = Math.sqrt(vector.reduce((sum, value) => sum + value * value, 0));
  // An input without any words still needs a direction.
  if (length === 0) vector[0] = 1;
  return length === 0 ? vector : vector.map((value) => value / length);
}
