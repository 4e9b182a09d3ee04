import { queryOptions, useQueries, useQuery } from '@tanstack/react-query';
import { createContext, type ReactNode, use, useMemo, useState } from 'react';
import { formatCount, pluralize } from '../../../../lib/format-quantity.ts';
import { AnswerProblemsContext } from '../../../../run/body/answer-content.tsx';
import { getRecordedInputQuery } from '../../../../run/live/recorded-input.ts';
import { Button } from '../../../../ui/button.tsx';
import { CheckIcon, ErrorIcon } from '../../../../ui/icons/status.tsx';
import { getSchema } from '../../options/check-definitions.ts';
import styles from './message.module.css';
import { CallingRunContext } from './tool-calls.tsx';
import type { SchemaValidation } from './validate-json.ts';
import { validateOnThread } from './validate-on-thread.ts';

/** True if the conversation requests JSON, so plain text is validated too. */
export const ExpectsJsonContext = createContext(false);

export interface CheckedAnswer {
  runId: string;
  choiceIndex: number;
  /** Null unless the answer is complete. */
  text: string | null;
}

/** Checks the answer against the schema that its run sent; null if it sent none. */
function checkQuery({ runId, choiceIndex, text }: CheckedAnswer, expectsJson: boolean) {
  return queryOptions({
    // A choice doesn't change after the run ends, so the text's length is enough to identify it.
    queryKey: ['schema-check', runId, choiceIndex, text?.length],
    queryFn: async ({ client }) => {
      const { request, extraBody } = await client.ensureQueryData(getRecordedInputQuery(runId));
      const schema = getSchema(extraBody.response_format ?? request.response_format);
      return schema === null ? null : validateOnThread(text ?? '', schema);
    },
    enabled: text !== null && text !== '' && (expectsJson || startsAsJson(text)),
  });
}

function startsAsJson(text: string): boolean {
  return /^\s*[[{"]/.test(text);
}

/** Returns null if the answer's request had no schema. */
export function useSchemaCheck(answer: CheckedAnswer): SchemaValidation | null {
  return useQuery(checkQuery(answer, use(ExpectsJsonContext))).data ?? null;
}

/** Checks answers to the same question, in order; null for those without a schema or text. */
export function useSchemaChecks(answers: readonly CheckedAnswer[]): (SchemaValidation | null)[] {
  const isJson = use(ExpectsJsonContext) || answers.some(({ text }) => startsAsJson(text ?? ''));
  return useQueries({
    queries: answers.map((answer) => checkQuery(answer, isJson)),
    combine: listData,
  });
}

function listData(results: readonly { data: SchemaValidation | null | undefined }[]) {
  return results.map(({ data }) => data ?? null);
}

/** Returns `3 of 4`; null if no answer was checked. */
export function formatValidShare(results: readonly (SchemaValidation | null)[]): string | null {
  const checked = results.filter((result) => result !== null && result.kind !== 'bad-schema');
  const valid = checked.filter((result) => result?.kind === 'fits').length;
  return checked.length === 0 ? null : `${formatCount(valid)} of ${formatCount(checked.length)}`;
}

/** Says how many choices match the schema. */
export function ChoicesCheck({ answers }: { answers: readonly CheckedAnswer[] }) {
  const share = formatValidShare(useSchemaChecks(answers));
  return share === null ? null : <p className="caption">{share} choices match the JSON schema.</p>;
}

/** Shows the answer with its schema's problems marked, then the result of the check. */
export function AnswerWithCheck({ children, ...checked }: CheckedAnswer & { children: ReactNode }) {
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
                <code>{path === '' ? '(root)' : path}</code>
              </Button>{' '}
              {message}
            </li>
          ))}
          {result.misfits.length > MAX_SHOWN && (
            <li>and {formatCount(result.misfits.length - MAX_SHOWN)} more</li>
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
      return `Not valid JSON: ${result.message}`;
    case 'misfits':
      return `Doesn’t match the JSON schema: ${pluralize(result.misfits.length, 'problem')}.`;
    case 'bad-schema':
      return `Schema not checked. ${result.message}`;
  }
}
