import type { Ref } from 'react';
import { useIsDisconnected } from '../../lib/link-state.ts';
import { panelShortcuts } from '../../lib/shortcut.ts';
import { Button } from '../../ui/button.tsx';
import { PlayIcon, SendIcon, StopIcon } from '../../ui/icons/actions.tsx';
import { getInProgressBlock, showRunBlock, useIsRefused } from '../form/run-block.ts';
import styles from './run-button.module.css';

export type RunLabel = 'Run' | 'Send';

export interface RunButtonProps {
  /** Chat sends a message; every other panel runs its form. Defaults to "Run". */
  label?: RunLabel | undefined;
  running: boolean;
  /** True until the start request is answered. */
  busy: boolean;
  disabledReason: string | null;
  onRun: () => void;
  onStop: (() => void) | undefined;
  ref?: Ref<HTMLButtonElement> | undefined;
}

/** Turns into Stop, in the same position, during a run. */
export function RunButton(props: RunButtonProps) {
  const { label = 'Run', running, busy, onRun, onStop, ref } = props;
  const isLinkLost = useIsDisconnected();
  const blockedReason = running ? getInProgressBlock(isLinkLost).reason : props.disabledReason;
  const isRefused = useIsRefused(blockedReason);
  // Stop requires a connection to the main process.
  const stops = running && !isLinkLost;
  const StartIcon = label === 'Send' ? SendIcon : PlayIcon;
  const button = (
    <Button
      ref={ref}
      data-run-control
      variant={stops ? 'secondary' : 'primary'}
      className={styles.run ?? ''}
      icon={stops ? <StopIcon size={14} /> : <StartIcon size={14} />}
      shortcut={panelShortcuts[stops ? 'stop' : 'run'].shortcut}
      disabledReason={stops ? null : blockedReason}
      onBlocked={showRunBlock}
      busy={busy && !running}
      // Ignore a held key, because it may have been pressed on a control that is gone.
      onKeyDown={(event) => {
        const presses = event.key === 'Enter' || event.key === ' ';
        if (presses && event.repeat) event.preventDefault();
      }}
      onClick={() => (stops ? onStop?.() : onRun())}
    >
      {stops ? 'Stop' : label}
    </Button>
  );
  return (
    <span className={styles.runPlace}>
      {button}
      {isRefused && (
        <span role="alert" className={styles.refusal}>
          {blockedReason}
        </span>
      )}
    </span>
  );
}
