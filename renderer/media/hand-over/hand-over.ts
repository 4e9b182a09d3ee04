import { type RefObject, useEffect, useRef } from 'react';
import { create } from 'zustand';
import type { Media } from '../../../shared/media.ts';
import { orpc } from '../../lib/api.ts';
import { queryClient } from '../../lib/query-client.ts';
import { navigate } from '../../lib/route.ts';

/** Panels that accept what was made elsewhere. */
export type ReceivingPanel = 'chat' | 'image' | 'video' | 'rerank' | 'speech' | 'transcription';

export type HandOver =
  | { kind: 'media'; media: Media }
  /** For documents: one per line. `runId`: the run that brought it; null if none did. */
  | { kind: 'text'; text: string; runId: string | null };

interface HandOvers {
  /** Panels are loaded when shown: items wait here for their panel. */
  waiting: Partial<Record<ReceivingPanel, HandOver[]>>;
  /** How many each panel has received. */
  received: Partial<Record<ReceivingPanel, number>>;
}

const useHandOvers = create<HandOvers>(() => ({ waiting: {}, received: {} }));

/** Shows the panel, which puts it into its form and says so. */
export function sendToPanel(panel: ReceivingPanel, item: HandOver): void {
  if (item.kind === 'media') rememberMedium(item.media);
  useHandOvers.setState(({ waiting }) => ({
    waiting: { ...waiting, [panel]: [...(waiting[panel] ?? []), item] },
  }));
  navigate(panel);
}

/** The panel can use it at once. It still asks main: the medium may have been renamed or deleted since. */
function rememberMedium(media: Media): void {
  const queryKey = orpc.media.get.queryKey({ input: { id: media.id } });
  if (queryClient.getQueryData(queryKey) !== undefined) return;
  queryClient.setQueryData(queryKey, media);
  void queryClient.invalidateQueries({ queryKey, exact: true, refetchType: 'none' });
}

/** Puts what arrives for the panel into its form; `receive` returns false if it could not. */
export function useReceiver(
  panel: ReceivingPanel,
  receive: (item: HandOver) => boolean | Promise<boolean>,
): void {
  const newest = useRef(receive);
  useEffect(() => {
    newest.current = receive;
  });
  useEffect(() => {
    const collect = ({ waiting }: HandOvers) => {
      const items = waiting[panel];
      if (items === undefined) return;
      useHandOvers.setState(({ waiting: all }) => ({ waiting: { ...all, [panel]: undefined } }));
      for (const item of items) void count(newest.current(item));
    };
    async function count(receiving: boolean | Promise<boolean>): Promise<void> {
      if (!(await receiving)) return;
      useHandOvers.setState(({ received }) => ({
        received: { ...received, [panel]: (received[panel] ?? 0) + 1 },
      }));
    }
    collect(useHandOvers.getState());
    return useHandOvers.subscribe(collect);
  }, [panel]);
}

/** Focuses `target` when the panel receives something while it is shown. */
export function useFocusOnReceived(
  panel: ReceivingPanel,
  target: RefObject<HTMLElement | null>,
): void {
  const count = useHandOvers(({ received }) => received[panel] ?? 0);
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
