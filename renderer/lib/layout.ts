import { create } from 'zustand';
import { persist } from 'zustand/middleware';
import type { PanelName } from './panels.ts';

export type InspectorTab = 'request' | 'response' | 'events' | 'timing' | 'code';

export interface Layout {
  lastPanel: PanelName;
  /** Whether the parameter sidebar is shown next to the panel, if the window is wide enough. */
  sidebarOpen: boolean;
  inspectorOpen: boolean;
  inspectorHeight: number;
  inspectorTab: InspectorTab;
  /** The run chosen in the inspector; null selects the run on screen. */
  inspectedRunId: string | null;
  /** Whether the user chose the panel's next request in the inspector. */
  inspectsNextRequest: boolean;
}

export const inspectorHeights = { min: 160, default: 300 };

/** Stores only the window layout, never requests or responses. */
export const useLayout = create<Layout>()(
  persist(
    (): Layout => ({
      lastPanel: 'chat',
      sidebarOpen: true,
      inspectorOpen: false,
      inspectorHeight: inspectorHeights.default,
      inspectorTab: 'request',
      inspectedRunId: null,
      inspectsNextRequest: false,
    }),
    {
      name: 'gatehouse:layout',
      version: 1,
      partialize: ({ inspectedRunId: _, inspectsNextRequest: __, ...kept }) => kept,
    },
  ),
);

export function rememberPanel(lastPanel: PanelName): void {
  if (useLayout.getState().lastPanel !== lastPanel) useLayout.setState({ lastPanel });
}

export function toggleSidebar(): void {
  useLayout.setState(({ sidebarOpen }) => ({ sidebarOpen: !sidebarOpen }));
}

/** Opens on the run on screen, not on a run chosen earlier. */
export function toggleInspector(): void {
  if (!useLayout.getState().inspectorOpen) selectInspectedRun(null);
  useLayout.setState(({ inspectorOpen }) => ({ inspectorOpen: !inspectorOpen }));
}

export function inspectRun(runId: string, tab?: InspectorTab): void {
  selectInspectedRun(runId);
  useLayout.setState({ inspectorOpen: true, ...(tab !== undefined && { inspectorTab: tab }) });
}

/** Null selects the run on screen, or the newest run if there is none. */
export function selectInspectedRun(inspectedRunId: string | null): void {
  useLayout.setState({ inspectedRunId, inspectsNextRequest: false });
}

export function inspectNextRequest(): void {
  useLayout.setState({ inspectorOpen: true, inspectsNextRequest: true });
}

export function setInspectorTab(inspectorTab: InspectorTab): void {
  useLayout.setState({ inspectorTab });
}

/** In a short window, the result keeps 45% of the height, minus 150 px for its controls. */
export function getMaxInspectorHeight(): number {
  const { innerHeight } = window;
  const maxHeight = innerHeight < 720 ? innerHeight * 0.55 - 150 : innerHeight - 320;
  return Math.max(inspectorHeights.min, Math.round(maxHeight));
}

/** Limits the inspector's height, so that the panel above stays visible. */
export function setInspectorHeight(height: number): void {
  const maxHeight = getMaxInspectorHeight();
  useLayout.setState({
    inspectorHeight: Math.round(Math.min(maxHeight, Math.max(inspectorHeights.min, height))),
  });
}
