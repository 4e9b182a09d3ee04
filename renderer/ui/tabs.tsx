import { Tabs as BaseTabs } from '@base-ui/react/tabs';
import type { ReactNode } from 'react';
import { useFocusPassing } from './pass-focus.ts';
import styles from './tabs.module.css';

export interface Tab<Value extends string> {
  value: Value;
  label: string;
  /** A count or status shown after the label and included in the tab's accessible name. */
  badge?: ReactNode;
  content: ReactNode;
}

export interface TabsProps<Value extends string> {
  label: string;
  value: Value;
  onValueChange: (value: Value) => void;
  tabs: readonly Tab<Value>[];
  trailing?: ReactNode;
}

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
      ref={useFocusPassing()}
      className={`fill ${styles.root}`}
      value={value}
      onValueChange={(next) => {
        const chosen = tabs.find((tab) => tab.value === next);
        if (chosen !== undefined) onValueChange(chosen.value);
      }}
    >
      <div className={`row-8 fixed ${styles.bar}`}>
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
        // Mount only the selected panel; Base UI keeps the old panel for another frame.
        <BaseTabs.Panel
          key={shown.value}
          value={shown.value}
          tabIndex={-1}
          className={`fill ${styles.panel}`}
        >
          {shown.content}
        </BaseTabs.Panel>
      )}
    </BaseTabs.Root>
  );
}
