/** Shows why a run is blocked and focuses the field to fix. */
import { type RefObject, useEffect, useEffectEvent, useRef } from 'react';
import { create } from 'zustand';
import { showInlineNote } from '../../ui/inline-note.ts';

export interface RunBlock {
  reason: string;
  /** The name for `showField`; null for a panel's own field, undefined if no field is involved. */
  field?: string | null;
  /** Blocked only until loading finishes, so there's no warning. */
  isLoading?: boolean;
}

export function getInProgressBlock(isLinkLost: boolean): RunBlock {
  return isLinkLost ? linkLost : stillRunning;
}

const stillRunning = { reason: 'Wait for this run to finish, or stop it.' };
const linkLost = { reason: 'Lost connection to Gatehouse. Reconnecting…' };

/** Returns null if the panel's own fields are complete. */
export function createPanelBlock(
  reason: string | null,
  field: string | null = null,
): RunBlock | null {
  return reason === null ? null : { reason, field };
}

interface Refusal {
  count: number;
  /** The message next to Run, shown until the problem is fixed or a timeout passes. */
  reason: string | null;
}

const useRefusal = create<Refusal>(() => ({ count: 0, reason: null }));

const shownMs = 8000;

/** Call this instead of starting a run that is blocked. */
export function showRunBlock(): void {
  useRefusal.setState(({ count }) => ({ count: count + 1 }));
}

export function useIsRefused(reason: string | null): boolean {
  return useRefusal((state) => reason !== null && state.reason === reason);
}

/** Handles blocked runs in a panel's frame; null `blocked` means the panel can run. */
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
    else findMissingField(frame.current)?.focus();
  });
  // Ignore blocked runs of other panels.
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

/** Returns the first invalid field, the run control, or the first empty field. */
function findMissingField(frame: HTMLElement | null): HTMLElement | undefined {
  const found = frame?.querySelectorAll<HTMLInputElement | HTMLTextAreaElement>(
    'textarea, input:not([type="search"], [type="checkbox"], [type="radio"], [type="file"])',
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

/** Opens the sidebar if the field is there, and focuses the field's control. */
export function showField(field: string): void {
  useWanted.setState({ field });
}

/** Returns true until one of the fields is focused, so that what holds them opens first. */
export function useIsFieldWanted(fields: readonly string[]): boolean {
  return useWanted(({ field }) => field !== null && fields.includes(field));
}

export function useShownField(
  frame: RefObject<HTMLElement | null>,
  sidebar: { isOpen: boolean; isFilled: boolean },
  open: () => void,
): void {
  const { isOpen, isFilled } = sidebar;
  const field = useWanted((state) => state.field);
  useEffect(() => {
    if (field === null || !isFilled) return;
    const place = frame.current?.querySelector(`[data-field="${CSS.escape(field)}"]`);
    if (!place && !isOpen) {
      open();
      return;
    }
    useWanted.setState({ field: null });
    // Look for the control first, because a reset button precedes it.
    const control =
      place?.querySelector<HTMLElement>('[aria-invalid="true"]') ??
      place?.querySelector<HTMLElement>(
        'input:not([type="file"], [tabindex="-1"]), select, textarea, [role="switch"]',
      ) ??
      place?.querySelector<HTMLElement>('button');
    control?.scrollIntoView({ block: 'center' });
    control?.focus();
  });
}
