import { useState } from 'react';
import { VIDEOS } from '../../../shared/operations/video/image-fields.ts';
import { videosFormat } from '../../../shared/operations/video/videos-format.ts';
import { isFinished } from '../../../shared/run.ts';
import type { RunView } from '../../../shared/run-view.ts';
import { api } from '../../lib/api.ts';
import { useAttempt } from '../../lib/use-attempt.ts';
import { useRun } from '../../run/live/live-runs.ts';
import { ActionBar } from '../../ui/action-bar.tsx';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/dialog.tsx';
import { ErrorAlert } from '../../ui/error-alert.tsx';
import { remixTask } from './video-store.ts';

interface StoredVideoProps {
  run: Pick<RunView<'video'>, 'connectionId' | 'format'>;
  taskId: string;
  onRemix: () => void;
}

/** Remixes a finished video, or deletes it from a gateway that serves `/v1/videos`. */
export function StoredVideo({ run, taskId, onRemix }: StoredVideoProps) {
  const { connectionId } = run;
  const [isAsking, setAsking] = useState(false);
  const [deletionId, setDeletionId] = useState<string | null>(null);
  const deletion = useRun('console', deletionId);
  const { attempt, busy, error } = useAttempt();
  const isRunning = busy || (deletion !== null && !isFinished(deletion.status));
  const problem = error ?? deletion?.error ?? null;

  /** Sends the request as a Console run, so that History lists it. */
  async function deleteVideo(): Promise<void> {
    setAsking(false);
    await attempt(async () => {
      const path = `${videosFormat.path}/${encodeURIComponent(taskId)}`;
      const request = { method: 'DELETE', path, body: null };
      const { runId } = await api.runs.start({ connectionId, operation: 'console', request });
      setDeletionId(runId);
    });
  }

  if (run.format !== VIDEOS) return null;
  if (deletion?.status === 'succeeded') {
    return (
      <p className="caption" role="status">
        Deleted from the gateway. The copy in your library is kept.
      </p>
    );
  }
  return (
    <div className="stack-8">
      <ActionBar>
        <Button
          size="small"
          onClick={() => {
            remixTask(taskId, connectionId);
            onRemix();
          }}
        >
          Remix
        </Button>
        <Button size="small" variant="quiet" busy={isRunning} onClick={() => setAsking(true)}>
          Delete from gateway…
        </Button>
      </ActionBar>
      {problem !== null && <ErrorAlert compact error={problem} />}
      <ConfirmDialog
        open={isAsking}
        title="Delete video from the gateway?"
        confirmLabel="Delete"
        danger
        onConfirm={() => void deleteVideo()}
        onClose={() => setAsking(false)}
      >
        The gateway can’t remix or send it again. The copy in your library is kept.
      </ConfirmDialog>
    </div>
  );
}
