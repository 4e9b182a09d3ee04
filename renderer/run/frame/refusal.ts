/** A run that cannot start: Run says why, and the focus moves to where the user can change that. */
import { type RefObject, useEffect, useEffectEvent, useRef } from 'react';
import { create } from 'zustand';
import { noteAt } from '../../ui/note-at.ts';
import { showField } from './show-field.ts';

interface Refusal {
  /** Grows with every run that is refused. */
  count: number;
  /** Shown at Run until it no longer holds, or for a while. */
  reason: string | null;
}

const useRefusal = create<Refusal>(() => ({ count: 0, reason: null }));

const shownMs = 8000;

/** For whatever starts a run, in place of starting it: a shortcut, Retry, an example. */
export function refuseRun(): void {
  useRefusal.setState(({ count }) => ({ count: count + 1 }));
}

/** Whether Run says `reason` now. */
export function useIsRefused(reason: string | null): boolean {
  return useRefusal((state) => reason !== null && state.reason === reason);
}

interface RefusalOptions {
  frame: RefObject<HTMLElement | null>;
  /** Why a run cannot start; null where it can. */
  reason: string | null;
  /** What is in the way, as `showField` finds it; null for a field of the panel itself. */
  field: string | null;
}

/** For the frame of a panel. */
export function useRefusals({ frame, reason, field }: RefusalOptions): void {
  const count = useRefusal((state) => state.count);
  const refuse = useEffectEvent(() => {
    if (reason === null) return;
    const focused = document.activeElement;
    const isElsewhere = focused instanceof HTMLButtonElement && !('runControl' in focused.dataset);
    if (isElsewhere) noteAt(focused, reason);
    useRefusal.setState({ reason });
    if (field !== null) showField(field);
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
    (field) => field.checkVisibility() && field.closest('nav, aside, header, dialog') === null,
  );
  return (
    fields.find((field) => field.getAttribute('aria-invalid') === 'true') ??
    fields.find((field) => 'runControl' in field.dataset) ??
    fields.find((field) => field.value.trim() === '')
  );
}
