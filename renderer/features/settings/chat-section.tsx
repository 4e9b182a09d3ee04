import { toAppError } from '../../lib/app-error.ts';
import { useSettings, useUpdateSettings } from '../../lib/settings.ts';
import { ErrorAlert } from '../../ui/error-alert.tsx';
import { Kbd } from '../../ui/kbd.tsx';
import { Switch } from '../../ui/switch.tsx';
import styles from './settings.module.css';

/** How the composer of a conversation behaves. */
export function ChatSection() {
  const { enterSends } = useSettings();
  const update = useUpdateSettings();
  return (
    <>
      <div className={styles.card}>
        <div className={styles.row}>
          <div className={styles.rowText}>
            <span>Enter sends</span>
            <span className={styles.rowHelp}>
              Press Enter to run, and Shift+Enter for a new line. <Kbd shortcut="Mod+Enter" />{' '}
              always runs.
            </span>
          </div>
          <Switch
            label="Enter sends"
            hideLabel
            checked={enterSends}
            onCheckedChange={(checked) => update.mutate({ enterSends: checked })}
          />
        </div>
      </div>
      {update.error !== null && <ErrorAlert error={toAppError(update.error)} />}
    </>
  );
}
