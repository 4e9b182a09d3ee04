import type { FieldError } from '../../../shared/errors.ts';
import type { ConsoleInput } from '../../../shared/operations/console/input.ts';
import { fieldMessage } from '../../lib/field-errors.ts';
import { Segmented } from '../../ui/segmented.tsx';
import { Select } from '../../ui/select.tsx';
import { TextArea } from '../../ui/text-area.tsx';
import { TextField } from '../../ui/text-field.tsx';
import styles from './console.module.css';
import { type ConsoleProblems, methods, takesBody } from './console-draft.ts';
import { writeRequest } from './console-store.ts';
import { FormBody } from './form-body.tsx';

interface RequestFormProps {
  draft: ConsoleInput;
  problems: ConsoleProblems;
  baseUrl: string;
  /** What main found wrong with the last request. */
  errors: readonly FieldError[];
}

const bodyKinds = [
  { value: 'json', label: 'JSON' },
  { value: 'form', label: 'Form' },
] as const;

export function RequestForm({ draft, problems, baseUrl, errors }: RequestFormProps) {
  const known = methods.some((method) => method === draft.method);
  return (
    <div className={styles.fields}>
      <div className={styles.target}>
        <Select
          label="Method"
          value={draft.method}
          options={(known ? [...methods] : [...methods, draft.method]).map((method) => ({
            value: method,
            label: method,
          }))}
          onValueChange={(method) => writeRequest({ method })}
        />
        <TextField
          label="Path"
          className={styles.path}
          value={draft.path}
          onValueChange={(path) => writeRequest({ path })}
          error={problems.path ?? fieldMessage(errors, 'path')}
          help={baseUrl === '' ? undefined : `Relative to ${baseUrl}`}
          placeholder="/v1/models"
          monospace
          spellCheck={false}
        />
      </div>
      <TextArea
        label="Headers"
        value={draft.headers}
        onValueChange={(headers) => writeRequest({ headers })}
        error={problems.headers ?? fieldMessage(errors, 'headers')}
        placeholder={'Name: value, one per line. Authorization is added.'}
        monospace
        autoGrow
        rows={1}
        maxRows={6}
      />
      {takesBody(draft.method) && (
        <>
          <div className={styles.bodyBar}>
            <span className={styles.label}>Body</span>
            <Segmented
              label="Body format"
              value={draft.bodyKind}
              options={bodyKinds}
              onValueChange={(bodyKind) => writeRequest({ bodyKind })}
            />
          </div>
          {draft.bodyKind === 'json' ? (
            <TextArea
              label="Body"
              hideLabel
              className={styles.body}
              value={draft.body}
              onValueChange={(body) => writeRequest({ body })}
              error={problems.body ?? fieldMessage(errors, 'body')}
              placeholder="{}"
              monospace
            />
          ) : (
            <FormBody draft={draft} error={fieldMessage(errors, 'multipart')} />
          )}
        </>
      )}
      <p className={styles.note}>
        Sent exactly as written. The key is sent only to the connection’s base URL.
      </p>
    </div>
  );
}
