/** A run that cannot start: Run says why, and the focus moves to where the user can change that. */
import { type RefObject, useEffect, useEffectEvent, useRef } from 'react';
import { create } from 'zustand';
import { showInlineNote } from '../../ui/inline-note.ts';

/** Why a run cannot start. */
export interface RunBlock {
  /** One sentence. */
  reason: string;
  /** The field to fix, as `showField` finds it; null for a field of the panel itself; undefined if none is wrong. */
  field?: string | null;
  /** It goes by itself, usually at once: nothing to warn of. */
  isLoading?: boolean;
}

/** Why a panel cannot run while its run is in progress, or was when the link was lost. */
export function inProgressBlock(isLinkLost: boolean): RunBlock {
  return isLinkLost ? linkLost : stillRunning;
}

const stillRunning = { reason: 'Wait for this run to finish, or stop it.' };
const linkLost = { reason: 'Connection to Gatehouse lost. Wait until it is back.' };

/** What a panel's own fields lack, and in which of them if `showField` can find it; null if they lack nothing. */
export function panelBlock(reason: string | null, field: string | null = null): RunBlock | null {
  return reason === null ? null : { reason, field };
}

interface Refusal {
  /** Grows with every run that is refused. */
  count: number;
  /** Shown at Run until it no longer holds, or for a while. */
  reason: string | null;
}

const useRefusal = create<Refusal>(() => ({ count: 0, reason: null }));

const shownMs = 8000;

/** For whatever starts a run, in place of starting it: a shortcut, Retry, an example. */
export function showRunBlock(): void {
  useRefusal.setState(({ count }) => ({ count: count + 1 }));
}

/** Whether Run says `reason` now. */
export function useIsRefused(reason: string | null): boolean {
  return useRefusal((state) => reason !== null && state.reason === reason);
}

/** For the frame of a panel, which can run where `blocked` is null. */
export function useRefusals(frame: RefObject<HTMLElement | null>, blocked: RunBlock | null): void {
  const reason = blocked?.reason ?? null;
  const count = useRefusal((state) => state.count);
  const refuse = useEffectEvent(() => {
    if (blocked === null) return;
    const focused = document.activeElement;
    const isElsewhere = focused instanceof HTMLButtonElement && !('runControl' in focused.dataset);
    if (isElsewhere) showInlineNote(focused, blocked.reason);
    useRefusal.setState({ reason });
    if (blocked.field === undefined) return;
    if (blocked.field !== null) showField(blocked.field);
    else missingField(frame.current)?.focus();
  });
  // What the panel before refused is not refused again here.
  const known = useRef(count);
  useEffect(() => {
    if (count === known.current) return;
    known.current = count;
    refuse();
  }, [count]);
  useEffect(() => () => useRefusal.setState({ reason: null }), []);
  useEffect(() => {
    const { reason: shown } = useRefusal.getState();
    if (shown !== null && shown !== reason) useRefusal.setState({ reason: null });
  }, [reason]);
  const shown = useRefusal((state) => state.reason);
  useEffect(() => {
    if (shown === null) return;
    const timer = setTimeout(() => useRefusal.setState({ reason: null }), shownMs);
    return () => clearTimeout(timer);
  }, [shown]);
}

/** The first field of the panel's own that is marked wrong, or else is empty. */
function missingField(frame: HTMLElement | null): HTMLElement | undefined {
  const found = frame?.querySelectorAll<HTMLInputElement | HTMLTextAreaElement>(
    'textarea, input:not([type="search"], [type="checkbox"], [type="file"])',
  );
  const fields = [...(found ?? [])].filter(
    (field) => field.checkVisibility() && field.closest('nav, aside, header') === null,
  );
  return (
    fields.find((field) => field.getAttribute('aria-invalid') === 'true') ??
    fields.find((field) => 'runControl' in field.dataset) ??
    fields.find((field) => field.value.trim() === '')
  );
}

const useWanted = create<{ field: string | null }>(() => ({ field: null }));

/** Opens the sidebar, if the field is in it, and focuses the control inside `data-field={field}`. */
export function showField(field: string): void {
  useWanted.setState({ field });
}

/** For the frame around the sidebar: `open` makes that visible. */
export function useShownField(
  frame: RefObject<HTMLElement | null>,
  isOpen: boolean,
  open: () => void,
): void {
  const field = useWanted((state) => state.field);
  useEffect(() => {
    if (field === null) return;
    const place = frame.current?.querySelector(`[data-field="${CSS.escape(field)}"]`);
    if (!place && !isOpen) {
      open();
      return;
    }
    useWanted.setState({ field: null });
    // What is wrong comes first; what resets a field is before its control.
    const control =
      place?.querySelector<HTMLElement>('[aria-invalid="true"]') ??
      place?.querySelector<HTMLElement>(
        'input:not([type="file"]), select, textarea, [role="switch"]',
      ) ??
      place?.querySelector<HTMLElement>('button');
    control?.scrollIntoView({ block: 'center' });
    control?.focus();
  });
}
