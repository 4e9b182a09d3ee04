import type { Settings } from '../../../shared/settings.ts';
import { toAppError } from '../../lib/app-error.ts';
import { useSettings, useUpdateSettings } from '../../lib/settings.ts';
import { ErrorAlert } from '../../ui/error-alert.tsx';
import { Segmented } from '../../ui/segmented.tsx';
import styles from './settings.module.css';

const themes: { value: Settings['theme']; label: string }[] = [
  { value: 'light', label: 'Light' },
  { value: 'dark', label: 'Dark' },
  { value: 'system', label: 'System' },
];

const densities: { value: Settings['density']; label: string }[] = [
  { value: 'compact', label: 'Compact' },
  { value: 'comfortable', label: 'Comfortable' },
];

export function AppearanceSection() {
  const { theme, density } = useSettings();
  const update = useUpdateSettings();
  return (
    <>
      <div className={styles.card}>
        <div className={styles.row}>
          <div className={styles.rowText}>
            <span>Theme</span>
            {theme === 'system' && (
              <span className={styles.rowHelp}>Follows your system setting.</span>
            )}
          </div>
          <Segmented
            label="Theme"
            value={theme}
            options={themes}
            onValueChange={(value) => update.mutate({ theme: value })}
          />
        </div>
        <div className={styles.row}>
          <div className={styles.rowText}>
            <span>Density</span>
            <span className={styles.rowHelp}>Comfortable makes controls taller.</span>
          </div>
          <Segmented
            label="Density"
            value={density}
            options={densities}
            onValueChange={(value) => update.mutate({ density: value })}
          />
        </div>
      </div>
      {update.error !== null && <ErrorAlert error={toAppError(update.error)} />}
    </>
  );
}
