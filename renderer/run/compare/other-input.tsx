import type { Comparison } from '../../../shared/comparison.ts';
import { Button } from '../../ui/button.tsx';
import { changeWithUndo } from '../form/change-with-undo.ts';
import styles from './comparison.module.css';
import { restoreInput, useInputState } from './opened-input.ts';
import type { Comparing } from './use-comparing.ts';

interface OtherInputProps {
  compare: Pick<Comparing, 'form' | 'input'>;
  comparison: Comparison;
}

/** What the comparison was sent with, where the form has something else by now. */
export function OtherInput({ compare: { form, input }, comparison }: OtherInputProps) {
  const state = useInputState(form, input, comparison);
  if (state === 'same') return null;
  const label = comparison.rows[0]?.label ?? '';
  const words =
    input.promptField === null || label === ''
      ? comparison.title
      : `${input.promptField.label}: ${label}`;
  const use = () => restoreInput(form, input, comparison);
  return (
    <>
      <span className={styles.otherInput}>Ran with a different input · {words}</span>
      {state === 'other' && (
        <Button
          size="small"
          variant="quiet"
          onClick={() => changeWithUndo(form, use, 'Input replaced')}
        >
          Use this input
        </Button>
      )}
    </>
  );
}
