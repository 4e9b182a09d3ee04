import { QueryClientProvider, useQuery } from '@tanstack/react-query';
import { type ReactNode, useEffect, useState } from 'react';
import { orpc } from '../lib/api.ts';
import { followChanges } from '../lib/change-feed.ts';
import { useLayout } from '../lib/layout.ts';
import { useLinkState } from '../lib/link-state.ts';
import { queryClient } from '../lib/query-client.ts';
import { useRoute } from '../lib/route.ts';
import { Button } from '../ui/button.tsx';
import { ErrorBoundary } from '../ui/error-boundary.tsx';
import { HiddenFallback, lazyComponent, lazyDialog } from '../ui/lazy-component.tsx';
import { findFirstStop } from '../ui/pass-focus.ts';
import { TooltipPopup } from '../ui/tooltip.tsx';
import { NavRail } from './nav-rail.tsx';
import { TypeAheadBuffer } from './palette/type-ahead-buffer.tsx';
import { PanelArea } from './panel-area.tsx';
import styles from './shell.module.css';
import { useShellCommands, useShortcutKeys } from './shell-commands.ts';

const Overlays = lazyComponent(async () => (await import('./overlays.tsx')).Overlays, {
  failed: SaidAlone,
});

/** Shows the error only if nothing else can be rendered. */
function SaidAlone({ children }: { children: ReactNode }) {
  const link = useLinkState();
  return link === 'refused' ? children : <HiddenFallback>{children}</HiddenFallback>;
}

export function App() {
  return (
    <QueryClientProvider client={queryClient}>
      <ErrorBoundary name="Gatehouse">
        <Shell />
      </ErrorBoundary>
      <ErrorBoundary name="Gatehouse">
        <Overlays />
      </ErrorBoundary>
      <TooltipPopup />
    </QueryClientProvider>
  );
}

const CommandPalette = lazyDialog(
  'Command palette',
  async () => (await import('./palette/command-palette.tsx')).CommandPalette,
  { waiting: TypeAheadBuffer },
);

const Banners = lazyComponent(async () => (await import('./banners.tsx')).Banners, {
  failed: HiddenFallback,
});

const ShortcutsSheet = lazyDialog(
  'Keyboard shortcuts',
  async () => (await import('../ui/shortcut-list.tsx')).ShortcutsSheet,
);

const InspectorDrawer = lazyComponent(
  async () => (await import('./inspector-drawer.tsx')).InspectorDrawer,
  { failed: InspectorPlace },
);

function InspectorPlace({ children }: { children: ReactNode }) {
  return <section aria-label="Inspector">{children}</section>;
}

function Shell() {
  const isRefused = useLinkState((link) => link === 'refused');
  // The overlays explain how to reconnect.
  return isRefused ? null : <Workbench />;
}

function Workbench() {
  const { panel } = useRoute();
  const inspectorOpen = useLayout((layout) => layout.inspectorOpen);
  const [opened, setOpened] = useState<'palette' | 'shortcuts' | null>(null);
  const close = () => setOpened(null);

  useShortcutKeys();
  useShellCommands(setOpened);

  useEffect(() => {
    const stop = new AbortController();
    void followChanges(stop.signal);
    return () => stop.abort();
  }, []);

  return (
    <div className={styles.shell}>
      <Appearance />
      <SkipLinks />
      <NavRail current={panel} />
      <div className={styles.column}>
        <Banners />
        <PanelArea panel={panel} />
        {inspectorOpen && <InspectorDrawer />}
      </div>
      {opened === 'palette' && <CommandPalette onClose={close} />}
      {opened === 'shortcuts' && <ShortcutsSheet onClose={close} />}
    </div>
  );
}

/** Applies the theme and density, and stores them for the first paint after the next start. */
function Appearance() {
  const { data } = useQuery(orpc.settings.get.queryOptions());
  const theme = data?.theme;
  const density = data?.density;
  useEffect(() => {
    if (theme === undefined || density === undefined) return;
    const { dataset } = document.documentElement;
    if (theme === 'system') delete dataset.theme;
    else dataset.theme = theme;
    if (density === 'compact') delete dataset.density;
    else dataset.density = density;
    localStorage.setItem('gatehouse:appearance', JSON.stringify({ theme, density }));
  }, [theme, density]);
  return null;
}

/** Renders skip links, which come first in the tab order and are visible only while focused. */
function SkipLinks() {
  const [places, setPlaces] = useState<Places>({ panel: null, composer: null, result: null });
  return (
    <nav
      aria-label="Skip links"
      className={styles.links}
      onFocus={(event) => {
        if (!event.currentTarget.contains(event.relatedTarget)) setPlaces(findPlaces());
      }}
    >
      <Button onClick={() => findPlaces().panel?.focus()}>Skip to panel</Button>
      {places.composer !== null && (
        <Button onClick={() => findPlaces().composer?.focus()}>Skip to composer</Button>
      )}
      {places.result !== null && (
        <Button onClick={() => findPlaces().result?.focus()}>Skip to result</Button>
      )}
    </nav>
  );
}

interface Places {
  panel: HTMLElement | null;
  composer: HTMLElement | null;
  result: HTMLElement | null;
}

function findPlaces(): Places {
  const panel = document.querySelector<HTMLElement>('main');
  const areas = [...(panel?.querySelectorAll<HTMLElement>('textarea') ?? [])];
  const composer = areas.find(
    (area) => area.closest('aside, article') === null && area.checkVisibility(),
  );
  const result =
    [...(panel?.querySelectorAll('[role="log"] article') ?? [])].at(-1) ??
    panel?.querySelector('section[aria-label="Result"], article');
  return {
    panel,
    composer: composer ?? null,
    result: result == null ? null : (findFirstStop(result) ?? null),
  };
}
