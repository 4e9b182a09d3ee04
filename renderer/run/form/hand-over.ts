import { useEffect, useRef } from 'react';
import { create } from 'zustand';
import type { Media } from '../../../shared/media.ts';
import { navigate } from '../../lib/route.ts';

/** Panels that take images made elsewhere. */
export type TakingPanel = 'chat' | 'image' | 'video';

/** Panels are loaded when shown: what is handed over waits here for its panel. */
const useHandedOver = create<Partial<Record<TakingPanel, Media[]>>>(() => ({}));

/** Shows the panel with these media in its composer. */
export function handOver(panel: TakingPanel, media: readonly Media[]): void {
  useHandedOver.setState((waiting) => ({ [panel]: [...(waiting[panel] ?? []), ...media] }));
  navigate(panel);
}

/** How a panel takes what was handed to it; called when there is something. */
export function useTakeOver(panel: TakingPanel, take: (media: Media[]) => void): void {
  const newest = useRef(take);
  useEffect(() => {
    newest.current = take;
  });
  useEffect(() => {
    const collect = (waiting: Partial<Record<TakingPanel, Media[]>>) => {
      const media = waiting[panel];
      if (media === undefined) return;
      useHandedOver.setState({ [panel]: undefined });
      newest.current(media);
    };
    collect(useHandedOver.getState());
    return useHandedOver.subscribe(collect);
  }, [panel]);
}
