import { create } from 'zustand';
import { api } from './api.ts';
import { toAppError } from './app-error.ts';

/** How long Undo is offered; longer while the pointer or the focus rests on the offer. */
const offeredMs = 10_000;
/** Main keeps a deletion for a minute: an offer of it must not outlast that, however long it is held. */
const deletionOfferedMs = 55_000;

export interface UndoOffer {
  id: number;
  /** What was done: "Conversation deleted". */
  message: string;
  /** Of the `UndoBars` that shows it; a notification where that is not on the page. */
  place: string;
  /** Main's names for the deletions, or what brings back what the page alone knows; null where there is nothing to undo. */
  undo: string | readonly string[] | (() => unknown) | null;
  /** Unix milliseconds. */
  expiresAt: number;
  /** Unix milliseconds: also for an offer that is held. */
  lastsUntil: number;
  /** Being undone, or why that did not work. */
  state: 'offered' | 'busy' | { problem: string };
  onUndone: (() => void) | null;
}

/** What rests on an offer and so keeps it. */
export type OfferHolder = 'pointer' | 'focus';

interface UndoStore {
  offers: readonly UndoOffer[];
  /** How many `UndoBars` each place has on the page. */
  places: Readonly<Record<string, number>>;
}

const storageKey = 'gatehouse:undo';

export const useUndo = create<UndoStore>(() => ({ offers: readKept(), places: {} }));
const timers = new Map<number, ReturnType<typeof setTimeout>>();
const holders = new Map<number, Set<OfferHolder>>();
for (const { id, expiresAt } of useUndo.getState().offers) expireAt(id, expiresAt);
let lastId = useUndo.getState().offers.at(-1)?.id ?? 0;

/** Offers Undo at `place` for ten seconds, in place of a question before. */
export function offerUndo(
  offer: Pick<UndoOffer, 'message' | 'place' | 'undo'> & { onUndone?: () => void },
): void {
  lastId += 1;
  const id = lastId;
  const expiresAt = Date.now() + offeredMs;
  const lastsUntil = isDeletion(offer.undo) ? Date.now() + deletionOfferedMs : Infinity;
  const added: UndoOffer = {
    onUndone: null,
    ...offer,
    id,
    expiresAt,
    lastsUntil,
    state: 'offered',
  };
  setOffers((offers) => [
    // A notice alone makes room for what comes after it.
    ...offers.filter(({ undo, place }) => undo !== null || place !== added.place),
    added,
  ]);
  expireAt(id, expiresAt);
}

export async function undo(id: number): Promise<void> {
  const offer = useUndo.getState().offers.find((one) => one.id === id);
  if (offer === undefined || offer.undo === null || offer.state === 'busy') return;
  stopTimer(id);
  change(id, { state: 'busy' });
  try {
    if (isDeletion(offer.undo)) await api.deletions.undo({ ids: [offer.undo].flat() });
    else await offer.undo();
    withdrawOffer(id);
    offer.onUndone?.();
  } catch (cause) {
    const { message, nextStep } = toAppError(cause);
    change(id, { state: { problem: `${message} ${nextStep}`.trim() } });
  }
}

/** Withdraws the offer; what was done stays done. */
export function withdrawOffer(id: number): void {
  stopTimer(id);
  holders.delete(id);
  setOffers((offers) => offers.filter((offer) => offer.id !== id));
}

/** An offer does not expire while the user is about to use it. */
export function holdOffer(id: number, holder: OfferHolder): void {
  holders.set(id, (holders.get(id) ?? new Set()).add(holder));
  const offer = offeredAs(id);
  if (offer === undefined) return;
  if (offer.lastsUntil === Infinity) stopTimer(id);
  else expireAt(id, offer.lastsUntil);
}

/** After `holdOffer`: where nothing else holds it, offered for at least three seconds more. */
export function releaseOffer(id: number, holder: OfferHolder): void {
  const left = holders.get(id);
  if (left?.delete(holder) !== true || left.size > 0) return;
  const offer = offeredAs(id);
  if (offer === undefined) return;
  const soonest = Math.max(offer.expiresAt, Date.now() + 3000);
  expireAt(id, Math.min(soonest, offer.lastsUntil));
}

function offeredAs(id: number): UndoOffer | undefined {
  return useUndo.getState().offers.find((one) => one.id === id && one.state === 'offered');
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
  stopTimer(id);
  timers.set(
    id,
    setTimeout(() => withdrawOffer(id), Math.max(0, time - Date.now())),
  );
}

function stopTimer(id: number): void {
  clearTimeout(timers.get(id));
  timers.delete(id);
}

/** What main can still undo after a reload. */
function isDeletion(undo: unknown): undo is string | readonly string[] {
  return (
    typeof undo === 'string' || (Array.isArray(undo) && undo.every((id) => typeof id === 'string'))
  );
}

function change(id: number, fields: Partial<UndoOffer>): void {
  setOffers((offers) => offers.map((offer) => (offer.id === id ? { ...offer, ...fields } : offer)));
}

function setOffers(next: (offers: readonly UndoOffer[]) => readonly UndoOffer[]): void {
  useUndo.setState(({ offers }) => ({ offers: next(offers) }));
  const kept = useUndo.getState().offers.filter((offer) => isDeletion(offer.undo));
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
  const { id, message, place, undo: deletions, expiresAt, lastsUntil } = value ?? {};
  return typeof id === 'number' &&
    typeof message === 'string' &&
    typeof place === 'string' &&
    isDeletion(deletions) &&
    typeof expiresAt === 'number' &&
    expiresAt > Date.now() &&
    typeof lastsUntil === 'number'
    ? [
        {
          id,
          message,
          place,
          undo: deletions,
          expiresAt,
          lastsUntil,
          state: 'offered',
          onUndone: null,
        },
      ]
    : [];
}
