import { useMemo, useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { JsonView } from '../../ui/json-view/json-view.tsx';
import { CodeView } from '../../ui/markdown/code-block.tsx';
import { Markdown } from '../../ui/markdown/markdown.tsx';
import styles from './answer-content.module.css';
import { beginsAsJson, type JsonAnswer, readJsonAnswer } from './answer-json.ts';

interface AnswerContentProps {
  text: string;
  running: boolean;
}

/** The words of an answer: Markdown, or JSON laid out. */
export function AnswerContent({ text, running }: AnswerContentProps) {
  const json = useMemo(() => (running ? null : readJsonAnswer(text)), [running, text]);
  if (json !== null) return <FormattedJson json={json} />;
  if (running && beginsAsJson(text))
    return <CodeView code={text} language="json" complete={false} />;
  return <Markdown text={text} streaming={running} />;
}

function FormattedJson({ json }: { json: JsonAnswer }) {
  const [raw, setRaw] = useState(false);
  const toggle = (
    <Button size="small" variant="quiet" aria-pressed={raw} onClick={() => setRaw(!raw)}>
      Raw
    </Button>
  );
  if (!raw)
    return <JsonView label="Answer" value={json.value} source={json.source} actions={toggle} />;
  return (
    <div className={styles.raw}>
      <div className={styles.actions}>
        {toggle}
        <CopyButton label="Copy answer" content={() => json.source} />
      </div>
      <pre className={styles.source}>{json.source}</pre>
    </div>
  );
}
