/** What each panel's recording is for; apart from the recorder, which is loaded where somebody may record. */
import { create } from 'zustand';
import type { PanelName } from '../../lib/panels.ts';

/** By panel, the ID of the form that its recording is attached to when it stops. */
export const useRecordingTargets = create<Partial<Record<PanelName, string>>>(() => ({}));

export function setRecordingTarget(panel: PanelName, target: string): void {
  useRecordingTargets.setState({ [panel]: target });
}

/** Moves a recording begun in one form to another. */
export function moveRecording(panel: PanelName, from: string, to: string): void {
  if (useRecordingTargets.getState()[panel] === from) setRecordingTarget(panel, to);
}
