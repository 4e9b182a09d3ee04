import type { RunSummary } from '../../../shared/run.ts';
import { useAttempt } from '../../lib/use-attempt.ts';
import { Button } from '../../ui/button.tsx';
import { ErrorAlert } from '../../ui/error-alert.tsx';
import { reopenRun } from '../form/reopen.ts';

interface UseSettingsProps {
  run: Pick<RunSummary, 'id' | 'operation' | 'conversationId'>;
  onUsed?: () => void;
}

/** Puts the run's input, parameters, model and connection back into its panel, with Undo. */
export function UseSettings({ run, onUsed }: UseSettingsProps) {
  const { attempt, busy, error } = useAttempt();
  return (
    <>
      <Button
        size="small"
        variant="quiet"
        busy={busy}
        onClick={() => void attempt(() => reopenRun(run)).then((isDone) => isDone && onUsed?.())}
      >
        Use these settings
      </Button>
      {error !== null && <ErrorAlert compact error={error} />}
    </>
  );
}
