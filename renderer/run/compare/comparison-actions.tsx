import { useState } from 'react';
import type { Comparison } from '../../../shared/comparison.ts';
import type { OperationName } from '../../../shared/operations/operation-name.ts';
import { createOutputStem } from '../../../shared/output-name.ts';
import { api } from '../../lib/api.ts';
import { formatCount, pluralize } from '../../lib/format-quantity.ts';
import { offerUndo } from '../../lib/undo.ts';
import { useCappedAttempt } from '../../lib/use-attempt.ts';
import { saveBlob } from '../../media/players/download-button.tsx';
import { Button } from '../../ui/button.tsx';
import { copyNoted } from '../../ui/copy-button.tsx';
import { ConfirmDialog } from '../../ui/dialog.tsx';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { RetryIcon, StopIcon } from '../../ui/icons/actions.tsx';
import { Menu, type MenuItem } from '../../ui/menu.tsx';
import { NumberField } from '../../ui/number-field.tsx';
import { TextField } from '../../ui/text-field.tsx';
import type { Form } from '../form/form.ts';
import { RunError } from '../frame/run-error.tsx';
import { hasFailed, isCellActive, isPerhapsBilled } from './cell-status.ts';
import styles from './comparison.module.css';
import { type FiguresTable, getCsv, getMarkdown } from './figures-table.ts';
import type { LiveComparison } from './live-comparisons.ts';
import { confirmSend } from './send-comparison.ts';

const maxRepeats = 100;

interface ComparisonActionsProps {
  live: LiveComparison;
  form: Form<OperationName>;
  table: FiguresTable;
}

export function ComparisonActions({ live, form, table }: ComparisonActionsProps) {
  const { comparison, notes, cells } = live;
  const { id } = comparison;
  const { attempt, error, runAnyway } = useCappedAttempt();
  const [dialog, setDialog] = useState<'repeat' | 'rename' | 'retry' | null>(null);
  const close = () => setDialog(null);
  const isActive = cells.some(isCellActive);
  const failed = cells.filter(hasFailed);
  const billed = failed.filter(isPerhapsBilled).length;
  const retryFailed = () =>
    void attempt((overCap) => api.comparisons.retry({ id, places: null, overCap }));

  const clearPicks: MenuItem[] =
    notes.blind === null || notes.blind.isHidden
      ? []
      : [
          {
            id: 'picks',
            label: 'Clear blind picks',
            onSelect: () =>
              void attempt(() =>
                api.comparisons.note({ id, change: { kind: 'blind', blind: null } }),
              ),
          },
        ];

  // A chat turn can't be repeated, because the conversation has already continued.
  const repeat: MenuItem[] =
    comparison.conversationId === null && comparison.repeats < maxRepeats
      ? [{ id: 'repeat', label: 'Run again…', onSelect: () => setDialog('repeat') }]
      : [];

  async function remove(): Promise<void> {
    const { deletionId } = await api.comparisons.remove({ id });
    form.change({ comparisonId: null });
    offerUndo({
      message: 'Comparison deleted',
      place: form.id,
      undo: deletionId,
      onUndone: () => form.change({ comparisonId: id }),
    });
  }

  const copy = (content: () => string) =>
    void copyNoted(document.activeElement ?? document.body, content);

  return (
    <>
      {isActive && (
        <Button
          size="small"
          icon={<StopIcon size={14} />}
          onClick={() => void attempt(() => api.comparisons.stop({ id, places: null }))}
        >
          Stop all
        </Button>
      )}
      {failed.length > 0 && (
        <Button
          size="small"
          icon={<RetryIcon size={14} />}
          onClick={() => (billed > 0 ? setDialog('retry') : retryFailed())}
        >
          Retry failed
        </Button>
      )}
      <Menu
        label="More actions"
        items={[
          ...repeat,
          { id: 'rename', label: 'Rename…', onSelect: () => setDialog('rename') },
          ...clearPicks,
          'separator',
          {
            id: 'markdown',
            label: 'Copy metrics as Markdown',
            onSelect: () => copy(() => getMarkdown(table)),
          },
          { id: 'csv', label: 'Copy metrics as CSV', onSelect: () => copy(() => getCsv(table)) },
          {
            id: 'export',
            label: 'Export all as JSON',
            onSelect: () => void attempt(() => exportComparison(comparison)),
          },
          'separator',
          {
            id: 'delete',
            label: 'Delete comparison',
            danger: true,
            onSelect: () => void attempt(remove),
          },
        ]}
      />
      {error !== null && <RunError compact error={error} onRetry={runAnyway} />}
      <ConfirmDialog
        open={dialog === 'retry'}
        title={`Retry ${pluralize(failed.length, 'request')}?`}
        confirmLabel="Retry"
        onConfirm={() => {
          close();
          retryFailed();
        }}
        onClose={close}
      >
        <p>
          {billed === failed.length
            ? 'The response was lost, so they may have been processed and billed.'
            : `The response of ${formatCount(billed)} was lost, so they may have been processed and billed.`}
        </p>
      </ConfirmDialog>
      {dialog === 'rename' && (
        <RenameDialog
          title={comparison.title}
          onRename={(title) => {
            close();
            void attempt(() => api.comparisons.rename({ id, title }));
          }}
          onClose={close}
        />
      )}
      {dialog === 'repeat' && (
        <RepeatDialog
          requests={comparison.variants.length * comparison.rows.length}
          maxTimes={maxRepeats - comparison.repeats}
          onRepeat={async (times, requests) => {
            close();
            if (!(await confirmSend(form.id, requests))) return;
            void attempt((overCap) => api.comparisons.repeat({ id, times, overCap }));
          }}
          onClose={close}
        />
      )}
    </>
  );
}

