import { Button } from '../../ui/button.tsx';
import { classNames } from '../../ui/class-names.ts';
import { IconButton } from '../../ui/icon-button.tsx';
import { CloseIcon, PlusIcon } from '../../ui/icons/actions.tsx';
import { TextField } from '../../ui/text-field.tsx';
import styles from './video.module.css';
import { countSetRows, findDuplicateName, firstRows } from './video-form-values.ts';
import { videoLabels } from './video-labels.ts';
import { addRow, removeRow, useVideoInput, writeRow } from './video-store.ts';

/** The name that `showField` uses to find the second row with a duplicate name. */
export const duplicateRowField = 'doubled_row';

export function ExtendedParameters({ isSent }: { isSent: boolean }) {
  const rows = useVideoInput((input) => input.rows);
  const doubled = findDuplicateName(rows);
  const doubledIndex = rows.findLastIndex(
    ({ name, value }) => value !== '' && name.trim() === doubled,
  );
  if (!isSent && countSetRows({ rows }) === 0) return null;
  return (
    <section aria-label={videoLabels.rows} className={classNames(styles.group, 'stack-8')}>
      <h3 className={styles.groupTitle}>Metadata{!isSent && ' · Not sent in a remix'}</h3>
      {rows.map((row, index) => {
        // Labels use numbers, so that a row named negative_prompt isn't mistaken for the prompt
        // field.
        const words = `parameter ${index + 1}`;
        return (
          <div
            // biome-ignore lint/suspicious/noArrayIndexKey: rows stay in place while their names are edited.
            key={index}
            className={styles.row}
            data-field={index === doubledIndex ? duplicateRowField : undefined}
          >
            <TextField
              label={`Name of ${words}`}
              hideLabel
              monospace
              placeholder="name"
              value={row.name}
              onValueChange={(name) => writeRow(index, { ...row, name })}
            />
            <TextField
              label={`Value of ${words}`}
              hideLabel
              className={styles.value}
              placeholder="Not set"
              value={row.value}
              onValueChange={(value) => writeRow(index, { ...row, value })}
            />
            <IconButton
              size="small"
              label={`Remove ${words}`}
              icon={<CloseIcon size={12} />}
              disabled={index < firstRows.length && row.value === ''}
              onClick={() => removeRow(index)}
            />
          </div>
        );
      })}
      <div>
        <Button size="small" variant="quiet" icon={<PlusIcon size={14} />} onClick={addRow}>
          Add parameter
        </Button>
      </div>
      <p className="hint">
        Sent as metadata. JSON values are sent as JSON; anything else is sent as text.
      </p>
    </section>
  );
}
