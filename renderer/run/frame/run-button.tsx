import type { Ref } from 'react';
import { panelShortcuts } from '../../lib/shortcut.ts';
import { Button } from '../../ui/button.tsx';
import { PlayIcon, StopIcon } from '../../ui/icons/actions.tsx';
import styles from './panel-frame.module.css';
import { refuseRun, useIsRefused } from './refusal.ts';

export interface RunButtonProps {
  running: boolean;
  /** The run is being handed over. */
  busy: boolean;
  /** Why Run does nothing now. */
  disabledReason: string | null;
  onRun: () => void;
  onStop: (() => void) | undefined;
  ref?: Ref<HTMLButtonElement> | undefined;
}

/** Run, which becomes Stop in the same place; a run that was refused says why here. */
export function RunButton(props: RunButtonProps) {
  const { running, busy, disabledReason, onRun, onStop, ref } = props;
  const isRefused = useIsRefused(running ? null : disabledReason);
  const button = (
    <Button
      ref={ref}
      data-run-control
      variant={running ? 'secondary' : 'primary'}
      className={styles.run ?? ''}
      icon={running ? <StopIcon size={14} /> : <PlayIcon size={14} />}
      shortcut={panelShortcuts[running ? 'stop' : 'run'].shortcut}
      disabledReason={running ? null : disabledReason}
      onBlocked={refuseRun}
      busy={busy && !running}
      // A held key, which may have been pressed on a control that is gone, neither runs nor stops.
      onKeyDown={(event) => {
        const presses = event.key === 'Enter' || event.key === ' ';
        if (presses && event.repeat) event.preventDefault();
      }}
      onClick={() => (running ? onStop?.() : onRun())}
    >
      {running ? 'Stop' : 'Run'}
    </Button>
  );
  return (
    <span className={styles.runPlace}>
      {button}
      {isRefused && (
        <span role="alert" className={styles.refusal}>
          {disabledReason}
        </span>
      )}
    </span>
  );
}
