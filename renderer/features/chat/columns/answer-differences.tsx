import type { Cell, Comparison } from '../../../../shared/comparison.ts';
import type { ComparisonNotes } from '../../../../shared/comparison-notes.ts';
import type { TreeMessage } from '../../../../shared/conversation.ts';
import { listSentVariants } from '../../../run/compare/compare-columns.ts';
import type { CompareColumn } from '../../../run/compare/compare-panel.ts';
import { TextPair } from '../../../run/compare/text-diff/text-diff.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { getMessageText } from '../conversation/written-message.ts';
import styles from './chat-columns.module.css';
import { getAnswer } from './column-branches.ts';

interface AnswerDifferencesProps {
  comparison: Comparison;
  cells: readonly Cell[];
  columns: readonly CompareColumn[];
  messages: readonly TreeMessage[];
  picked: ComparisonNotes['choices'];
  onClose: () => void;
}

interface ComparedAnswer {
  id: string;
  name: string;
  text: string;
}

export function AnswerDifferences(props: AnswerDifferencesProps) {
  const answers = getAnswers(props);
  const [first, second] = getDefaultPair(props, answers);
  return (
    <Dialog open size="large" title="Differences" onClose={props.onClose}>
      {first === undefined || second === undefined ? (
        <p className={styles.note}>At least two answers with text are needed.</p>
      ) : (
        <TextPair
          texts={answers}
          first={first}
          second={second}
          labels={['First answer', 'Second answer']}
        />
      )}
    </Dialog>
  );
}

/** Returns the answers that contain text, sorted by turn and column. */
function getAnswers(props: AnswerDifferencesProps) {
  const { comparison, cells, columns, messages, picked } = props;
  const { rows } = comparison;
  const sent = listSentVariants(comparison, columns, cells);
  const titles = new Map(
    sent.flatMap(({ title, cells: own }) => own.map(({ place }) => [place, title])),
  );
  return rows.flatMap((row, turn) =>
    columns.flatMap(({ variant, title }): ComparedAnswer[] => {
      const cell = cells.find((one) => one.rowId === row.id && one.variantId === variant.id);
      if (cell === undefined || cell.run === null) return [];
      const answer = getAnswer(cell, messages, picked);
      const text = answer === undefined ? '' : getMessageText(answer.content);
      const name = titles.get(cell.place) ?? title;
      const label = rows.length === 1 ? name : `${name}, turn ${turn + 1}`;
      return text === '' ? [] : [{ id: cell.run.id, name: label, text }];
    }),
  );
}

/** Returns the first two answers of the newest turn that has two, or any two answers. */
function getDefaultPair(
  { comparison, cells }: AnswerDifferencesProps,
  answers: readonly ComparedAnswer[],
): (ComparedAnswer | undefined)[] {
  const turns = comparison.rows.map(({ id }) => {
    const runs = new Set(cells.flatMap(({ rowId, run }) => (rowId === id ? (run?.id ?? []) : [])));
    return answers.filter((answer) => runs.has(answer.id));
  });
  const [first, second] = turns.findLast(({ length }) => length > 1) ?? answers;
  return [first, second];
}
