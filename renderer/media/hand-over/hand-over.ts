import { type RefObject, useEffect, useEffectEvent, useRef } from 'react';
import { create } from 'zustand';
import type { Media } from '../../../shared/media.ts';
import { orpc } from '../../lib/api.ts';
import { queryClient } from '../../lib/query-client.ts';
import { navigate } from '../../lib/route.ts';

/** Panels that accept media or text from elsewhere. */
export type ReceivingPanel = 'chat' | 'image' | 'video' | 'rerank' | 'speech' | 'transcription';

export type HandOver =
  /** `slot` says where in a video's request an image goes; by default, its first frame. */
  | { kind: 'media'; media: Media; slot?: 'lastFrame' | 'references' }
  /** `runId` is the run that produced the text; null if there is none. */
  | { kind: 'text'; text: string; runId: string | null };

interface HandOvers {
  /** Items wait here until their panel has loaded. */
  waiting: Partial<Record<ReceivingPanel, HandOver[]>>;
  received: Partial<Record<ReceivingPanel, number>>;
}

const useHandOvers = create<HandOvers>(() => ({ waiting: {}, received: {} }));

/** Shows the panel, which then adds the item to its form. */
export function sendToPanel(panel: ReceivingPanel, item: HandOver): void {
  if (item.kind === 'media') rememberMedia(item.media);
  useHandOvers.setState(({ waiting }) => ({
    waiting: { ...waiting, [panel]: [...(waiting[panel] ?? []), item] },
  }));
  navigate(panel);
}

/** Caches the item as stale, because it may have been renamed. */
function rememberMedia(media: Media): void {
  const queryKey = orpc.media.get.queryKey({ input: { id: media.id } });
  if (queryClient.getQueryData(queryKey) !== undefined) return;
  queryClient.setQueryData(queryKey, media);
  void queryClient.invalidateQueries({ queryKey, exact: true, refetchType: 'none' });
}

/** `receive` returns false if the item couldn't be added to the form. */
export function useReceiver(
  panel: ReceivingPanel,
  receive: (item: HandOver) => boolean | Promise<boolean>,
): void {
  const items = useHandOvers(({ waiting }) => waiting[panel]);
  const receiveItem = useEffectEvent(async (item: HandOver) => {
    if (!(await receive(item))) return;
    useHandOvers.setState(({ received }) => ({
      received: { ...received, [panel]: (received[panel] ?? 0) + 1 },
    }));
  });
  useEffect(() => {
    // In development, strict mode runs the effect twice.
    if (items === undefined || items !== useHandOvers.getState().waiting[panel]) return;
    useHandOvers.setState(({ waiting }) => ({ waiting: { ...waiting, [panel]: undefined } }));
    for (const item of items) void receiveItem(item);
  }, [panel, items]);
}

/** Focuses `target` when the visible panel gets an item. */
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
    // Wait until the menu or dialog has returned focus.
    const frame = requestAnimationFrame(() => {
      timer = setTimeout(() => target.current?.focus());
    });
    return () => {
      cancelAnimationFrame(frame);
      clearTimeout(timer);
    };
  }, [count, target]);
}
