import { z } from 'zod';
import { create } from 'zustand';
import type { Undone } from '../../shared/contract/deletions.ts';
import { api } from './api.ts';
import { toAppError } from './app-error.ts';
import { formatCount } from './format-quantity.ts';
import { readTabStorage, writeTabStorage } from './tab-storage.ts';

/** How long Undo is shown, unless the pointer or focus is on the offer. */
const OFFER_MS = 10_000;
/** An offer must expire within a minute, because the main process then purges the deletion. */
export const DELETION_MS = 55_000;
/** The minimum time that an offer stays after the pointer and focus leave. */
const LINGER_MS = 3000;
const KEY = 'gatehouse:undo';

/** Offers to undo a deletion survive a reload. */
const deletionOfferSchema = z.object({
  id: z.number(),
  message: z.string(),
  /** The `UndoBars` that show the offer; if none are mounted, a toast shows it. */
  place: z.string(),
  undo: z.array(z.string()),
  expiresAt: z.number(),
  /** When the offer expires even if held, in Unix milliseconds; null for never. */
  lastsUntil: z.number().nullable(),
  /** The message for combined offers, with "#" for the count; null if they can't be combined. */
  several: z.object({ words: z.string(), count: z.number(), note: z.string() }).nullable(),
});

export interface UndoOffer extends Omit<z.infer<typeof deletionOfferSchema>, 'undo'> {
  /** Deletion IDs, or a function that restores page state; null for a notice. */
  undo: readonly string[] | (() => unknown) | null;
  /** Once the offer is hidden, only the shortcut or the palette can undo the deletion. */
  state: 'offered' | 'hidden' | 'busy' | { problem: string; canRetry: boolean };
  onUndone: (() => void) | null;
}

/** An offer doesn't expire while the pointer or focus is on it. */
export type OfferHolder = 'pointer' | 'focus';

interface UndoStore {
  offers: readonly UndoOffer[];
  /** The number of mounted `UndoBars` by place. */
  places: Readonly<Record<string, number>>;
}

export const useUndo = create<UndoStore>(() => ({ offers: readKept(), places: {} }));
const timers = new Map<number, ReturnType<typeof setTimeout>>();
const holders = new Map<number, Set<OfferHolder>>();
for (const { id, state, expiresAt, lastsUntil } of useUndo.getState().offers) {
  expireAt(id, state === 'hidden' ? (lastsUntil ?? 0) : expiresAt);
}
let lastId = useUndo.getState().offers.at(-1)?.id ?? 0;

interface NewOffer extends Pick<UndoOffer, 'message' | 'place'> {
  undo: string | UndoOffer['undo'];
  onUndone?: () => void;
  several?: { words: string; count?: number; note?: string };
}

/** Offers Undo at `place`, combined with an offer of the same kind or replacing any other offer. */
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
    // A notice doesn't replace an Undo offer at the same place.
    if (undo === null || added.undo !== null) hideOffer(id);
  }
  setOffers((offers) => [...offers, added]);
  expireAt(added.id, added.expiresAt);
}

/** Combines two offers with a new expiry; null if the new one must replace the earlier one. */
function joinOffers(earlier: UndoOffer, added: UndoOffer): UndoOffer | null {
  const undo = joinUndos(added.undo, earlier.undo);
  const { several: one, lastsUntil } = earlier;
  const { several: other, expiresAt } = added;
  if (undo === null) return null;
  // The main process will soon purge the earlier deletion.
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

/** Undoes the later change first; null unless both are deletions or both are functions. */
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
    // Reconnecting may take a while.
    const expiresAt = Date.now() + (canRetry ? DELETION_MS : OFFER_MS);
    change(id, {
      state: {
        // The “Try again” button already shows what to do.
        problem: canRetry ? `Undo failed. ${message}` : `${message} ${nextStep}`.trim(),
        canRetry,
      },
      expiresAt,
      lastsUntil: offer.lastsUntil === null ? null : Math.max(offer.lastsUntil, expiresAt),
    });
    expireUnlessHeld(id);
  }
}

/** Returns a note about a successful Undo; null if there's nothing to add. */
function getNote({ renamed, notes }: Undone): string | null {
  const names = renamed.map(({ from, to }) => `“${from}” was restored as “${to}”`);
  const all = names.length === 0 ? notes : [...notes, `Name already in use: ${names.join(', ')}`];
  return all.length === 0 ? null : all.join(' ');
}

/** Keeps a deletion available to the shortcut while the main process can still restore it. */
export function hideOffer(id: number): void {
  const offer = findOffer((one) => one.id === id);
  if (offer?.state !== 'offered' || (offer.lastsUntil ?? 0) <= Date.now()) {
    withdrawOffer(id);
    return;
  }
  holders.delete(id);
  change(id, { state: 'hidden' });
  expireAt(id, offer.lastsUntil ?? 0);
}

export function withdrawOffer(id: number): void {
  stopTimer(id);
  holders.delete(id);
  setOffers((offers) => offers.filter((offer) => offer.id !== id));
}

/** Withdraws offers at removed places if they restore page state, which no longer exists. */
export function withdrawOffersAt(places: readonly string[]): void {
  for (const { id, place, undo } of useUndo.getState().offers) {
    if (places.includes(place) && !Array.isArray(undo)) withdrawOffer(id);
  }
}

/** Prevents the offer from expiring while the pointer or focus is on it. */
export function holdOffer(id: number, holder: OfferHolder): void {
  holders.set(id, (holders.get(id) ?? new Set()).add(holder));
  expireUnlessHeld(id);
}

export function releaseOffer(id: number, holder: OfferHolder): void {
  const rest = holders.get(id);
  if (rest?.delete(holder) !== true || rest.size > 0) return;
  const offer = findOffer((one) => one.id === id);
  if (offer === undefined || offer.state === 'busy' || offer.state === 'hidden') return;
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

/** Lets `place` show its own offers until the returned function is called. */
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
    setTimeout(() => hideOffer(id), Math.max(0, time - Date.now())),
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
    const now = Date.now();
    if (data === undefined || Math.max(data.expiresAt, data.lastsUntil ?? 0) <= now) return [];
    return [{ ...data, state: data.expiresAt <= now ? 'hidden' : 'offered', onUndone: null }];
  });
}
