import { create } from 'zustand';
import type { PanelName } from './panels.ts';

/** A panel's ongoing activity; the panel may be hidden. */
export interface PanelActivity {
  /** The nav rail's badge, such as `0:12`. */
  mark: string;
  /** A description, such as `Recording 0:12`. */
  description: string;
  /** True if the microphone is recording. */
  live?: boolean;
}

export const useActivities = create<Partial<Record<PanelName, PanelActivity>>>(() => ({}));

/** Undefined clears the activity. */
export function showActivity(panel: PanelName, activity: PanelActivity | undefined): void {
  useActivities.setState({ [panel]: activity });
}
