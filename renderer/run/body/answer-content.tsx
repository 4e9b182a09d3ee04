import { useMemo } from 'react';
import { JsonView } from '../../ui/json-view/json-view.tsx';
import { CodeView } from '../../ui/markdown/code-block.tsx';
import { Markdown } from '../../ui/markdown/markdown.tsx';
import { beginsAsJson, readJsonAnswer } from './answer-json.ts';

interface AnswerContentProps {
  text: string;
  running: boolean;
}

export function AnswerContent({ text, running }: AnswerContentProps) {
  const json = useMemo(() => (running ? null : readJsonAnswer(text)), [running, text]);
  if (json !== null) return <JsonView label="Answer" {...json} />;
  if (running && beginsAsJson(text))
    return <CodeView code={text} language="json" complete={false} />;
  return <Markdown text={text} streaming={running} />;
}
