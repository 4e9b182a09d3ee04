import { useQuery } from '@tanstack/react-query';
import { createContext, type ReactNode, use, useMemo, useState } from 'react';
import { pluralize } from '../../../lib/format-quantity.ts';
import { AnswerProblemsContext } from '../../../run/body/answer-content.tsx';
import { useRecordedInput } from '../../../run/live/recorded-input.ts';
import { Button } from '../../../ui/button.tsx';
import { CheckIcon, ErrorIcon } from '../../../ui/icons/status.tsx';
import styles from '../messages/message.module.css';
import { getSchema } from '../options/check-definitions.ts';
import { CallingRunContext } from './tool-calls.tsx';
import { type SchemaValidation, validateJson } from './validate-json.ts';

/** True if the conversation requests JSON, so plain text is validated too. */
export const ExpectsJsonContext = createContext(false);

interface CheckedAnswer {
  runId: string;
  choiceIndex: number;
  /** Null while the answer streams. */
  text: string | null;
}

/** Returns null if the answer's request had no schema. */
export function useSchemaCheck({ runId, choiceIndex, text }: CheckedAnswer) {
  const expectsJson = use(ExpectsJsonContext);
  const mayBeJson = text !== null && text !== '' && (expectsJson || /^\s*[[{"]/.test(text));
  const recorded = useRecordedInput(mayBeJson ? runId : null);
  const schema =
    recorded === null
      ? null
      : getSchema(recorded.extraBody.response_format ?? recorded.request.response_format);
  const { data: result } = useQuery({
    // A choice doesn't change after the run ends, so the text's length is enough to identify it.
    queryKey: ['schema-check', runId, choiceIndex, text?.length],
    queryFn: () => validateJson(text ?? '', schema),
    enabled: schema !== null,
  });
  return schema === null ? null : (result ?? null);
}

/** Shows the answer with its schema's problems marked, then the result of the check. */
export function CheckedAnswerText({
  children,
  ...checked
}: CheckedAnswer & { children: ReactNode }) {
  const result = useSchemaCheck(checked);
  const [reached, setReached] = useState<{ path: string } | null>(null);
  const marks = useMemo(
    () => ({ problems: result?.kind === 'misfits' ? result.misfits : [], reached }),
    [result, reached],
  );
  return (
    <AnswerProblemsContext value={marks}>
      <CallingRunContext value={checked.runId}>{children}</CallingRunContext>
      {result !== null && <SchemaResult result={result} onShow={(path) => setReached({ path })} />}
    </AnswerProblemsContext>
  );
}

interface SchemaResultProps {
  result: SchemaValidation;
  onShow: (path: string) => void;
}

function SchemaResult({ result, onShow }: SchemaResultProps) {
  return (
    <div className={styles.schemaCheck} data-fits={result.kind === 'fits'}>
      <p>
        {result.kind === 'fits' ? <CheckIcon size={14} /> : <ErrorIcon size={14} />}
        {describeValidation(result)}
      </p>
      {result.kind === 'misfits' && (
        <ul aria-label="Schema problems">
          {result.misfits.slice(0, MAX_SHOWN).map(({ path, message }) => (
            <li key={`${path} ${message}`}>
              <Button size="small" variant="quiet" onClick={() => onShow(path)}>
                <code>{path === '' ? '/' : path}</code>
              </Button>{' '}
              {message}
            </li>
          ))}
          {result.misfits.length > MAX_SHOWN && (
            <li>and {result.misfits.length - MAX_SHOWN} more</li>
          )}
        </ul>
      )}
    </div>
  );
}

const MAX_SHOWN = 20;

function describeValidation(result: SchemaValidation): string {
  switch (result.kind) {
    case 'fits':
      return 'Matches the JSON schema.';
    case 'not-json':
      return `Doesn’t match the JSON schema: not valid JSON. ${result.message}`;
    case 'misfits':
      return `Doesn’t match the JSON schema: ${pluralize(result.misfits.length, 'problem')}.`;
    case 'bad-schema':
      return `Schema not checked. ${result.message}`;
  }
}
