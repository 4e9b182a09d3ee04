import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { orpc } from '../lib/api.ts';
import { useLinkState } from '../lib/link-state.ts';
import { IconButton } from '../ui/icon-button.tsx';
import { CloseIcon } from '../ui/icons/actions.tsx';
import { InfoIcon, WarningIcon } from '../ui/icons/status.tsx';
import { lazyComponent } from '../ui/lazy-component.tsx';
import { Spinner } from '../ui/spinner.tsx';
import { McpQuestions } from './mcp-questions.tsx';
import styles from './shell.module.css';

// Load the form with the overlays, because the page can't load files once the connection is lost.
const FreshAddressForm = lazyComponent(
  async () => (await import('./session-ended.tsx')).FreshAddressForm,
);

export function Banners() {
  return (
    <>
      <LinkBanner />
      <Notices />
      <McpQuestions />
    </>
  );
}

function LinkBanner() {
  const link = useLinkState();
  const isLate = useIsLate(link === 'lost');
  if (link !== 'lost') return null;
  return (
    <div role="status" className={styles.banner} data-level="warning">
      <Spinner />
      <p className={styles.text}>Lost connection to Gatehouse. Reconnecting… Your text is kept.</p>
      {isLate && (
        <>
          <span>Did Gatehouse restart on another port?</span>
          <FreshAddressForm />
        </>
      )}
    </div>
  );
}

/** A restarted host may use a different port, which the page can't detect. */
function useIsLate(isLost: boolean): boolean {
  const [isLate, setLate] = useState(false);
  useEffect(() => {
    if (!isLost || location.protocol === 'app:') return;
    const timer = setTimeout(() => setLate(true), lateMs);
    return () => {
      clearTimeout(timer);
      setLate(false);
    };
  }, [isLost]);
  return isLate;
}

const lateMs = 5000;

function Notices() {
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
