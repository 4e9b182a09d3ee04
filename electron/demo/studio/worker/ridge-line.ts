/** Outlines of land: how high each kind is at a place along an endless line. */
import type { Land } from './plan-scene.ts';

/** Height from 0 to 1 at `place`; 1 of place is about the height of the picture. */
export function ridgeHeight(land: Land, place: number): number {
  switch (land) {
    case 'hills':
      return 0.7 * noise(place * 1.3) + 0.3 * noise(place * 3.7 + 40);
    case 'mountains':
      return 0.62 * sharp(place * 1.5) + 0.26 * sharp(place * 4 + 9) + 0.12 * noise(place * 14);
    case 'forest':
      return 0.45 * noise(place * 1.6) + 0.35 * trees(place * 11) + 0.2 * trees(place * 23 + 5);
    case 'city':
      return (
        0.15 + 0.6 * steps(place * 7) * (0.5 + 0.5 * noise(place * 0.9)) + 0.25 * steps(place * 3)
      );
    case 'waves':
      return 0.3 * noise(place * 0.8) + 0.12 * (1 + Math.sin(place * 9 + 3 * noise(place * 2)));
  }
}

/** Smooth value noise from 0 to 1. */
function noise(place: number): number {
  const cell = Math.floor(place);
  const part = place - cell;
  const eased = part * part * (3 - 2 * part);
  return lattice(cell) * (1 - eased) + lattice(cell + 1) * eased;
}

function sharp(place: number): number {
  return 1 - Math.abs(2 * noise(place) - 1);
}

function trees(place: number): number {
  const cell = Math.floor(place);
  return (1 - Math.abs(2 * (place - cell) - 1)) * (0.45 + 0.55 * lattice(cell));
}

function steps(place: number): number {
  return lattice(Math.floor(place));
}

function lattice(cell: number): number {
  let mixed = Math.imul(cell | 0, 0x27d4eb2d) ^ 0x165667b1;
  mixed = Math.imul(mixed ^ (mixed >>> 15), 0x85ebca6b);
  return ((mixed ^ (mixed >>> 13)) >>> 0) / 4_294_967_296;
}
