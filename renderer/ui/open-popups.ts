import { type RefObject, useEffect, useEffectEvent } from 'react';

const openPopups = new Set<() => void>();

/** Closes every menu and popover before a dialog opens over the page, and focuses their triggers. */
export function closePopups(): void {
  for (const close of openPopups) close();
}

/** Lets `closePopups` close this popup while it is open. */
export function useClosablePopup(
  isOpen: boolean,
  trigger: RefObject<HTMLButtonElement | null>,
  onClose: () => void,
): void {
  const close = useEffectEvent(() => {
    trigger.current?.focus();
    onClose();
  });
  useEffect(() => {
    if (!isOpen) return;
    const closeThis = () => close();
    openPopups.add(closeThis);
    return () => {
      openPopups.delete(closeThis);
    };
  }, [isOpen]);
}

/** Returns the dialog that a popup must be rendered in, because everything outside it is inert. */
export function getDialogAround(trigger: Element | null): HTMLElement | undefined {
  return trigger?.closest('dialog') ?? undefined;
}
