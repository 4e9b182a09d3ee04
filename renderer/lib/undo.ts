import { z } from 'zod';
import { create } from 'zustand';
import type { Undone } from '../../shared/contract/deletions.ts';
import { api } from './api.ts';
import { toAppError } from './app-error.ts';
import { formatCount } from './format-quantity.ts';
import { readTabStorage, writeTabStorage } from './tab-storage.ts';

/** How long Undo is offered; longer while the pointer or the focus is on the offer. */
const OFFER_MS = 10_000;
/** The main process keeps a deletion for a minute, so no offer of one outlasts that. */
const DELETION_MS = 55_000;
/** How long an offer stays at least once the pointer and the focus have left it. */
const LINGER_MS = 3000;
const KEY = 'gatehouse:undo';

/** Offers of deletions outlive a reload. */
const deletionOfferSchema = z.object({
  id: z.number(),
  /** "Conversation deleted". */
  message: z.string(),
  /** The `UndoBars` that show it; a notification if none are on the page. */
  place: z.string(),
  /** IDs of the deletions. */
  undo: z.array(z.string()),
  /** Unix milliseconds. */
  expiresAt: z.number(),
  /** Unix milliseconds; applies even if the offer is held. Null for no limit. */
  lastsUntil: z.number().nullable(),
  /** The message for several at once: `words` have "#" for the count; null if it can't be joined. */
  several: z.object({ words: z.string(), count: z.number(), note: z.string() }).nullable(),
});

export interface UndoOffer extends Omit<z.infer<typeof deletionOfferSchema>, 'undo'> {
  /** A function for what only the page knows; null for a notice. */
  undo: readonly string[] | (() => unknown) | null;
  state: 'offered' | 'busy' | { problem: string; canRetry: boolean };
  onUndone: (() => void) | null;
}

/** An offer does not expire while one of these is on it. */
export type OfferHolder = 'pointer' | 'focus';

interface UndoStore {
  offers: readonly UndoOffer[];
  /** How many `UndoBars` each place has on the page. */
  places: Readonly<Record<string, number>>;
}

export const useUndo = create<UndoStore>(() => ({ offers: readKept(), places: {} }));
const timers = new Map<number, ReturnType<typeof setTimeout>>();
const holders = new Map<number, Set<OfferHolder>>();
for (const { id, expiresAt } of useUndo.getState().offers) expireAt(id, expiresAt);
let lastId = useUndo.getState().offers.at(-1)?.id ?? 0;

interface NewOffer extends Pick<UndoOffer, 'message' | 'place'> {
  undo: string | UndoOffer['undo'];
  onUndone?: () => void;
  several?: { words: string; count?: number; note?: string };
}

/** Offers Undo at `place`, which has one offer: deletions and more of the same join it, others replace it. */
export function offerUndo({ undo, onUndone, several, ...offer }: NewOffer): void {
  lastId += 1;
  const isDeletion = typeof undo === 'string' || Array.isArray(undo);
  const added: UndoOffer = {
    ...offer,
    id: lastId,
    undo: typeof undo === 'string' ? [undo] : undo,
    expiresAt: Date.now() + OFFER_MS,
    lastsUntil: isDeletion ? Date.now() + DELETION_MS : null,
    state: 'offered',
    onUndone: onUndone ?? null,
    several: several === undefined ? null : { count: 1, note: '', ...several },
  };
  const here = useUndo
    .getState()
    .offers.filter(({ place, state }) => place === added.place && state === 'offered');
  const joined = here.map((earlier) => joinOffers(earlier, added)).find((one) => one !== null);
  if (joined !== undefined) {
    change(joined.id, joined);
    expireUnlessHeld(joined.id);
    return;
  }
  for (const { id, undo } of here) {
    // A notice does not take away the place's Undo.
    if (undo === null || added.undo !== null) withdrawOffer(id);
  }
  setOffers((offers) => [...offers, added]);
  expireAt(added.id, added.expiresAt);
}

/** One Undo for both, for ten seconds from now; null if the added offer replaces the earlier one. */
function joinOffers(earlier: UndoOffer, added: UndoOffer): UndoOffer | null {
  const undo = joinUndos(added.undo, earlier.undo);
  const { several: one, lastsUntil } = earlier;
  const { several: other, expiresAt } = added;
  if (undo === null) return null;
  // The main process will soon forget the earlier deletion.
  if (lastsUntil !== null && lastsUntil < expiresAt) return null;
  const joined = {
    ...earlier,
    undo,
    expiresAt,
    onUndone() {
      added.onUndone?.();
      earlier.onUndone?.();
    },
  };
  if (one !== null && one.words === other?.words) {
    const several = { ...one, count: one.count + other.count, note: one.note || other.note };
    const message = `${several.words.replace('#', formatCount(several.count))}${several.note}`;
    return { ...joined, message, several };
  }
  const message = `${earlier.message}. ${added.message}`;
  return Array.isArray(undo) ? { ...joined, message, several: null } : null;
}

