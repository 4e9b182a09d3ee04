import { create } from 'zustand';
import type { Undone } from '../../shared/contract/deletions.ts';
import { api } from './api.ts';
import { toAppError } from './app-error.ts';
import { formatCount } from './format-quantity.ts';

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
  /** Main's names for the deletions, or what brings back what the page alone knows; null if there is nothing to undo. */
  undo: string | readonly string[] | (() => unknown) | null;
  /** Unix milliseconds. */
  expiresAt: number;
  /** Unix milliseconds: also for an offer that is held. */
  lastsUntil: number;
  /** Being undone, or why that did not work. */
  state: 'offered' | 'busy' | { problem: string; canRetry: boolean };
  onUndone: (() => void) | null;
  /** How it reads together with others; null for what stays alone. */
  several: GroupedMessage | null;
  /** What it is about: a notice about the same takes its words, and leaves its Undo. */
  subject: string | null;
}

/** The same at one place, done again while Undo is offered, becomes one offer. */
export interface GroupedMessage {
  /** With "#" for the count: "# runs deleted". */
  words: string;
  count: number;
  /** Appended to the words: ", answer stopped". */
  note: string;
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

interface NewOffer extends Pick<UndoOffer, 'message' | 'place' | 'undo'> {
  onUndone?: () => void;
  /** `count`: 1 unless given. */
  several?: { words: string; count?: number; note?: string };
  subject?: string | undefined;
}

/** Offers Undo at `place` for ten seconds, in place of a question before. */
export function offerUndo({ onUndone, several, subject, ...offer }: NewOffer): void {
  lastId += 1;
  const id = lastId;
  const expiresAt = Date.now() + offeredMs;
  const lastsUntil = isDeletion(offer.undo) ? Date.now() + deletionOfferedMs : Infinity;
  const added: UndoOffer = {
    ...offer,
    id,
    expiresAt,
    lastsUntil,
    state: 'offered',
    onUndone: onUndone ?? null,
    several: several === undefined ? null : { count: 1, note: '', ...several },
    subject: subject ?? null,
  };
  if (foldIntoEarlier(added) || restateEarlier(added)) return;
  setOffers((offers) => [
    // A notice alone makes room for what comes after it.
    ...offers.filter(({ undo, place }) => undo !== null || place !== added.place),
    added,
  ]);
  expireAt(id, expiresAt);
}

/** One Undo for both, for ten seconds from now; false if its place has no such offer. */
function foldIntoEarlier(added: UndoOffer): boolean {
  const earlier = useUndo.getState().offers.find((offer) => isFoldable(offer, added));
  const undo = earlier === undefined ? null : bothUndone(added.undo, earlier.undo);
  if (earlier === undefined || undo === null || !earlier.several || !added.several) return false;
  const { id, several } = earlier;
  const count = several.count + added.several.count;
  const note = several.note || added.several.note;
  change(id, {
    message: `${several.words.replace('#', formatCount(count))}${note}`,
    undo,
    expiresAt: added.expiresAt,
    several: { ...several, count, note },
    onUndone: () => {
      added.onUndone?.();
      earlier.onUndone?.();
    },
  });
  expireUnlessHeld(id);
  return true;
}

/** A notice beside the offer that it repeats would say the same twice; false if there is none. */
function restateEarlier({ message, place, subject, undo, expiresAt }: UndoOffer): boolean {
  const earlier = useUndo
    .getState()
    .offers.find((offer) => offer.place === place && offer.subject === subject);
  if (undo !== null || subject === null || earlier?.state !== 'offered') return false;
  change(earlier.id, { message, expiresAt });
  expireUnlessHeld(earlier.id);
  return true;
}

/** Not where the earlier one would take the later one's ten seconds. */
function isFoldable({ place, state, several, lastsUntil }: UndoOffer, added: UndoOffer): boolean {
  return (
    place === added.place &&
    state === 'offered' &&
    several !== null &&
    several.words === added.several?.words &&
    lastsUntil >= added.expiresAt
  );
}

/** The later first; null if main undoes the one and the page the other. */
function bothUndone(later: UndoOffer['undo'], earlier: UndoOffer['undo']): UndoOffer['undo'] {
  if (isDeletion(later) && isDeletion(earlier)) return [later, earlier].flat();
  if (typeof later !== 'function' || typeof earlier !== 'function') return null;
  return async () => {
    await later();
    await earlier();
  };
}

export async function undo(id: number): Promise<void> {
  const offer = useUndo.getState().offers.find((one) => one.id === id);
  if (offer === undefined || offer.undo === null || offer.state === 'busy') return;
  stopTimer(id);
  change(id, { state: 'busy' });
  try {
    const note = isDeletion(offer.undo)
      ? getNote(await api.deletions.undo({ ids: [offer.undo].flat() }))
      : null;
    if (!isDeletion(offer.undo)) await offer.undo();
    withdrawOffer(id);
    offer.onUndone?.();
    if (note !== null) offerUndo({ message: note, place: offer.place, undo: null });
  } catch (cause) {
    const { kind, message, nextStep } = toAppError(cause);
    const canRetry = kind !== 'not-found';
    // The link may take a while to come back.
    const expiresAt = Date.now() + (canRetry ? deletionOfferedMs : offeredMs);
    change(id, {
      state: {
        // “Try again” is the next step.
        problem: canRetry ? `Undo failed. ${message}` : `${message} ${nextStep}`.trim(),
        canRetry,
      },
      expiresAt,
      lastsUntil: Math.max(offer.lastsUntil, expiresAt),
    });
    expireUnlessHeld(id);
  }
}

/** What the user should know of an Undo that worked; null if it did just that. */
function getNote({ renamed, notes }: Undone): string | null {
  const names = renamed.map(({ from, to }) => `“${from}” was restored as “${to}”`);
  const all = names.length === 0 ? notes : [...notes, `Name in use: ${names.join(', ')}`];
  return all.length === 0 ? null : all.join(' ');
}

/** Withdraws the offer; what was done stays done. */
export function withdrawOffer(id: number): void {
  stopTimer(id);
  holders.delete(id);
  setOffers((offers) => offers.filter((offer) => offer.id !== id));
}

/** What the offers there would bring back is no longer on the page. What main can undo stays offered. */
export function withdrawOffersAt(places: readonly string[]): void {
  for (const { id, place, undo } of useUndo.getState().offers) {
    if (places.includes(place) && !isDeletion(undo)) withdrawOffer(id);
  }
}

/** An offer does not expire while the user is about to use it. */
export function holdOffer(id: number, holder: OfferHolder): void {
  holders.set(id, (holders.get(id) ?? new Set()).add(holder));
  expireUnlessHeld(id);
}

/** After `holdOffer`: where nothing else holds it, offered for at least three seconds more. */
export function releaseOffer(id: number, holder: OfferHolder): void {
  const left = holders.get(id);
  if (left?.delete(holder) !== true || left.size > 0) return;
  const offer = idleOffer(id);
  if (offer === undefined) return;
  const soonest = Math.max(offer.expiresAt, Date.now() + 3000);
  expireAt(id, Math.min(soonest, offer.lastsUntil));
}

function expireUnlessHeld(id: number): void {
  const offer = idleOffer(id);
  if (offer === undefined) return;
  const isHeld = (holders.get(id)?.size ?? 0) > 0;
  const until = isHeld ? offer.lastsUntil : offer.expiresAt;
  if (until === Infinity) stopTimer(id);
  else expireAt(id, until);
}

/** Undefined if it is being undone. */
function idleOffer(id: number): UndoOffer | undefined {
  return useUndo.getState().offers.find((one) => one.id === id && one.state !== 'busy');
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
  const { id, message, place, undo: deletions, expiresAt, lastsUntil, several } = value ?? {};
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
          several: isSeveral(several) ? several : null,
          subject: null,
        },
      ]
    : [];
}

function isSeveral(value: unknown): value is GroupedMessage {
  if (typeof value !== 'object' || value === null) return false;
  const { words, count, note }: Partial<Record<keyof GroupedMessage, unknown>> = value;
  return typeof words === 'string' && typeof count === 'number' && typeof note === 'string';
}
