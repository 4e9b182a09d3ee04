import { useQuery } from '@tanstack/react-query';
import { orpc } from '../../lib/api.ts';
import { toAppError } from '../../lib/app-error.ts';
import { hrefFor, useRoute } from '../../lib/route.ts';
import { PanelFrame } from '../../run/frame/panel-frame.tsx';
import { ErrorAlert } from '../../ui/error-alert.tsx';
import { ShortcutList } from '../../ui/shortcut-list.tsx';
import { Spinner } from '../../ui/spinner.tsx';
import { AppearanceSection } from './appearance-section.tsx';
import { ChatSection } from './chat-section.tsx';
import { CompareSection } from './compare-section.tsx';
import { ConnectionsSection } from './connections-section.tsx';
import { PricesSection } from './prices-section.tsx';
import styles from './settings.module.css';
import { TimeoutsSection } from './timeouts-section.tsx';

const sections = [
  { name: 'connections', title: 'Connections', Section: ConnectionsSection },
  { name: 'appearance', title: 'Appearance', Section: AppearanceSection },
  // Not “Chat”: that is the panel's own link.
  { name: 'chat', title: 'Composer', Section: ChatSection },
  { name: 'compare', title: 'Comparisons', Section: CompareSection },
  { name: 'timeouts', title: 'Timeouts', Section: TimeoutsSection },
  { name: 'prices', title: 'Prices', Section: PricesSection },
  { name: 'shortcuts', title: 'Shortcuts', Section: ShortcutList },
  { name: 'about', title: 'About', Section: AboutSection },
] as const;

export function SettingsPanel() {
  const { detail } = useRoute();
  const shown = sections.find(({ name }) => name === detail) ?? sections[0];
  return (
    <PanelFrame title="Settings">
      <div className={styles.settings}>
        <nav aria-label="Settings sections" className={styles.sections}>
          {sections.map(({ name, title }) => (
            <a
              key={name}
              href={hrefFor('settings', name)}
              aria-current={name === shown.name ? 'page' : undefined}
              className={styles.sectionLink}
            >
              {title}
            </a>
          ))}
        </nav>
        <div className={styles.scroll}>
          <section className={styles.section} aria-labelledby="settings-section">
            <h2 id="settings-section" className={styles.heading}>
              {shown.title}
            </h2>
            <shown.Section />
          </section>
        </div>
      </div>
    </PanelFrame>
  );
}

const hosts = {
  desktop: 'Desktop window',
  browser: 'Browser (this machine only)',
} as const;

function AboutSection() {
  const { data, error } = useQuery(orpc.system.info.queryOptions());
  if (error !== null) return <ErrorAlert error={toAppError(error)} />;
  if (data === undefined) return <Spinner label="Loading" />;
  const facts: [name: string, value: string, monospace: boolean][] = [
    ['Version', data.version, false],
    ['Running in', hosts[data.host], false],
    ['Platform', data.platform, false],
    ['Data folder', data.dataFolder, true],
    ['License', 'MIT', false],
  ];
  return (
    <>
      <p className={styles.intro}>
        Gatehouse is a playground for AI model gateways. Runs, conversations and settings stay in
        the data folder on this machine; requests go only to the connection you choose.
      </p>
      <dl className={styles.card}>
        {facts.map(([name, value, monospace]) => (
          <div key={name} className={styles.row}>
            <dt>{name}</dt>
            <dd className={styles.value}>
              {monospace ? <span className={styles.mono}>{value}</span> : value}
            </dd>
          </div>
        ))}
      </dl>
    </>
  );
}