/** The later first; null if one is a deletion and the other is not. */
function joinUndos(later: UndoOffer['undo'], earlier: UndoOffer['undo']): UndoOffer['undo'] {
  if (later === null || earlier === null) return null;
  if (typeof later !== 'function' && typeof earlier !== 'function') return [...later, ...earlier];
  if (typeof later !== 'function' || typeof earlier !== 'function') return null;
  return async () => {
    await later();
    await earlier();
  };
}

export async function undo(id: number): Promise<void> {
  const offer = findOffer((one) => one.id === id);
  if (offer === undefined || offer.undo === null || offer.state === 'busy') return;
  stopTimer(id);
  change(id, { state: 'busy' });
  try {
    let note: string | null = null;
    if (typeof offer.undo === 'function') await offer.undo();
    else note = getNote(await api.deletions.undo({ ids: [...offer.undo] }));
    withdrawOffer(id);
    offer.onUndone?.();
    if (note !== null) offerUndo({ message: note, place: offer.place, undo: null });
  } catch (cause) {
    const { kind, message, nextStep } = toAppError(cause);
    const canRetry = kind !== 'not-found';
    // The link may take a while to come back.
    const expiresAt = Date.now() + (canRetry ? DELETION_MS : OFFER_MS);
    change(id, {
      state: {
        // “Try again” is the next step.
        problem: canRetry ? `Undo failed. ${message}` : `${message} ${nextStep}`.trim(),
        canRetry,
      },
      expiresAt,
      lastsUntil: offer.lastsUntil === null ? null : Math.max(offer.lastsUntil, expiresAt),
    });
    expireUnlessHeld(id);
  }
}

/** Returns a notice about a successful Undo; null if there is nothing to add. */
function getNote({ renamed, notes }: Undone): string | null {
  const names = renamed.map(({ from, to }) => `“${from}” was restored as “${to}”`);
  const all = names.length === 0 ? notes : [...notes, `Name already in use: ${names.join(', ')}`];
  return all.length === 0 ? null : all.join(' ');
}

export function withdrawOffer(id: number): void {
  stopTimer(id);
  holders.delete(id);
  setOffers((offers) => offers.filter((offer) => offer.id !== id));
}

/** For places that are gone: what the page alone could restore is no longer there. */
export function withdrawOffersAt(places: readonly string[]): void {
  for (const { id, place, undo } of useUndo.getState().offers) {
    if (places.includes(place) && !Array.isArray(undo)) withdrawOffer(id);
  }
}

/** An offer does not expire while the user is about to use it. */
export function holdOffer(id: number, holder: OfferHolder): void {
  holders.set(id, (holders.get(id) ?? new Set()).add(holder));
  expireUnlessHeld(id);
}

export function releaseOffer(id: number, holder: OfferHolder): void {
  const rest = holders.get(id);
  if (rest?.delete(holder) !== true || rest.size > 0) return;
  const offer = findOffer((one) => one.id === id);
  if (offer === undefined || offer.state === 'busy') return;
  const soonest = Math.max(offer.expiresAt, Date.now() + LINGER_MS);
  expireAt(id, Math.min(soonest, offer.lastsUntil ?? Infinity));
}

function expireUnlessHeld(id: number): void {
  const offer = findOffer((one) => one.id === id);
  if (offer === undefined || offer.state === 'busy') return;
  const isHeld = (holders.get(id)?.size ?? 0) > 0;
  const until = isHeld ? offer.lastsUntil : offer.expiresAt;
  if (until === null) stopTimer(id);
  else expireAt(id, until);
}

/** `place` shows its own offers until the returned function is called. */
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

function findOffer(isWanted: (offer: UndoOffer) => boolean): UndoOffer | undefined {
  return useUndo.getState().offers.find(isWanted);
}

function change(id: number, fields: Partial<UndoOffer>): void {
  setOffers((offers) => offers.map((offer) => (offer.id === id ? { ...offer, ...fields } : offer)));
}

function setOffers(next: (offers: readonly UndoOffer[]) => readonly UndoOffer[]): void {
  const offers = next(useUndo.getState().offers);
  useUndo.setState({ offers });
  writeTabStorage(
    KEY,
    offers.filter(({ undo }) => Array.isArray(undo)),
  );
}

function readKept(): UndoOffer[] {
  return readTabStorage(KEY).flatMap((kept): UndoOffer[] => {
    const { data } = deletionOfferSchema.safeParse(kept);
    if (data === undefined || data.expiresAt <= Date.now()) return [];
    return [{ ...data, state: 'offered', onUndone: null }];
  });
}
