import type { ListedCheck } from '../../../shared/checks/check.ts';
import { api } from '../../lib/api.ts';
import { formatClock } from '../../lib/format-quantity.ts';
import { offerUndo } from '../../lib/undo.ts';
import { useAttempt } from '../../lib/use-attempt.ts';
import {
  type CheckKind,
  checkStateLabels,
  describeOperations,
  showCheck,
} from '../../run/check/listed-check.ts';
import { ErrorAlert } from '../../ui/error-alert.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { TrashIcon } from '../../ui/icons/actions.tsx';
import { focusRow, useRovingList } from '../../ui/roving-list.ts';
import { StatusMark } from '../../ui/status-mark.tsx';
import { UndoBars } from '../../ui/undo-bars.tsx';
import styles from './check.module.css';

/** Identifies both the Undo offers and the roving list. */
const undoKey = 'checks';

interface SavedChecksProps {
  kind: CheckKind;
  checks: readonly ListedCheck[];
  shownId: string | null;
}

/** Lists earlier checks, newest first; a click shows one. */
export function SavedChecks({ kind, checks, shownId }: SavedChecksProps) {
  const removal = useAttempt();
  const roving = useRovingList({
    name: undoKey,
    keys: checks.map(({ id }) => id),
    currentKey: shownId,
    getItemText: (index) => checks[index]?.title ?? '',
  });
  const now = Date.now();

  async function remove({ id }: ListedCheck) {
    const { deletionId } = await api.checks.remove({ id });
    if (id === shownId) showCheck(kind, null);
    offerUndo({
      message: 'Check deleted',
      several: { words: '# checks deleted' },
      place: undoKey,
      undo: deletionId,
      onUndone() {
        showCheck(kind, id);
        focusRow(undoKey, id);
      },
    });
  }

  return (
    <section className="stack-4" aria-label="Saved checks">
      <h2 className="heading">{kind === 'probe' ? 'Saved probes' : 'Saved loads'}</h2>
      <UndoBars place={undoKey} />
      {removal.error !== null && <ErrorAlert compact error={removal.error} />}
      {checks.length === 0 && <p className="hint">None yet</p>}
      <ul {...roving.listProps}>
        {checks.map((check, index) => (
          <li key={check.id} data-row={check.id} className={styles.savedRow}>
            <button
              type="button"
              tabIndex={roving.getTabIndex(index)}
              aria-current={check.id === shownId || undefined}
              className="bare stack-4 grow"
              onClick={() => showCheck(kind, check.id)}
              onKeyDown={(event) => {
                if (event.key !== 'Delete' || event.repeat) return;
                event.preventDefault();
                void removal.attempt(() => remove(check));
              }}
            >
              <span className="truncate">{check.title}</span>
              <span className="row-8 hint">
                <span className="truncate">
                  {describeOperations(check)} · {check.connectionName}
                </span>
                <span className="fixed tabular">{formatClock(check.createdAt, now)}</span>
                {check.state !== 'done' && (
                  <StatusMark className="fixed" {...checkStateLabels[check.state]} />
                )}
              </span>
            </button>
            <IconButton
              size="small"
              label={`Delete ${check.title}`}
              tabIndex={-1}
              icon={<TrashIcon size={14} />}
              onClick={() => void removal.attempt(() => remove(check))}
            />
          </li>
        ))}
      </ul>
    </section>
  );
}
