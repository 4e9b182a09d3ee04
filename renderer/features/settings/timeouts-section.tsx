import { defaultTimeouts } from '../../../shared/default-settings.ts';
import type { OperationName } from '../../../shared/operations/operation-name.ts';
import type { Timeouts } from '../../../shared/settings.ts';
import { toAppError } from '../../lib/app-error.ts';
import { operationNames } from '../../lib/panels.ts';
import { useSettings, useUpdateSettings } from '../../lib/settings.ts';
import { ErrorAlert } from '../../ui/error-alert.tsx';
import styles from './settings.module.css';
import { TimeoutRow } from './timeout-row.tsx';
import tableStyles from './timeouts.module.css';

export function TimeoutsSection() {
  const { timeouts } = useSettings();
  const update = useUpdateSettings();
  const keep = (name: OperationName, changed: Timeouts | null) => {
    const { [name]: _, ...others } = timeouts;
    update.mutate({ timeouts: changed === null ? others : { ...others, [name]: changed } });
  };
  return (
    <>
      <p className={styles.intro}>
        Seconds to wait before a run is given up; 0 means no limit. They are generous, because a
        slow model may think for minutes and what a client gives up may be billed all the same.
      </p>
      <table className={tableStyles.table}>
        <thead>
          <tr>
            <th scope="col">Operation</th>
            <th scope="col">Connect</th>
            <th scope="col">First byte</th>
            <th scope="col">Silence while it arrives</th>
            <th scope="col">
              <span className="visually-hidden">Reset</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {operationNames.map((name) => (
            <TimeoutRow
              key={name}
              operation={name}
              timeouts={timeouts[name] ?? defaultTimeouts[name]}
              changed={timeouts[name] !== undefined}
              onChange={(changed) => keep(name, changed)}
            />
          ))}
        </tbody>
      </table>
      {update.error !== null && <ErrorAlert error={toAppError(update.error)} />}
    </>
  );
}
