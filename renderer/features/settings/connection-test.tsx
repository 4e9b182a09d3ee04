import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { CertificateFacts } from '../../../shared/certificate.ts';
import type { ConnectionTest } from '../../../shared/connection.ts';
import { orpc } from '../../lib/api.ts';
import { toAppError } from '../../lib/app-error.ts';
import { formatDuration } from '../../lib/format-quantity.ts';
import { classNames } from '../../ui/class-names.ts';
import { ErrorAlert } from '../../ui/error-alert.tsx';
import { CheckIcon, WarningIcon } from '../../ui/icons/status.tsx';
import styles from './connections.module.css';

export function useConnectionTest(id: string) {
  return useQuery({
    ...orpc.connections.test.queryOptions({ input: { id } }),
    staleTime: 0,
    enabled: false,
  });
}

interface ConnectionTestResultProps {
  found: ConnectionTest | undefined;
  failure?: Error | null;
  /** Shown with a failed test's certificate. */
  acceptAction?: ReactNode;
}

export function ConnectionTestResult({
  found,
  failure = null,
  acceptAction,
}: ConnectionTestResultProps) {
  if (failure !== null) return <ErrorAlert error={toAppError(failure)} />;
  if (found === undefined) return null;
  const { ok, error, certificate, summary, models } = found;
  if (error !== null) {
    return (
      <div className="stack-8">
        <ErrorAlert error={{ ...error, message: summary || error.message }} />
        <TestedAddress found={found} />
        {certificate !== null && (
          <section aria-label="The gateway’s certificate" className={styles.certificate}>
            <CertificateList certificate={certificate} />
            {acceptAction}
          </section>
        )}
      </div>
    );
  }
  return (
    <div role="status" className={styles.answer} data-ok={ok}>
      {ok ? <CheckIcon /> : <WarningIcon />}
      <div className={styles.about}>
        <p>{summary}</p>
        {models !== null && models.length > 0 && (
          <p className={styles.models}>{joinFirst(models)}</p>
        )}
        <TestedAddress found={found} />
      </div>
    </div>
  );
}

function TestedAddress({ found: { url, status, durationMs } }: { found: ConnectionTest }) {
  const parts = [
    `GET ${url}`,
    status === null ? 'no response' : String(status),
    formatDuration(durationMs),
  ];
  return <p className={classNames(styles.tested, 'mono')}>{parts.join(' · ')}</p>;
}

const MAX_SHOWN = 4;

/** Writes “a, b, c, d and 116 more”. */
function joinFirst(models: readonly string[]): string {
  const others = models.length - MAX_SHOWN;
  const shown = models.slice(0, MAX_SHOWN).join(', ');
  return others > 0 ? `${shown} and ${others.toLocaleString('en-US')} more` : shown;
}

export function CertificateList({ certificate }: { certificate: CertificateFacts }) {
  const { subject, issuer, hosts, validFrom, validTo, fingerprint } = certificate;
  const isOver = validTo < Date.now();
  const facts: [string, string][] = [
    ['Subject', subject || '(none)'],
    ['Issuer', issuer === subject ? 'Self-signed' : issuer || '(none)'],
    ['Hosts', hosts.join(', ') || '(no host names)'],
    ['Valid', `${formatDay(validFrom)} – ${formatDay(validTo)}${isOver ? ' (expired)' : ''}`],
    ['SHA-256', fingerprint],
  ];
  return (
    <dl className={styles.facts}>
      {facts.map(([name, value]) => (
        <div key={name} className={styles.fact}>
          <dt>{name}</dt>
          <dd className={name === 'SHA-256' ? 'mono' : undefined}>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

export function formatDay(at: number): string {
  return new Date(at).toLocaleDateString('en-US', { dateStyle: 'medium' });
}
