import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react';
import type { VirtualizerHandle } from 'virtua';
import type { Place } from '../chat-store.ts';
import type { ScrollGroup, ScrollMember, ScrollPosition } from './scroll-group.ts';

const NEAR_PX = 48;
/** How long after a key, wheel or touch a scroll is still the reader's. */
const BY_HAND_MS = 1000;
/** What unfolds under the reader's hand stays where it is, also at the end. */
const UNFOLD_MS = 300;

/** Mounted above and below the view. */
export const BUFFER_PX = 1200;

/** Of very short messages no more than these are kept above the view. */
const MAX_KEPT = 24;
/** Kept until their heights are known: the list guesses them, and would drop the last ones and mount them again. */
const FIRST_KEPT = 12;

interface StickToEndOptions {
  scroller: RefObject<HTMLDivElement | null>;
  list: RefObject<VirtualizerHandle | null>;
  ids: readonly string[];
  /** Where to begin; null for the end. */
  place: Place | null;
  onPlace: (place: Place | null) => void;
  together: ScrollGroup | null;
}

/** Follows the end of the log while the reader is there, and remembers the place where not. */
export function useStickToEnd(options: StickToEndOptions) {
  const { scroller, list, ids, place, onPlace, together } = options;
  const following = useRef(place === null);
  const lastOffset = useRef(0);
  const lastInputAt = useRef(Number.NEGATIVE_INFINITY);
  const [away, setAway] = useState(place !== null);
  const [keptFromId, setKeptFromId] = useState(ids.at(-FIRST_KEPT) ?? ids[0] ?? null);
  const firstPlace = useRef(place);
  const lastId = ids.at(-1);
  const knownLastId = useRef(lastId);

  useLayoutEffect(() => {
    const start = firstPlace.current;
    const index = start === null ? -1 : ids.indexOf(start.messageId);
    firstPlace.current = null;
    if (start !== null && index >= 0) {
      list.current?.scrollToIndex(index, { align: 'start', offset: start.offset });
      return;
    }
    // A message added at the end was sent from here: the reader wants to see it.
    if (knownLastId.current !== lastId) follow(true);
    knownLastId.current = lastId;
    if (following.current) toEnd();
  });

  const member = useRef<ScrollMember>({ show: () => undefined });
  useLayoutEffect(() => {
    member.current.show = show;
  });
  useEffect(() => together?.join(member.current), [together]);

  /** Where another log is, as far as this one goes. */
  function show(position: ScrollPosition) {
    const handle = list.current;
    if (handle === null) return;
    follow(position === 'end');
    if (position === 'end') return toEnd();
    const { index, part } = position;
    handle.scrollTo(handle.getItemOffset(index) + part * handle.getItemSize(index));
  }

  function follow(follows: boolean) {
    following.current = follows;
    setAway(!follows);
  }

  function keepAbove(handle: VirtualizerHandle, offset: number) {
    const first = handle.findItemIndex(offset - BUFFER_PX);
    setKeptFromId(ids[Math.max(first, ids.length - MAX_KEPT)] ?? null);
  }

  function toEnd() {
    const element = scroller.current;
    if (element !== null) element.scrollTop = element.scrollHeight;
  }

  return {
    away,
    /**
     * The first message that stays mounted while the log follows its end; null for none. The list leaves out what is
     * above the view while it scrolls down, and brings it back as it rests: with every line of an answer.
     */
    keptFromId: away ? null : keptFromId,
    onInput() {
      lastInputAt.current = performance.now();
    },
    onScroll(offset: number) {
      const handle = list.current;
      if (handle === null) return;
      // Not the element's own sizes: reading them would lay the page out once more.
      const isNear = handle.scrollSize - handle.viewportSize - offset < NEAR_PX;
      // Items that turn out smaller than guessed move the offset back as well.
      const isByHand = performance.now() - lastInputAt.current < BY_HAND_MS;
      if (isNear) {
        follow(true);
        keepAbove(handle, offset);
      } else if (isByHand && offset < lastOffset.current - 1) follow(false);
      lastOffset.current = offset;
      if (isByHand && together !== null) {
        const index = handle.findItemIndex(offset);
        const part = (offset - handle.getItemOffset(index)) / (handle.getItemSize(index) || 1);
        together.moved(member.current, isNear ? 'end' : { index, part });
      }
    },
    onScrollEnd() {
      const handle = list.current;
      if (handle === null) return;
      if (following.current) return onPlace(null);
      const index = handle.findItemIndex(handle.scrollOffset);
      const messageId = ids[index];
      if (messageId === undefined) return;
      onPlace({ messageId, offset: Math.round(handle.scrollOffset - handle.getItemOffset(index)) });
    },
    onResize() {
      const isUnfolding = performance.now() - lastInputAt.current < UNFOLD_MS;
      if (following.current && !isUnfolding) toEnd();
    },
    jumpToEnd() {
      follow(true);
      toEnd();
    },
  };
}
