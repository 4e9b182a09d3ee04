import { lazy, Suspense, useEffect, useState } from 'react';
import { followChanges } from '../lib/change-feed.ts';
import { useLayout } from '../lib/layout.ts';
import { useLinkState } from '../lib/link-state.ts';
import { useRoute } from '../lib/route.ts';
import { useAppearance } from './appearance.ts';
import { LinkBanner } from './link-banner.tsx';
import { NavRail } from './nav-rail.tsx';
import { Notices } from './notices.tsx';
import { PanelArea } from './panel-area.tsx';
import { SessionEnded } from './session-ended.tsx';
import styles from './shell.module.css';
import { useShellCommands, useShortcutKeys } from './shell-commands.ts';

const CommandPalette = lazy(async () => ({
  default: (await import('./command-palette.tsx')).CommandPalette,
}));

const InspectorDrawer = lazy(async () => ({
  default: (await import('./inspector-drawer.tsx')).InspectorDrawer,
}));

export function Shell() {
  const connection = useLinkState();
  return connection === 'refused' ? <SessionEnded /> : <Workbench />;
}

function Workbench() {
  const { panel } = useRoute();
  const inspectorOpen = useLayout((layout) => layout.inspectorOpen);
  const [paletteOpen, setPaletteOpen] = useState(false);

  useAppearance();
  useShortcutKeys();
  useShellCommands({ onOpenPalette: () => setPaletteOpen(true) });

  useEffect(() => {
    const stop = new AbortController();
    void followChanges(stop.signal);
    return () => stop.abort();
  }, []);

  return (
    <div className={styles.shell}>
      <NavRail current={panel} />
      <div className={styles.column}>
        <LinkBanner />
        <Notices />
        <PanelArea panel={panel} />
        {inspectorOpen && (
          <Suspense>
            <InspectorDrawer />
          </Suspense>
        )}
      </div>
      {paletteOpen && (
        <Suspense>
          <CommandPalette onClose={() => setPaletteOpen(false)} />
        </Suspense>
      )}
    </div>
  );
}
