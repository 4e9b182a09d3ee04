import { useState } from 'react';
import { feedProblem } from '../../../shared/update-feed.ts';
import { toAppError } from '../../lib/app-error.ts';
import { useSettings, useUpdateSettings } from '../../lib/settings.ts';
import { ErrorAlert } from '../../ui/error-alert.tsx';
import { TextField } from '../../ui/text-field.tsx';
import styles from './settings.module.css';

/** The address that updates come from; saved when the field is left or Enter is pressed. */
export function FeedField() {
  const { updateFeedUrl } = useSettings();
  const update = useUpdateSettings();
  const [typed, setTyped] = useState<string | null>(null);
  const [problem, setProblem] = useState<string | null>(null);

  function save(): void {
    if (typed === null) return;
    const text = typed.trim();
    const found = text === '' ? null : feedProblem(text);
    setProblem(found);
    if (found !== null) return;
    setTyped(null);
    const url = text === '' ? null : text;
    if (url !== updateFeedUrl) update.mutate({ updateFeedUrl: url });
  }

  return (
    <div className={styles.row}>
      <TextField
        label="Update feed URL"
        help="Checked at startup and once a day. Leave blank to turn updates off."
        className={styles.feed}
        value={typed ?? updateFeedUrl ?? ''}
        placeholder="https://updates.example.com/gatehouse"
        error={problem}
        onValueChange={(text) => {
          setTyped(text);
          setProblem(null);
        }}
        onBlur={save}
        onKeyDown={(event) => {
          if (event.key === 'Enter') save();
        }}
      />
      {update.error !== null && <ErrorAlert error={toAppError(update.error)} compact />}
    </div>
  );
}
