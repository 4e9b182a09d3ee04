import type { ReactNode } from 'react';
import { Button } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import styles from './empty-result.module.css';

interface EmptyResultProps {
  icon: ReactNode;
  title: string;
  action: ReactNode;
  children: ReactNode;
}

/** Where the result will be, before the first run. */
export function EmptyResult(props: EmptyResultProps) {
  return (
    <section aria-label="Result" className={styles.empty}>
      <EmptyState {...props} />
    </section>
  );
}

interface ExampleResultProps {
  icon: ReactNode;
  title: string;
  /** What the example sends. */
  children: ReactNode;
  /** Why it cannot run now. */
  blockedReason: string | null;
  onRun: () => void;
}

/** The same, with one example that runs. */
export function ExampleResult({ blockedReason, onRun, ...props }: ExampleResultProps) {
  return (
    <EmptyResult
      {...props}
      action={
        <Button disabledReason={blockedReason} onClick={onRun}>
          Run an example
        </Button>
      }
    />
  );
}
