import { create } from 'zustand';
import type { PanelName } from './panels.ts';

/** Activity in a panel that may be hidden. */
export interface PanelActivity {
  /** The nav rail's badge, such as `0:12`. */
  mark: string;
  /** A description such as `Recording 0:12`. */
  description: string;
  /** The microphone is recording. */
  live?: boolean;
}

export const useActivities = create<Partial<Record<PanelName, PanelActivity>>>(() => ({}));

/** Undefined removes the activity. */
export function showActivity(panel: PanelName, activity: PanelActivity | undefined): void {
  useActivities.setState({ [panel]: activity });
}
