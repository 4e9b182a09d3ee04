import { useQuery } from '@tanstack/react-query';
import { type ComponentType, memo } from 'react';
import { orpc } from '../lib/api.ts';
import { type PanelActivity, useActivities } from '../lib/panel-activity.ts';
import { getPanelLabel, type PanelName, panelNames } from '../lib/panels.ts';
import { createHref } from '../lib/route.ts';
import type { IconProps } from '../ui/icons/icon.tsx';
import {
  ChatIcon,
  CheckPanelIcon,
  CompletionIcon,
  ConsoleIcon,
  EmbeddingsIcon,
  HistoryIcon,
  ImageIcon,
  LibraryIcon,
  RerankIcon,
  SettingsIcon,
  SpeechIcon,
  TranscriptionIcon,
  VideoIcon,
} from '../ui/icons/panels.tsx';
import { Tooltip } from '../ui/tooltip.tsx';
import styles from './nav-rail.module.css';
import { getPanelShortcut } from './shell-commands.ts';

const icons: Record<PanelName, ComponentType<IconProps>> = {
  chat: ChatIcon,
  completion: CompletionIcon,
  image: ImageIcon,
  video: VideoIcon,
  rerank: RerankIcon,
  embeddings: EmbeddingsIcon,
  speech: SpeechIcon,
  transcription: TranscriptionIcon,
  console: ConsoleIcon,
  check: CheckPanelIcon,
  history: HistoryIcon,
  library: LibraryIcon,
  settings: SettingsIcon,
};

/** Memoized because the workbench renders whenever a panel or the palette opens. */
export const NavRail = memo(function NavRail({ current }: { current: PanelName }) {
  const activities = useActivities();
  const { data } = useQuery(orpc.runs.activeCounts.queryOptions());
  const activeCounts: Partial<Record<PanelName, number>> = data ?? {};
  return (
    <nav className={styles.rail} aria-label="Panels">
      <ul className={styles.list}>
        {panelNames.map((name) => (
          <li key={name} className={styles.item}>
            <PanelLink
              name={name}
              isCurrent={name === current}
              activity={name === current ? undefined : activities[name]}
              running={activeCounts[name] ?? 0}
            />
          </li>
        ))}
      </ul>
    </nav>
  );
});

interface PanelLinkProps {
  name: PanelName;
  isCurrent: boolean;
  activity: PanelActivity | undefined;
  /** The number of runs in progress. */
  running: number;
}

const PanelLink = memo(function PanelLink({ name, isCurrent, activity, running }: PanelLinkProps) {
  const label = getPanelLabel(name);
  const Icon = icons[name];
  return (
    <Tooltip text={label} shortcut={getPanelShortcut(name)} side="right">
      <a
        href={createHref(name)}
        aria-current={isCurrent ? 'page' : undefined}
        aria-description={activity?.description ?? (running > 0 ? `${running} running` : undefined)}
        className={styles.link}
      >
        <Icon size={18} />
        <span className={styles.label}>{label}</span>
        {activity ? (
          <span aria-hidden="true" data-live={activity.live} className={styles.activity}>
            {activity.mark}
          </span>
        ) : (
          running > 0 && <span aria-hidden="true" className={styles.running} />
        )}
      </a>
    </Tooltip>
  );
});
