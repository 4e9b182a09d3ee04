import { useQuery } from '@tanstack/react-query';
import { createContext, useContext } from 'react';
import { useRecordedInput } from '../../../run/live/recorded-input.ts';
import { CheckIcon, ErrorIcon } from '../../../ui/icons/status.tsx';
import styles from '../messages/message.module.css';
import { getSchema } from '../options/response-format.ts';
import { type SchemaValidation, type SchemaViolation, validateJson } from './validate-json.ts';

/** Whether this conversation asks for JSON: then plain answers are looked at as well. */
export const ExpectsJsonContext = createContext(false);

interface SchemaCheckProps {
  runId: string;
  choiceIndex: number;
  text: string;
}

/** Whether a finished answer fits the schema that its own run recorded for; nothing where it recorded for none. */
export function SchemaCheck({ runId, choiceIndex, text }: SchemaCheckProps) {
  const expectsJson = useContext(ExpectsJsonContext);
  const isWorthAsking = text !== '' && (expectsJson || /^\s*[[{"]/.test(text));
  const recorded = useRecordedInput(isWorthAsking ? runId : null);
  const schema =
    recorded === null
      ? null
      : getSchema(recorded.extraBody.response_format ?? recorded.request.response_format);
  const { data: fit } = useQuery({
    // What a choice answered does not change once its run has ended.
    queryKey: ['schema-check', runId, choiceIndex, text.length],
    queryFn: () => validateJson(text, schema),
    enabled: schema !== null,
  });
  if (schema === null || fit === undefined) return null;
  return (
    <div className={styles.schemaCheck} data-fits={fit.kind === 'fits'}>
      <p>
        {fit.kind === 'fits' ? <CheckIcon size={14} /> : <ErrorIcon size={14} />}
        {wordsFor(fit)}
      </p>
      {fit.kind === 'misfits' && <Misfits misfits={fit.misfits} />}
    </div>
  );
}

const MAX_SHOWN = 20;

function Misfits({ misfits }: { misfits: readonly SchemaViolation[] }) {
  return (
    <ul aria-label="Schema problems">
      {misfits.slice(0, MAX_SHOWN).map(({ path, message }) => (
        <li key={`${path} ${message}`}>
          <code>{path === '' ? '/' : path}</code> {message}
        </li>
      ))}
      {misfits.length > MAX_SHOWN && <li>and {misfits.length - MAX_SHOWN} more</li>}
    </ul>
  );
}

function wordsFor(fit: SchemaValidation): string {
  switch (fit.kind) {
    case 'fits':
      return 'Matches the JSON schema.';
    case 'not-json':
      return `Does not match the JSON schema: not valid JSON. ${fit.message}`;
    case 'misfits':
      return `Does not match the JSON schema: ${fit.misfits.length === 1 ? '1 problem' : `${fit.misfits.length} problems`}.`;
    case 'bad-schema':
      return `Not checked. ${fit.message}`;
  }
}
