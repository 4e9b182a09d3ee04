import { useSyncExternalStore } from 'react';
import { useLayout } from './layout.ts';
import { isPanelName, type PanelName } from './panels.ts';

export interface Route {
  panel: PanelName;
  /** A conversation ID or a section of Settings. */
  detail: string | null;
}

/** Uses the hash, which works under `http://` and `app://` and isn't sent to the server. */
export function createHref(panel: PanelName, detail: string | null = null): string {
  return detail === null ? `#/${panel}` : `#/${panel}/${encodeURIComponent(detail)}`;
}

/** `replace` adds no history entry; use it for corrections rather than navigation. */
export function navigate(
  panel: PanelName,
  detail: string | null = null,
  { replace = false }: { replace?: boolean } = {},
): void {
  const href = createHref(panel, detail);
  if (href === location.hash) return;
  if (replace) location.replace(href);
  else location.hash = href;
}

/** Returns null if the hash doesn't name a panel. */
export function parseRoute(hash: string): Route | null {
  const [, panel = '', detail] = hash.replace(/^#/, '').split('/');
  if (!isPanelName(panel)) return null;
  return { panel, detail: detail === undefined || detail === '' ? null : decode(detail) };
}

/** Use in event handlers; components call `useRoute`. */
export function getCurrentRoute(): Route {
  return parseRoute(location.hash) ?? { panel: useLayout.getState().lastPanel, detail: null };
}

export function useRoute(): Route {
  const hash = useSyncExternalStore(subscribe, () => location.hash);
  const lastPanel = useLayout((layout) => layout.lastPanel);
  return parseRoute(hash) ?? { panel: lastPanel, detail: null };
}

function subscribe(onChange: () => void): () => void {
  window.addEventListener('hashchange', onChange);
  return () => window.removeEventListener('hashchange', onChange);
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
