import { type RefObject, useEffect, useRef } from 'react';
import { create } from 'zustand';
import type { Media } from '../../../shared/media.ts';
import { navigate } from '../../lib/route.ts';

/** Panels that take what was made elsewhere. */
export type TakingPanel = 'chat' | 'image' | 'video' | 'rerank' | 'speech' | 'transcription';

export type HandedOver =
  | { kind: 'media'; media: Media }
  /** For documents: one per line. */
  | { kind: 'text'; text: string };

/** What the panel did with it, in words for the user; `undo` where something was added or replaced. */
export interface Taken {
  message: string;
  undo: (() => void) | null;
}

interface HandOvers {
  /** Panels are loaded when shown: what is handed over waits here for its panel. */
  waiting: Partial<Record<TakingPanel, HandedOver[]>>;
  /** The last one that each panel took. */
  taken: Partial<Record<TakingPanel, Taken>>;
}

const useHandOvers = create<HandOvers>(() => ({ waiting: {}, taken: {} }));

/** Shows the panel, which puts it into its form and says so. */
export function handOver(panel: TakingPanel, ...items: readonly HandedOver[]): void {
  useHandOvers.setState(({ waiting }) => ({
    waiting: { ...waiting, [panel]: [...(waiting[panel] ?? []), ...items] },
  }));
  navigate(panel);
}

/** How a panel takes what was handed to it; null where it has said itself what became of it. */
export function useTakeOver(
  panel: TakingPanel,
  take: (item: HandedOver) => Taken | null | Promise<Taken | null>,
): void {
  const newest = useRef(take);
  useEffect(() => {
    newest.current = take;
  });
  useEffect(() => {
    const collect = ({ waiting }: HandOvers) => {
      const items = waiting[panel];
      if (items === undefined) return;
      useHandOvers.setState(({ waiting: all }) => ({ waiting: { ...all, [panel]: undefined } }));
      for (const item of items) void tell(newest.current(item));
    };
    async function tell(done: Taken | null | Promise<Taken | null>): Promise<void> {
      const taken = await done;
      if (taken !== null) setTaken(panel, taken);
    }
    collect(useHandOvers.getState());
    return useHandOvers.subscribe(collect);
  }, [panel]);
}

/** What the panel took last; undefined once that was dismissed. */
export function useTaken(panel: TakingPanel): Taken | undefined {
  return useHandOvers(({ taken }) => taken[panel]);
}

export function setTaken(panel: TakingPanel, taken: Taken | undefined): void {
  useHandOvers.setState(({ taken: all }) => ({ taken: { ...all, [panel]: taken } }));
}

/** Focuses what the user goes on with when something was taken. */
export function useFocusOnTaken(panel: TakingPanel, target: RefObject<HTMLElement | null>): void {
  const taken = useTaken(panel);
  useEffect(() => {
    if (taken === undefined) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    // After the menu or dialog that it came from has given the focus back.
    const frame = requestAnimationFrame(() => {
      timer = setTimeout(() => target.current?.focus());
    });
    return () => {
      cancelAnimationFrame(frame);
      clearTimeout(timer);
    };
  }, [taken, target]);
}
