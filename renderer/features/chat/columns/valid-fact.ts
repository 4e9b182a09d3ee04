import { useMemo } from 'react';
import type { Cell } from '../../../../shared/comparison.ts';
import type { TreeMessage } from '../../../../shared/conversation.ts';
import { hasResult } from '../../../../shared/run.ts';
import type { CompareFact } from '../../../run/compare/compare-panel.ts';
import { getTurn } from '../conversation/branch.ts';
import { getSavedAnswer } from '../log/answer/answer.ts';
import {
  type CheckedAnswer,
  formatValidShare,
  useSchemaChecks,
} from '../log/answer/schema-check.tsx';

/** Returns the metric that counts the answers that match the schema of their request. */
export function useValidFacts(
  cells: readonly Cell[],
  messages: readonly TreeMessage[],
): readonly CompareFact[] {
  const answers = useMemo(() => getAnswers(cells, messages), [cells, messages]);
  const checks = useSchemaChecks(answers);
  return useMemo(() => {
    const summarize = (own: readonly Cell[]) => {
      const ids = new Set(own.flatMap(({ run }) => run?.id ?? []));
      return formatValidShare(checks.filter((_, at) => ids.has(answers[at]?.cellRunId ?? '')));
    };
    return [{ ...valid, summarize, of: (cell) => summarize([cell]) }];
  }, [answers, checks]);
}

const valid = {
  id: 'valid',
  label: 'Valid',
  help: 'Answers that match the JSON schema of their request, with all choices.',
};

/** Returns each cell's answer, which is the last one if its turn calls tools. */
function getAnswers(
  cells: readonly Cell[],
  messages: readonly TreeMessage[],
): (CheckedAnswer & { cellRunId: string })[] {
  const runs = new Set(cells.flatMap(({ run }) => (run !== null && hasResult(run) ? run.id : [])));
  const children = Map.groupBy(messages, ({ parentId }) => parentId);
  return messages.flatMap((message) => {
    const cellRunId = message.run?.id ?? '';
    if (!runs.has(cellRunId)) return [];
    const last = getTurn(children, message).at(-1);
    if (last === undefined || last.run === null || last.toolCalls.length > 0) return [];
    const text = hasResult(last.run) ? getSavedAnswer(last).content : null;
    return { cellRunId, runId: last.run.id, choiceIndex: last.choiceIndex ?? 0, text };
  });
}
