import { createHref, useRoute } from '../../lib/route.ts';
import { PanelFrame } from '../../run/panel/panel-frame.tsx';
import { ShortcutList } from '../../ui/shortcut-list.tsx';
import { AboutSection } from './about-section.tsx';
import { ConnectionsSection } from './connections-section.tsx';
import { DataSection } from './data-section.tsx';
import { McpSection } from './mcp-section.tsx';
import { GeneralSection, TimeoutsSection } from './preference-sections.tsx';
import { PricesSection } from './prices-section.tsx';
import styles from './settings.module.css';

const sections = [
  { name: 'connections', title: 'Connections', Section: ConnectionsSection },
  { name: 'mcp', title: 'MCP servers', Section: McpSection },
  { name: 'general', title: 'General', Section: GeneralSection },
  { name: 'timeouts', title: 'Timeouts', Section: TimeoutsSection },
  { name: 'prices', title: 'Prices', Section: PricesSection },
  { name: 'data', title: 'Data', Section: DataSection },
  { name: 'shortcuts', title: 'Shortcuts', Section: Shortcuts },
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
              href={createHref('settings', name)}
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

function Shortcuts() {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: otherwise the keyboard can't scroll it.
    <section aria-label="All shortcuts" tabIndex={0}>
      <ShortcutList />
    </section>
  );
}
