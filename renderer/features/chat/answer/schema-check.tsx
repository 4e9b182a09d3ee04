import { useQuery } from '@tanstack/react-query';
import { createContext, useContext } from 'react';
import { pluralize } from '../../../lib/format-quantity.ts';
import { useRecordedInput } from '../../../run/live/recorded-input.ts';
import { CheckIcon, ErrorIcon } from '../../../ui/icons/status.tsx';
import styles from '../messages/message.module.css';
import { getSchema } from '../options/check-definitions.ts';
import { type SchemaValidation, validateJson } from './validate-json.ts';

/** True if the conversation requests JSON, so plain text is validated too. */
export const ExpectsJsonContext = createContext(false);

interface SchemaCheckProps {
  runId: string;
  choiceIndex: number;
  text: string;
}

export function SchemaCheck({ runId, choiceIndex, text }: SchemaCheckProps) {
  const expectsJson = useContext(ExpectsJsonContext);
  const mayBeJson = text !== '' && (expectsJson || /^\s*[[{"]/.test(text));
  const recorded = useRecordedInput(mayBeJson ? runId : null);
  const schema =
    recorded === null
      ? null
      : getSchema(recorded.extraBody.response_format ?? recorded.request.response_format);
  const { data: result } = useQuery({
    // A choice doesn't change after the run ends, so the text's length is enough to identify it.
    queryKey: ['schema-check', runId, choiceIndex, text.length],
    queryFn: () => validateJson(text, schema),
    enabled: schema !== null,
  });
  if (schema === null || result === undefined) return null;
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
              <code>{path === '' ? '/' : path}</code> {message}
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
