import { Fragment, type ReactNode, useEffect, useState } from 'react';
import type { AppError } from '../../shared/errors.ts';
import { formatWait } from '../../shared/format-wait.ts';
import { ActionBar } from './action-bar.tsx';
import { Button } from './button.tsx';
import { classNames } from './class-names.ts';
import styles from './error-alert.module.css';
import { RetryIcon } from './icons/actions.tsx';
import { ErrorIcon, InfoIcon } from './icons/status.tsx';

interface ErrorAlertProps {
  error: AppError;
  /** Unix milliseconds when the gateway's retry delay started; null hides the countdown. */
  failedAt?: number | null;
  /** Runs the request despite the daily cap; used when the error asks about the cap. */
  onRetry?: (() => void) | undefined;
  /** Names what the panel does, for the question about the cap. */
  runLabel?: 'Run' | 'Send';
  onDismiss?: () => void;
  /** Shown first, because they fix the error and Retry may not. */
  actions?: ReactNode;
  /** Hides the details. */
  compact?: boolean;
}

/** Shows an error next to the failed action, with its message, next step and gateway details. */
export function ErrorAlert({
  error,
  failedAt = null,
  onRetry,
  runLabel = 'Run',
  onDismiss,
  actions,
  compact = false,
}: ErrorAlertProps) {
  const isQuestion = error.kind === 'beyond-cap';
  const calm = error.kind === 'cancelled' || isQuestion;
  const facts = compact ? [] : getErrorFacts(error);
  const status = getFailedStatus(error);
  return (
    <div role="alert" className={classNames('row-8', styles.alert, calm && styles.calm)}>
      <span className={`row-4 ${styles.icon}`}>{calm ? <InfoIcon /> : <ErrorIcon />}</span>
      <div className={`stack-4 grow ${styles.body}`}>
        <p className={styles.message}>
          {error.message}
          {status !== null && <span className={styles.status}> HTTP {status}</span>}
        </p>
        {error.nextStep !== '' && <p className={styles.nextStep}>{error.nextStep}</p>}
        {facts.length > 0 && (
          <details className={`caption ${styles.details}`}>
            <summary>Details</summary>
            <dl className={styles.facts}>
              {facts.map(([name, value]) => (
                <Fragment key={name}>
                  <dt>{name}</dt>
                  <dd>{value}</dd>
                </Fragment>
              ))}
            </dl>
          </details>
        )}
        {(onRetry !== undefined || onDismiss !== undefined || actions !== undefined) && (
          <ActionBar className={styles.actions}>
            {actions}
            {onRetry !== undefined &&
              (isQuestion ? (
                <Button size="small" onClick={onRetry}>
                  {runLabel} anyway
                </Button>
              ) : (
                <RetryButton availableAt={getAvailableAt(error, failedAt)} onRetry={onRetry} />
              ))}
            {onDismiss !== undefined && (
              <Button size="small" onClick={onDismiss}>
                Dismiss
              </Button>
            )}
          </ActionBar>
        )}
      </div>
    </div>
  );
}

/** Returns the HTTP status that caused the error; null if there is none, or the message names it. */
function getFailedStatus({ gateway, message }: AppError): number | null {
  const status = gateway?.status ?? null;
  return status === null || status < 400 || message.includes(String(status)) ? null : status;
}

/** Returns the gateway's information about the error, to show as its details. */
export function getErrorFacts(error: AppError): [name: string, value: string][] {
  const gateway = error.gateway;
  const fields = error.kind === 'invalid-request' ? error.fields : [];
  const all: [string, string | null | undefined][] = [
    ...fields.map(({ path, message }): [string, string] => [path.join('.') || 'Request', message]),
    ['Status', gateway?.status?.toString()],
    ['Type', gateway?.type],
    ['Code', gateway?.code],
    ['Parameter', gateway?.param],
    ['Message', gateway?.message],
    ['Request ID', gateway?.requestId],
    ['Response', gateway?.bodyExcerpt],
    ['Cause', error.detail],
  ];
  return all.flatMap(([name, value]) => (value == null || value === '' ? [] : [[name, value]]));
}

function getAvailableAt(error: AppError, failedAt: number | null): number {
  if (failedAt === null || !('retryAfterSeconds' in error)) return 0;
  return failedAt + (error.retryAfterSeconds ?? 0) * 1000;
}

interface RetryButtonProps {
  /** Unix milliseconds when the retry delay ends; Retry works before then too. */
  availableAt: number;
  onRetry: () => void;
}

function RetryButton({ availableAt, onRetry }: RetryButtonProps) {
  const [now, setNow] = useState(() => Date.now());
  const left = Math.max(0, Math.ceil((availableAt - now) / 1000));
  const counting = left > 0;

  useEffect(() => {
    if (!counting) return;
    const timer = setInterval(() => setNow(Date.now()), 250);
    return () => clearInterval(timer);
  }, [counting]);

  return (
    <>
      <Button size="small" icon={<RetryIcon size={14} />} onClick={onRetry}>
        Retry
      </Button>
      {counting && (
        <span role="timer" className={styles.nextStep}>
          {formatWait(left)} left
        </span>
      )}
    </>
  );
}
