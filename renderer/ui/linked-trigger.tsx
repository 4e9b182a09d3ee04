import {
  type HTMLAttributes,
  type Ref,
  useEffect,
  useEffectEvent,
  useImperativeHandle,
  useLayoutEffect,
  useRef,
} from 'react';
import type { LatePopupProps, LateTrigger } from './late-trigger.ts';

interface LinkedTriggerProps {
  trigger: LateTrigger;
  /** Those that Base UI's trigger renders a button with. */
  props: HTMLAttributes<HTMLElement> & { ref?: Ref<HTMLElement> | undefined };
}

/** What Base UI's trigger renders: no button of its own, the one that is there already. */
export function LinkedTrigger({ trigger, props: { ref, ...handlers } }: LinkedTriggerProps) {
  useImperativeHandle<HTMLElement | null, HTMLElement | null>(ref, () => trigger.button.current, [
    trigger,
  ]);
  useLayoutEffect(() => {
    trigger.handlers.current = handlers;
    return () => {
      trigger.handlers.current = null;
    };
  });
  return null;
}

/** For what has the linked trigger in it, so that that listens by then. */
export function useEarlyEvent(popup: Pick<LatePopupProps, 'trigger' | 'early' | 'onEarlyDone'>) {
  const { early, onEarlyDone } = popup;
  const { button } = popup.trigger;
  const done = useRef<Event>(null);
  const noteDone = useEffectEvent(onEarlyDone);
  useEffect(() => {
    // Twice would close it again: in development, effects run twice.
    if (early === null || done.current === early) return;
    done.current = early;
    noteDone();
    // Not where the focus has moved elsewhere meanwhile. Safari focuses what is around a pressed button.
    if (!document.activeElement?.contains(button.current)) return;
    if (early instanceof KeyboardEvent) {
      button.current?.dispatchEvent(new KeyboardEvent(early.type, early));
    } else if (early instanceof MouseEvent) {
      button.current?.dispatchEvent(new MouseEvent(early.type, early));
    }
  }, [button, early]);
}

/** A popup of what is in a modal dialog must be in it too: all else is inert. */
export function dialogAround({ button }: LateTrigger): HTMLElement | undefined {
  return button.current?.closest('dialog') ?? undefined;
}
