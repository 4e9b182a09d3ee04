import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { ClearedKind, StoredData } from '../../../shared/contract/data.ts';
import { api, orpc } from '../../lib/api.ts';
import { toAppError } from '../../lib/app-error.ts';
import { formatBytes, pluralize } from '../../lib/format-quantity.ts';
import { DELETION_MS, offerUndo } from '../../lib/undo.ts';
import { useAttempt } from '../../lib/use-attempt.ts';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/dialog.tsx';
import { ErrorAlert } from '../../ui/error-alert.tsx';
import { SettingRow } from './setting-row.tsx';
import styles from './settings.module.css';

const undoKey = 'data';

const kinds: { kind: ClearedKind; label: string; keeps: string }[] = [
  { kind: 'runs', label: 'Runs', keeps: 'Conversations and media files are kept.' },
  { kind: 'conversations', label: 'Conversations', keeps: 'Runs and media files are kept.' },
  {
    kind: 'media',
    label: 'Media library',
    keeps: 'Runs and messages that used a file keep only its name.',
  },
  { kind: 'everything', label: 'Everything', keeps: 'Connections, prices and settings are kept.' },
];

export function ClearData() {
  const queries = useQueryClient();
  const { data, error, refetch } = useQuery({
    ...orpc.data.stored.queryOptions(),
    refetchOnMount: 'always',
  });
  const [asked, setAsked] = useState<ClearedKind | null>(null);
  const refresh = () => {
    void queries.invalidateQueries({ queryKey: orpc.data.key() });
    void queries.invalidateQueries({ queryKey: orpc.system.diskUse.key() });
  };
  return (
    <>
      <h3 className={styles.subheading}>Delete data</h3>
      {error !== null && <ErrorAlert error={toAppError(error)} onRetry={() => void refetch()} />}
      {data !== undefined && (
        <div className={styles.card}>
          {kinds.map(({ kind, label }) => (
            <SettingRow key={kind} label={label} help={describe(kind, data)}>
              <Button
                variant={kind === 'everything' ? 'danger' : 'secondary'}
                aria-label={`Delete ${label.toLowerCase()}`}
                disabledReason={isEmpty(kind, data) ? 'There is nothing to delete.' : null}
                onClick={() => setAsked(kind)}
              >
                Delete
              </Button>
            </SettingRow>
          ))}
        </div>
      )}
      {asked !== null && data !== undefined && (
        <ClearQuestion
          kind={asked}
          data={data}
          onDeleted={refresh}
          onClose={() => setAsked(null)}
        />
      )}
    </>
  );
}

interface ClearQuestionProps {
  kind: ClearedKind;
  data: StoredData;
  onDeleted: () => void;
  onClose: () => void;
}

function ClearQuestion({ kind, data, onDeleted, onClose }: ClearQuestionProps) {
  const { busy, error, attempt } = useAttempt();
  const what = describe(kind, data);
  const clear = async () => {
    const isDone = await attempt(async () => {
      const { deletionId } = await api.data.clear({ kind });
      if (deletionId === null) return;
      offerUndo({
        message: `${what} deleted`,
        place: undoKey,
        undo: deletionId,
        onUndone: onDeleted,
      });
    });
    if (!isDone) return;
    onDeleted();
    onClose();
  };
  return (
    <ConfirmDialog
      open
      danger
      title={kind === 'everything' ? 'Delete everything?' : `Delete ${what}?`}
      confirmLabel="Delete"
      busy={busy}
      onConfirm={() => void clear()}
      onClose={onClose}
    >
      {kind === 'everything' && <p>This deletes {what}.</p>}
      <p>
        {kinds.find((one) => one.kind === kind)?.keeps} You can undo this for {DELETION_MS / 1000}{' '}
        seconds.
      </p>
      {error !== null && <ErrorAlert compact error={error} />}
    </ConfirmDialog>
  );
}

function describe(kind: ClearedKind, data: StoredData): string {
  const { runs, conversations, mediaFiles, mediaBytes, savedItems } = data;
  const size = mediaFiles === 0 ? '' : ` (${formatBytes(mediaBytes)})`;
  const parts = {
    runs: pluralize(runs, 'run'),
    conversations: pluralize(conversations, 'conversation'),
    media: `${pluralize(mediaFiles, 'file')}${size}`,
  };
  if (kind !== 'everything') return parts[kind];
  const present = [
    ...(runs > 0 ? [parts.runs] : []),
    ...(conversations > 0 ? [parts.conversations] : []),
    ...(mediaFiles > 0 ? [parts.media] : []),
    ...(savedItems > 0
      ? [pluralize(savedItems, 'saved item (prompts, presets, tools)', SAVED)]
      : []),
  ];
  return present.length === 0 ? 'Nothing' : new Intl.ListFormat('en-US').format(present);
}

const SAVED = 'saved items (prompts, presets, tools)';

function isEmpty(kind: ClearedKind, data: StoredData): boolean {
  const counts = {
    runs: data.runs,
    conversations: data.conversations,
    media: data.mediaFiles,
    everything: data.runs + data.conversations + data.mediaFiles + data.savedItems,
  };
  return counts[kind] === 0;
}
