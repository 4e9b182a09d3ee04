import { createContext, use, useMemo } from 'react';
import { isCutJson } from '../../lib/format-json-error.ts';
import type { RowProblem } from '../../ui/json-view/json-rows.ts';
import { JsonView } from '../../ui/json-view/json-view.tsx';
import { CodeView } from '../../ui/markdown/code-block.tsx';
import { Markdown } from '../../ui/markdown/markdown.tsx';
import { beginsAsJson, readJsonAnswer } from './answer-json.ts';

interface AnswerContentProps {
  text: string;
  running: boolean;
}

/** A JSON answer's problems, and the JSON Pointer of the one to show. */
export const AnswerProblemsContext = createContext<{
  problems: readonly RowProblem[];
  reached: { path: string } | null;
}>({ problems: [], reached: null });

export function AnswerContent({ text, running }: AnswerContentProps) {
  const json = useMemo(() => (running ? null : readJsonAnswer(text)), [running, text]);
  const isPartial = useMemo(
    () => beginsAsJson(text) && (running || (json === null && isCutJson(text))),
    [running, text, json],
  );
  const { problems, reached } = use(AnswerProblemsContext);
  if (json !== null) {
    return <JsonView label="Answer" splits {...json} problems={problems} reached={reached} />;
  }
  if (isPartial) return <CodeView code={text} language="json" complete={!running} />;
  return <Markdown text={text} streaming={running} />;
}
