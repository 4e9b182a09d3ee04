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

interface HandOvers {
  /** Panels are loaded when shown: what is handed over waits here for its panel. */
  waiting: Partial<Record<TakingPanel, HandedOver[]>>;
  /** How many each panel has taken. */
  taken: Partial<Record<TakingPanel, number>>;
}

const useHandOvers = create<HandOvers>(() => ({ waiting: {}, taken: {} }));

/** Shows the panel, which puts it into its form and says so. */
export function handOver(panel: TakingPanel, ...items: readonly HandedOver[]): void {
  useHandOvers.setState(({ waiting }) => ({
    waiting: { ...waiting, [panel]: [...(waiting[panel] ?? []), ...items] },
  }));
  navigate(panel);
}

/** How a panel takes what was handed to it and says so; answers false where it could not. */
export function useTakeOver(
  panel: TakingPanel,
  take: (item: HandedOver) => boolean | Promise<boolean>,
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
      for (const item of items) void count(newest.current(item));
    };
    async function count(taking: boolean | Promise<boolean>): Promise<void> {
      if (!(await taking)) return;
      useHandOvers.setState(({ taken }) => ({
        taken: { ...taken, [panel]: (taken[panel] ?? 0) + 1 },
      }));
    }
    collect(useHandOvers.getState());
    return useHandOvers.subscribe(collect);
  }, [panel]);
}

/** Focuses what the user goes on with when something is taken while the panel is shown. */
export function useFocusOnTaken(panel: TakingPanel, target: RefObject<HTMLElement | null>): void {
  const count = useHandOvers(({ taken }) => taken[panel] ?? 0);
  const seen = useRef(count);
  useEffect(() => {
    if (count === seen.current) return;
    seen.current = count;
    let timer: ReturnType<typeof setTimeout> | undefined;
    // After the menu or dialog that it came from has given the focus back.
    const frame = requestAnimationFrame(() => {
      timer = setTimeout(() => target.current?.focus());
    });
    return () => {
      cancelAnimationFrame(frame);
      clearTimeout(timer);
    };
  }, [count, target]);
}
