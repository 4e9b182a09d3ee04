import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { orpc } from '../lib/api.ts';
import { useLinkState } from '../lib/link-state.ts';
import { IconButton } from '../ui/icon-button.tsx';
import { CloseIcon } from '../ui/icons/close.tsx';
import { InfoIcon, WarningIcon } from '../ui/icons/status.tsx';
import { Spinner } from '../ui/spinner.tsx';
import styles from './banners.module.css';

/** Quiet: what is written stays, and Gatehouse tries again by itself. */
export function LinkBanner() {
  const link = useLinkState();
  if (link !== 'lost') return null;
  return (
    <div role="status" className={styles.banner} data-level="warning">
      <Spinner />
      <p className={styles.text}>Lost connection to Gatehouse. Reconnecting… Your text is kept.</p>
    </div>
  );
}

/** What main has to say about this installation, until the user has seen it. */
export function Notices() {
  const { data } = useQuery(orpc.system.info.queryOptions());
  const [dismissed, setDismissed] = useState<readonly string[]>([]);
  const notices = data?.notices.filter(({ id }) => !dismissed.includes(id)) ?? [];
  return notices.map(({ id, level, message, nextStep }) => (
    <div
      key={id}
      role={level === 'danger' ? 'alert' : 'status'}
      className={styles.banner}
      data-level={level}
    >
      {level === 'info' ? <InfoIcon /> : <WarningIcon />}
      <p className={styles.text}>
        {message} <span className={styles.nextStep}>{nextStep}</span>
      </p>
      <IconButton
        label="Dismiss"
        icon={<CloseIcon />}
        size="small"
        onClick={() => setDismissed((ids) => [...ids, id])}
      />
    </div>
  ));
}
