import { useEffect } from 'react';
import { create } from 'zustand';
import { isFinished } from '../../shared/run.ts';
import type { RunView } from '../../shared/run-view.ts';
import { useLinkState } from '../lib/link-state.ts';
import { useLiveRuns } from '../run/live/live-runs.ts';
import { ToastRegion } from '../ui/toast-region.tsx';
import { ConnectOverlay } from './connect-overlay.tsx';
import { SessionEnded } from './session-ended.tsx';

export function Overlays() {
  const link = useLinkState();
  return (
    <>
      {link === 'refused' && <SessionEnded />}
      <ToastRegion />
      <LiveRegion />
      <ConnectOverlay />
    </>
  );
}

/** Announces when a run starts and ends, but not its streamed output. */
function LiveRegion() {
  const { text, count } = useAnnouncement();
  useEffect(
    () => useLiveRuns.subscribe(({ views }, before) => announceChanges(before.views, views)),
    [],
  );
  return (
    <div className="visually-hidden" role="status" aria-live="polite">
      {/* A new key makes screen readers announce the same sentence again. */}
      <p key={count}>{text}</p>
    </div>
  );
}

type Views = Readonly<Record<string, RunView>>;

function announceChanges(before: Views, after: Views): void {
  if (before === after) return;
  for (const view of Object.values(after)) {
    const old = before[view.id];
    if (old === view) continue;
    if (old === undefined && !isFinished(view.status)) announce('Run started.');
    if (old !== undefined && !isFinished(old.status) && isFinished(view.status)) {
      announce(ending(view));
    }
  }
}

function ending({ status, error, figures }: RunView): string {
  const noResult = figures?.noResult ?? null;
  if (noResult !== null) return `Run finished with no result. ${noResult}`;
  if (status === 'succeeded') return 'Run finished.';
  if (status === 'cancelled') return 'Run stopped.';
  return `Run failed. ${error?.message ?? ''}`.trim();
}

/** A changed count makes the live region announce the same message again. */
const useAnnouncement = create<{ text: string; count: number }>(() => ({
  text: '',
  count: 0,
}));

function announce(text: string): void {
  useAnnouncement.setState(({ count }) => ({ text, count: count + 1 }));
}
