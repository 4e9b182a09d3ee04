import { create } from 'zustand';
import type { PanelName } from './panels.ts';

/** Activity in a panel that may not be shown. */
export interface PanelActivity {
  /** For its mark in the nav rail: `0:12`. */
  mark: string;
  /** `Recording 0:12`. */
  description: string;
  /** Somebody is being listened to. */
  live?: boolean;
}

export const useActivities = create<Partial<Record<PanelName, PanelActivity>>>(() => ({}));

/** Undefined: it is over. */
export function showActivity(panel: PanelName, activity: PanelActivity | undefined): void {
  useActivities.setState({ [panel]: activity });
}
