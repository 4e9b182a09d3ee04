import { create } from 'zustand';
import { api } from './api.ts';
import { toAppError } from './app-error.ts';

/** How long Undo is offered; a deletion is kept longer by main, while the pointer or the focus rests on the offer. */
const offeredMs = 10_000;
const mostOffers = 3;

export interface UndoOffer {
  id: number;
  /** What was done: "Conversation deleted". */
  message: string;
  /** Of the `UndoBars` that shows it; a notification where that is not on the page. */
  place: string;
  /** Main's name for the deletion, or what brings back what the page alone knows. */
  undo: string | (() => unknown);
  /** Unix milliseconds. */
  expiresAt: number;
  /** Being undone, or why that did not work. */
  state: 'offered' | 'busy' | { problem: string };
  onUndone: (() => void) | null;
}

interface UndoStore {
  offers: readonly UndoOffer[];
  /** How many `UndoBars` each place has on the page. */
  places: Readonly<Record<string, number>>;
}

const storageKey = 'gatehouse:undo';

export const useUndo = create<UndoStore>(() => ({ offers: readKept(), places: {} }));
const timers = new Map<number, ReturnType<typeof setTimeout>>();
for (const { id, expiresAt } of useUndo.getState().offers) expireAt(id, expiresAt);
let lastId = useUndo.getState().offers.at(-1)?.id ?? 0;

/** Offers Undo at `place` for ten seconds, in place of a question before. */
export function offerUndo(
  offer: Pick<UndoOffer, 'message' | 'place' | 'undo'> & { onUndone?: () => void },
): void {
  lastId += 1;
  const id = lastId;
  const expiresAt = Date.now() + offeredMs;
  const added: UndoOffer = { onUndone: null, ...offer, id, expiresAt, state: 'offered' };
  setOffers((offers) => [...offers, added].slice(-mostOffers));
  expireAt(id, expiresAt);
}

export async function undo(id: number): Promise<void> {
  const offer = useUndo.getState().offers.find((one) => one.id === id);
  if (offer === undefined || offer.state === 'busy') return;
  holdOffer(id);
  change(id, { state: 'busy' });
  try {
    if (typeof offer.undo === 'string') await api.deletions.undo({ id: offer.undo });
    else await offer.undo();
    withdrawOffer(id);
    offer.onUndone?.();
  } catch (cause) {
    const { message, nextStep } = toAppError(cause);
    change(id, { state: { problem: `${message} ${nextStep}`.trim() } });
  }
}

/** Takes the offer away; what was done stays done. */
export function withdrawOffer(id: number): void {
  clearTimeout(timers.get(id));
  timers.delete(id);
  setOffers((offers) => offers.filter((offer) => offer.id !== id));
}

/** Nobody loses an offer that they are about to take. */
export function holdOffer(id: number): void {
  clearTimeout(timers.get(id));
  timers.delete(id);
}

/** After `holdOffer`: offered for at least three seconds more. */
export function releaseOffer(id: number): void {
  const offer = useUndo.getState().offers.find((one) => one.id === id);
  if (offer?.state === 'offered') expireAt(id, Math.max(offer.expiresAt, Date.now() + 3000));
}

/** While the answered function is not called, `place` shows its own offers. */
export function registerUndoPlace(place: string): () => void {
  const count = (by: number) =>
    useUndo.setState(({ places }) => ({
      places: { ...places, [place]: (places[place] ?? 0) + by },
    }));
  count(1);
  return () => count(-1);
}

function expireAt(id: number, time: number): void {
  holdOffer(id);
  timers.set(
    id,
    setTimeout(() => withdrawOffer(id), Math.max(0, time - Date.now())),
  );
}

function change(id: number, fields: Partial<UndoOffer>): void {
  setOffers((offers) => offers.map((offer) => (offer.id === id ? { ...offer, ...fields } : offer)));
}

function setOffers(next: (offers: readonly UndoOffer[]) => readonly UndoOffer[]): void {
  useUndo.setState(({ offers }) => ({ offers: next(offers) }));
  const kept = useUndo.getState().offers.filter((offer) => typeof offer.undo === 'string');
  try {
    sessionStorage.setItem(storageKey, JSON.stringify(kept));
  } catch {
    // Storage is blocked: a reload then ends the offer.
  }
}

/** Offers of deletions outlive a reload. */
function readKept(): UndoOffer[] {
  try {
    const kept: unknown = JSON.parse(sessionStorage.getItem(storageKey) ?? '[]');
    return Array.isArray(kept) ? kept.flatMap(keptOffer) : [];
  } catch {
    return [];
  }
}

function keptOffer(value: Partial<Record<keyof UndoOffer, unknown>> | null): UndoOffer[] {
  const { id, message, place, undo: deletionId, expiresAt } = value ?? {};
  return typeof id === 'number' &&
    typeof message === 'string' &&
    typeof place === 'string' &&
    typeof deletionId === 'string' &&
    typeof expiresAt === 'number' &&
    expiresAt > Date.now()
    ? [{ id, message, place, undo: deletionId, expiresAt, state: 'offered', onUndone: null }]
    : [];
}
