import { QueryClientProvider, useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useEffect, useState } from 'react';
import { orpc } from '../lib/api.ts';
import { followChanges } from '../lib/change-feed.ts';
import { useLayout } from '../lib/layout.ts';
import { useLinkState } from '../lib/link-state.ts';
import { queryClient } from '../lib/query-client.ts';
import { useRoute } from '../lib/route.ts';
import { NavRail } from './nav-rail.tsx';
import { TypedAhead } from './palette/typed-ahead.tsx';
import { PanelArea } from './panel-area.tsx';
import styles from './shell.module.css';
import { useShellCommands, useShortcutKeys } from './shell-commands.ts';

const Overlays = lazy(async () => ({ default: (await import('./overlays.tsx')).Overlays }));

export function App() {
  return (
    <QueryClientProvider client={queryClient}>
      <Shell />
      <Suspense>
        <Overlays />
      </Suspense>
    </QueryClientProvider>
  );
}

const CommandPalette = lazy(async () => ({
  default: (await import('./palette/command-palette.tsx')).CommandPalette,
}));

const Banners = lazy(async () => ({
  default: (await import('./banners.tsx')).Banners,
}));

const SkipLinks = lazy(async () => ({
  default: (await import('./skip-links.tsx')).SkipLinks,
}));

const ShortcutsSheet = lazy(async () => ({
  default: (await import('../ui/shortcut-list.tsx')).ShortcutsSheet,
}));

const InspectorDrawer = lazy(async () => ({
  default: (await import('./inspector-drawer.tsx')).InspectorDrawer,
}));

function Shell() {
  const link = useLinkState();
  // The overlays then say how to reconnect.
  return link === 'refused' ? null : <Workbench />;
}

function Workbench() {
  const { panel } = useRoute();
  const inspectorOpen = useLayout((layout) => layout.inspectorOpen);
  const [opened, setOpened] = useState<'palette' | 'shortcuts' | null>(null);
  const close = () => setOpened(null);

  useAppearance();
  useShortcutKeys();
  useShellCommands(setOpened);

  useEffect(() => {
    const stop = new AbortController();
    void followChanges(stop.signal);
    return () => stop.abort();
  }, []);

  return (
    <div className={styles.shell}>
      <Suspense>
        <SkipLinks />
      </Suspense>
      <NavRail current={panel} />
      <div className={styles.column}>
        <Suspense>
          <Banners />
        </Suspense>
        <PanelArea panel={panel} />
        {inspectorOpen && (
          <Suspense>
            <InspectorDrawer />
          </Suspense>
        )}
      </div>
      {opened === 'palette' && (
        <Suspense fallback={<TypedAhead onClose={close} />}>
          <CommandPalette onClose={close} />
        </Suspense>
      )}
      <Suspense>{opened === 'shortcuts' && <ShortcutsSheet onClose={close} />}</Suspense>
    </div>
  );
}

/** Puts theme and density on the document and keeps them for the next start's first paint. */
function useAppearance(): void {
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
}
