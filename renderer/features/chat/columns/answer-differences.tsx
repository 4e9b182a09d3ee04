import type { Cell, Comparison } from '../../../../shared/comparison.ts';
import type { ComparisonNotes } from '../../../../shared/comparison-notes.ts';
import type { TreeMessage } from '../../../../shared/conversation.ts';
import { sentVariants } from '../../../run/compare/compare-columns.ts';
import type { CompareColumn } from '../../../run/compare/compare-panel.ts';
import { TextPair } from '../../../run/compare/text-diff/text-diff.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { messageText } from '../answer/answer.ts';
import styles from './chat-columns.module.css';
import { getAnswer } from './column-branches.ts';

interface AnswerDifferencesProps {
  comparison: Comparison;
  cells: readonly Cell[];
  columns: readonly CompareColumn[];
  messages: readonly TreeMessage[];
  /** As columns continue with them. */
  picked: ComparisonNotes['choices'];
  onClose: () => void;
}

interface ComparedAnswer {
  id: string;
  name: string;
  text: string;
}

/** Two answers of the columns, of any turn, and what differs between them. */
export function AnswerDifferences(props: AnswerDifferencesProps) {
  const answers = getAnswers(props);
  const [first, second] = defaultPair(props, answers);
  return (
    <Dialog open size="large" title="Differences" onClose={props.onClose}>
      {first === undefined || second === undefined ? (
        <p className={styles.note}>Needs two answers with text.</p>
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

/** By turn, and in it by column; those without text are left out. */
function getAnswers(props: AnswerDifferencesProps) {
  const { comparison, cells, columns, messages, picked } = props;
  const { rows } = comparison;
  const sent = sentVariants(comparison, columns, cells);
  const titles = new Map(
    sent.flatMap(({ title, cells: own }) => own.map(({ place }) => [place, title])),
  );
  return rows.flatMap((row, turn) =>
    columns.flatMap(({ variant, title }): ComparedAnswer[] => {
      const cell = cells.find((one) => one.rowId === row.id && one.variantId === variant.id);
      if (cell === undefined || cell.run === null) return [];
      const answer = getAnswer(cell, messages, picked);
      const text = answer === undefined ? '' : messageText(answer.content);
      const name = titles.get(cell.place) ?? title;
      const words = rows.length === 1 ? name : `${name}, turn ${turn + 1}`;
      return text === '' ? [] : [{ id: cell.run.id, name: words, text }];
    }),
  );
}

/** The first two of the newest turn that has two, or else any two. */
function defaultPair(
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
