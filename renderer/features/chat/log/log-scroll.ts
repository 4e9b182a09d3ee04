import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react';
import type { VirtualizerHandle } from 'virtua';
import type { Place } from '../conversation/chat-store.ts';

const NEAR_PX = 48;
/** A scroll event within this time after input counts as the user's. */
const BY_HAND_MS = 1000;
/** A resize this soon after input means that the user expanded a section, so keep it in place. */
const EXPAND_MS = 300;

/** Messages this many pixels above and below the view stay mounted. */
export const BUFFER_PX = 1200;

/** The maximum number of messages that stay mounted while the log follows the end. */
const MAX_KEPT = 24;
/** Without a minimum, the list would unmount messages before it knows their heights. */
const FIRST_KEPT = 12;

/** The fraction of the message that is above the view. */
type ScrollPosition = 'end' | { index: number; part: number };

type Show = (position: ScrollPosition) => void;

/** Linked logs show the same part of the same message, even if its height differs. */
export interface ScrollGroup {
  join: (show: Show) => () => void;
  moved: (by: Show, position: ScrollPosition) => void;
}

export function createScrollGroup(): ScrollGroup {
  const members = new Set<Show>();
  return {
    join(show) {
      members.add(show);
      return () => void members.delete(show);
    },
    moved(by, position) {
      for (const show of members) if (show !== by) show(position);
    },
  };
}

interface StickToEndOptions {
  scroller: RefObject<HTMLDivElement | null>;
  list: RefObject<VirtualizerHandle | null>;
  ids: readonly string[];
  place: Place | null;
  onPlace: ((place: Place | null) => void) | undefined;
  together: ScrollGroup | null;
  /** The message that the log doesn't scroll past by itself; null if there is none. */
  stopsAtId: string | null;
}

/** Keeps the log at the end while the user is there; otherwise remembers the position. */
export function useStickToEnd(options: StickToEndOptions) {
  const { scroller, list, ids, place, onPlace, together, stopsAtId } = options;
  const following = useRef(place === null);
  /** True until the user scrolls. */
  const stops = useRef(true);
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
    // Scroll to a message that the user just sent.
    if (knownLastId.current !== lastId) {
      follow(true);
      stops.current = true;
    }
    knownLastId.current = lastId;
    if (following.current) toEnd();
  });

  const member = useRef<Show>((position) => {
    const handle = list.current;
    if (handle === null) return;
    follow(position === 'end');
    if (position === 'end') return toEnd();
    const { index, part } = position;
    handle.scrollTo(handle.getItemOffset(index) + part * handle.getItemSize(index));
  });
  useEffect(() => together?.join(member.current), [together]);

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
    if (element === null) return;
    const stop = stopsAtId === null || !stops.current ? -1 : ids.indexOf(stopsAtId);
    const limit = stop < 0 ? undefined : list.current?.getItemOffset(stop);
    const { scrollHeight } = element;
    element.scrollTop = limit === undefined ? scrollHeight : Math.min(scrollHeight, limit);
  }

  function jumpToIndex(index: number) {
    if (index < 0) return;
    if (index >= ids.length) {
      follow(true);
      return toEnd();
    }
    follow(false);
    list.current?.scrollToIndex(index, { align: 'start' });
  }

  return {
    away,
    /** Returns the first message to keep mounted; otherwise, each new line would remount it. */
    keptFromId: away ? null : keptFromId,
    onInput() {
      lastInputAt.current = performance.now();
    },
    onScroll(offset: number) {
      const handle = list.current;
      if (handle === null) return;
      // Reading the element's own size would force a layout.
      const isNear = handle.scrollSize - handle.viewportSize - offset < NEAR_PX;
      // The list also reduces the scroll offset if items turn out smaller than estimated.
      const isByHand = performance.now() - lastInputAt.current < BY_HAND_MS;
      if (isByHand) stops.current = false;
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
      if (following.current) return onPlace?.(null);
      const index = handle.findItemIndex(handle.scrollOffset);
      const messageId = ids[index];
      if (messageId === undefined) return;
      onPlace?.({
        messageId,
        offset: Math.round(handle.scrollOffset - handle.getItemOffset(index)),
      });
    },
    onResize() {
      const isExpanding = performance.now() - lastInputAt.current < EXPAND_MS;
      if (following.current && !isExpanding) toEnd();
    },
    jumpToEnd() {
      stops.current = false;
      follow(true);
      toEnd();
    },
    jumpTo: (messageId: string) => jumpToIndex(ids.indexOf(messageId)),
    showMessage(messageId: string) {
      const handle = list.current;
      const index = ids.indexOf(messageId);
      if (handle === null || index < 0) return;
      const start = handle.getItemOffset(index) - handle.scrollOffset;
      const isInView = start < handle.viewportSize && start + handle.getItemSize(index) > 0;
      if (isInView) return;
      follow(false);
      handle.scrollToIndex(index, { align: 'start' });
    },
    scrollBy(pixels: number) {
      const element = scroller.current;
      if (element === null || pixels === 0) return;
      follow(false);
      element.scrollTop += pixels;
    },
    step(direction: -1 | 1) {
      const handle = list.current;
      if (handle === null) return;
      const index = handle.findItemIndex(handle.scrollOffset + 1);
      const isInside = handle.scrollOffset - handle.getItemOffset(index) > NEAR_PX;
      jumpToIndex(index + (direction === -1 && isInside ? 0 : direction));
    },
  };
}
