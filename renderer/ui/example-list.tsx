// Native buttons: a disabled Base UI button ignores clicks, which `onBlocked` has to report.
import { type ReactNode, useId } from 'react';
import styles from './example-list.module.css';
import { PlayIcon } from './icons/actions.tsx';
import { useFocusPassing } from './pass-focus.ts';
import { Tooltip } from './tooltip.tsx';

export interface Example {
  title: string;
  detail: ReactNode;
  onRun: () => void;
}

interface ExampleListProps {
  examples: readonly Example[];
  /** Shown below the examples when none of them can run. */
  blockedReason?: string | null;
  /** Hides the reason when it's only temporary, to avoid a layout shift. */
  isLoading?: boolean;
  /** Called when the user clicks an example that can't run. */
  onBlocked?: (() => void) | undefined;
}

export function ExampleList({
  examples,
  blockedReason = null,
  isLoading = false,
  onBlocked,
}: ExampleListProps) {
  return (
    <>
      <ul className={styles.examples} aria-label="Examples">
        {examples.map((example) => (
          <li key={example.title}>
            <ExampleButton example={example} blockedReason={blockedReason} onBlocked={onBlocked} />
          </li>
        ))}
      </ul>
      {blockedReason !== null && !isLoading && <p className={styles.reason}>{blockedReason}</p>}
    </>
  );
}

interface ExampleButtonProps {
  example: Example;
  blockedReason: string | null;
  onBlocked: (() => void) | undefined;
}

function ExampleButton({ example, blockedReason, onBlocked }: ExampleButtonProps) {
  const id = useId();
  return (
    <div className={styles.card}>
      <Tooltip text={blockedReason}>
        <button
          ref={useFocusPassing()}
          type="button"
          className={styles.example}
          data-focus-fallback="run"
          aria-describedby={`${id}detail`}
          aria-disabled={blockedReason !== null || undefined}
          onClick={() => (blockedReason === null ? example.onRun() : onBlocked?.())}
        >
          <PlayIcon size={12} />
          {example.title}
        </button>
      </Tooltip>
      <p id={`${id}detail`} className={styles.detail}>
        {example.detail}
      </p>
    </div>
  );
}
