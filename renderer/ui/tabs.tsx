import { Tabs as BaseTabs } from '@base-ui/react/tabs';
import type { ReactNode } from 'react';
import styles from './tabs.module.css';

export interface Tab<Value extends string> {
  value: Value;
  label: string;
  /** A count or a status behind the label, part of the tab's name. */
  badge?: ReactNode;
  content: ReactNode;
}

export interface TabsProps<Value extends string> {
  /** What the tabs are about, for screen readers. */
  label: string;
  value: Value;
  onValueChange: (value: Value) => void;
  tabs: readonly Tab<Value>[];
  /** Controls at the right end of the bar. */
  trailing?: ReactNode;
}

/** Only the shown tab's content is mounted. */
export function Tabs<Value extends string>({
  label,
  value,
  onValueChange,
  tabs,
  trailing,
}: TabsProps<Value>) {
  const shown = tabs.find((tab) => tab.value === value);
  return (
    <BaseTabs.Root
      className={styles.root}
      value={value}
      onValueChange={(next) => {
        const chosen = tabs.find((tab) => tab.value === next);
        if (chosen !== undefined) onValueChange(chosen.value);
      }}
    >
      <div className={styles.bar}>
        <BaseTabs.List aria-label={label} className={styles.list} activateOnFocus>
          {tabs.map((tab) => (
            <BaseTabs.Tab key={tab.value} value={tab.value} className={styles.tab}>
              {tab.label}
              {tab.badge !== undefined && <span className={styles.badge}>{tab.badge}</span>}
            </BaseTabs.Tab>
          ))}
        </BaseTabs.List>
        {trailing}
      </div>
      {shown !== undefined && (
        // The other tabs have no panel: a panel that is left would stay beside the new one for a frame.
        // What is in it takes the focus, not the whole of it.
        <BaseTabs.Panel
          key={shown.value}
          value={shown.value}
          tabIndex={-1}
          className={styles.panel}
        >
          {shown.content}
        </BaseTabs.Panel>
      )}
    </BaseTabs.Root>
  );
}