interface RenameDialogProps {
  title: string;
  onRename: (title: string) => void;
  onClose: () => void;
}

function RenameDialog({ title, onRename, onClose }: RenameDialogProps) {
  const [text, setText] = useState(title);
  const problem = text.trim() === '' ? 'Enter a name.' : null;
  return (
    <FormDialog
      size="small"
      title="Rename comparison"
      saveLabel="Rename"
      disabledReason={problem}
      onSave={() => onRename(text.trim())}
      onClose={onClose}
    >
      <TextField
        label="Name"
        value={text}
        maxLength={200}
        error={problem}
        onValueChange={setText}
      />
    </FormDialog>
  );
}

async function exportComparison({ id, title, createdAt }: Comparison): Promise<void> {
  const pieces: string[] = [];
  for await (const piece of await api.comparisons.export({ id })) pieces.push(piece);
  const name = createOutputStem(title, new Date(createdAt), 'comparison');
  saveBlob(new Blob(pieces, { type: 'application/json' }), `${name}.json`);
}

interface RepeatDialogProps {
  requests: number;
  maxTimes: number;
  onRepeat: (times: number, requests: number) => void;
  onClose: () => void;
}

function RepeatDialog({ requests, maxTimes, onRepeat, onClose }: RepeatDialogProps) {
  const [times, setTimes] = useState<number | null>(1);
  const isValid = times !== null && Number.isInteger(times) && times >= 1 && times <= maxTimes;
  const problem = isValid ? null : `Enter a number from 1 to ${maxTimes}.`;
  const count = requests * (times ?? 0);
  return (
    <FormDialog
      size="small"
      title="Run again"
      saveLabel={isValid ? `Send ${pluralize(count, 'request')}` : 'Send'}
      disabledReason={problem}
      onSave={() => onRepeat(times ?? 0, count)}
      onClose={onClose}
    >
      <NumberField
        label="Additional repeats"
        value={times}
        min={1}
        max={maxTimes}
        error={problem}
        onValueChange={setTimes}
      />
      <p className={styles.note}>Sends the same input to every variant.</p>
    </FormDialog>
  );
}
