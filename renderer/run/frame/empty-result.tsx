import type { ReactNode } from 'react';
import { connectGateway, useConnections } from '../../lib/connections.ts';
import { Button } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { type Example, ExampleList } from '../../ui/example-list.tsx';
import { RetryIcon } from '../../ui/icons/actions.tsx';
import { KeyIcon, WarningIcon } from '../../ui/icons/status.tsx';
import { type RunBlock, showRunBlock } from '../form/run-block.ts';
import styles from './empty-result.module.css';

interface EmptyResultProps {
  icon: ReactNode;
  title: string;
  action: ReactNode;
  children: ReactNode;
}

export function EmptyResult(props: EmptyResultProps) {
  return (
    <section aria-label="Result" className={styles.empty} data-focus-fallback="run">
      <EmptyState {...props} />
    </section>
  );
}

interface FirstScreenProps {
  icon: ReactNode;
  title: string;
  children?: ReactNode;
  examples: readonly Example[];
  blocked: RunBlock | null;
}

export function FirstScreen({ examples, blocked, ...props }: FirstScreenProps) {
  return (
    <EmptyState
      {...props}
      action={
        <div className={styles.firstScreen}>
          <ExampleList
            examples={examples}
            blockedReason={blocked?.reason ?? null}
            isLoading={blocked?.isLoading ?? false}
            onBlocked={showRunBlock}
          />
          <ConnectGateway />
        </div>
      }
    />
  );
}

export function ExampleResult(props: FirstScreenProps) {
  return (
    <section aria-label="Result" className={styles.empty}>
      <FirstScreen {...props} />
    </section>
  );
}

/** Renders nothing unless the demo is the only connection. */
function ConnectGateway() {
  const { connections, isPending } = useConnections();
  if (isPending || connections.some(({ kind }) => kind !== 'demo')) return null;
  return (
    <div className={styles.connect}>
      <p className={styles.about}>
        Gatehouse is a playground for the models on your AI gateway. The Demo connection is
        simulated: it runs on your computer and needs no key.
      </p>
      <Button icon={<KeyIcon size={14} />} onClick={connectGateway}>
        Connect your gateway
      </Button>
    </div>
  );
}

interface NoResultProps {
  reason: string;
  /** Defaults to “No result.” */
  title?: string | undefined;
  onRetry?: (() => void) | undefined;
}

/** Shows that a successful run has no usable result. */
export function NoResult({ reason, title = 'No result.', onRetry }: NoResultProps) {
  return (
    <div role="alert" className={styles.notice}>
      <span className={styles.icon}>
        <WarningIcon />
      </span>
      <p className={styles.text}>
        <strong>{title}</strong> {reason}
      </p>
      {onRetry !== undefined && (
        <Button size="small" icon={<RetryIcon size={14} />} onClick={onRetry}>
          Retry
        </Button>
      )}
    </div>
  );
}
