import type { Matrix } from './work/similarity.ts';

export interface ShownMatrix {
  matrix: Matrix;
  /** Positions in `matrix.rows`, from top to bottom and from left to right. */
  order: readonly number[];
  names: readonly string[];
}

export const measures = [
  { value: 'cosine', label: 'Cosine' },
  { value: 'dot', label: 'Dot product' },
] as const;

export function formatScore(score: number): string {
  return score.toFixed(Math.abs(score) >= 100 ? 1 : 3).replace('-', '−');
}

/** Maps a score to the strength of its color, from 0 to 1. */
export function getHeat(score: number, { min, max }: { min: number; max: number }): number {
  return max > min ? Math.max(0, Math.min(1, (score - min) / (max - min))) : 1;
}
