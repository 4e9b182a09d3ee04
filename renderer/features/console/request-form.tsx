import type { FieldError } from '../../../shared/errors.ts';
import type { Media } from '../../../shared/media.ts';
import type { ConsoleInput } from '../../../shared/operations/console/request.ts';
import { findFieldMessage } from '../../lib/field-errors.ts';
import { LibraryButton } from '../../media/library/library-button.tsx';
import { MediaChip } from '../../media/players/media-chip.tsx';
import { useMedia } from '../../media/players/use-media.ts';
import { anything } from '../../media/uploads/media-filter.ts';
import { AttachButton, UploadList } from '../../media/uploads/upload-controls.tsx';
import { useUploads } from '../../media/uploads/use-uploads.ts';
import { ActionBar } from '../../ui/action-bar.tsx';
import { Button } from '../../ui/button.tsx';
import { classNames } from '../../ui/class-names.ts';
import { IconButton } from '../../ui/icon-button.tsx';
import { PlusIcon, TrashIcon } from '../../ui/icons/actions.tsx';
import { JsonEditor } from '../../ui/json-editor/json-editor.tsx';
import { Segmented } from '../../ui/segmented.tsx';
import { Select } from '../../ui/select.tsx';
import { TextField } from '../../ui/text-field.tsx';
import styles from './console.module.css';
import {
  type ConsoleProblems,
  type FormFile,
  findHeaderProblem,
  listHeaders,
  listQuery,
  methods,
  takesBody,
  writeHeaders,
  writeQuery,
} from './console-draft.ts';
import { removeFromRequest, writeRequest } from './console-form.ts';
import { consoleLabels } from './console-labels.ts';
import { PairRows } from './pair-rows.tsx';

interface RequestFormProps {
  draft: ConsoleInput;
  problems: ConsoleProblems;
  baseUrl: string;
  /** Errors that the main process reported for the last request. */
  errors: readonly FieldError[];
  onRun: () => void;
}

const bodyKinds = [
  { value: 'json', label: 'JSON' },
  { value: 'form', label: 'Form data' },
] as const;

export function RequestForm({ draft, problems, baseUrl, errors, onRun }: RequestFormProps) {
  const isKnown = methods.some((method) => method === draft.method);
  return (
    <div className={classNames(styles.fields, 'stack-12')}>
      <div className={styles.target}>
        <Select
          label="Method"
          value={draft.method}
          options={(isKnown ? [...methods] : [...methods, draft.method]).map((method) => ({
            value: method,
            label: method,
          }))}
          onValueChange={(method) => writeRequest({ method })}
        />
        <TextField
          label={consoleLabels.path}
          className={styles.path}
          value={draft.path}
          onValueChange={(path) => writeRequest({ path })}
          error={problems.path ?? findFieldMessage(errors, 'path')}
          help={baseUrl === '' ? undefined : `Relative to ${baseUrl}`}
          placeholder="/v1/models"
          monospace
          spellCheck={false}
        />
      </div>
      <div>
        <PairRows
          title="Query"
          noun="parameter"
          pairs={listQuery(draft.path)}
          onChange={(pairs) => writeRequest({ path: writeQuery(draft.path, pairs) })}
          onRemove={(pairs, message) =>
            removeFromRequest({ path: writeQuery(draft.path, pairs) }, message)
          }
        />
        <PairRows
          title={consoleLabels.headers}
          noun="header"
          pairs={listHeaders(draft.headers)}
          findProblem={findHeaderProblem}
          onChange={(pairs) => writeRequest({ headers: writeHeaders(pairs) })}
          onRemove={(pairs, message) =>
            removeFromRequest({ headers: writeHeaders(pairs) }, message)
          }
        />
        {findFieldMessage(errors, 'headers') !== null && (
          <p className={styles.error}>{findFieldMessage(errors, 'headers')}</p>
        )}
      </div>
      {takesBody(draft.method) && (
        <>
          <div className={styles.bodyBar}>
            <span className="label">Body</span>
            <Segmented
              label="Body format"
              value={draft.bodyKind}
              options={bodyKinds}
              onValueChange={(bodyKind) => writeRequest({ bodyKind })}
            />
          </div>
          {draft.bodyKind === 'json' ? (
            <div className={classNames(styles.body, 'stack-4')}>
              <JsonEditor
                label={consoleLabels.body}
                hidesLabel
                initialText={draft.body}
                text={draft.body}
                onTextChange={(body) => writeRequest({ body })}
                onSubmit={onRun}
              />
              {problems.body !== null && <p className="hint">{problems.body}</p>}
              {findFieldMessage(errors, 'body') !== null && (
                <p className={styles.error}>{findFieldMessage(errors, 'body')}</p>
              )}
            </div>
          ) : (
            <FormBody draft={draft} error={findFieldMessage(errors, 'multipart')} />
          )}
        </>
      )}
      <p className="hint">
        Sent exactly as written. Authorization is added automatically. The key is sent only to the
        connection’s base URL.
      </p>
    </div>
  );
}

interface FormBodyProps {
  draft: ConsoleInput;
  error: string | null;
}

function FormBody({ draft, error }: FormBodyProps) {
  const { fields, file } = draft;
  // The main process sets the filename, because a generated file's name contains the prompt.
  const take = ({ id }: Media) =>
    writeRequest({ file: { name: file?.name ?? 'file', mediaId: id, filename: '' } });
  const uploads = useUploads({ place: 'console', filter: anything, onMedia: take });

  return (
    <div className="stack-8">
      {fields.map((field, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: fields have no other identity.
        <div key={index} className={styles.pair}>
          <TextField
            label={`Name of field ${index + 1}`}
            hideLabel
            value={field.name}
            onValueChange={(name) =>
              writeRequest({ fields: fields.with(index, { ...field, name }) })
            }
            placeholder="name"
            monospace
          />
          <TextField
            label={`Value of field ${index + 1}`}
            hideLabel
            value={field.value}
            onValueChange={(value) =>
              writeRequest({ fields: fields.with(index, { ...field, value }) })
            }
            placeholder="value"
            monospace
          />
          <IconButton
            size="small"
            label={`Remove field ${index + 1}`}
            icon={<TrashIcon size={14} />}
            onClick={() =>
              removeFromRequest(
                { fields: fields.toSpliced(index, 1) },
                `Field ${index + 1} removed`,
              )
            }
          />
        </div>
      ))}
      {file !== null && <FileField file={file} />}
      {error !== null && <p className={styles.error}>{error}</p>}
      <UploadList uploads={uploads} />
      <ActionBar>
        <Button
          size="small"
          icon={<PlusIcon size={14} />}
          onClick={() => writeRequest({ fields: [...fields, { name: '', value: '' }] })}
        >
          Add field
        </Button>
        <AttachButton uploads={uploads} filter={anything} label="Attach" multiple={false} />
        <LibraryButton kinds={anything.kinds} title="Choose a file" onPick={take} />
      </ActionBar>
    </div>
  );
}

function FileField({ file }: { file: FormFile }) {
  const { media, isPending } = useMedia(file.mediaId);
  return (
    <div className={styles.pair}>
      <TextField
        label="File field name"
        hideLabel
        value={file.name}
        onValueChange={(name) => writeRequest({ file: { ...file, name } })}
        error={file.name.trim() === '' ? 'Enter a name.' : null}
        monospace
      />
      {media === null ? (
        <span className="hint">
          {isPending ? 'Loading file…' : 'This file is no longer in the library.'}
        </span>
      ) : (
        <MediaChip media={media} />
      )}
      <IconButton
        size="small"
        label="Remove file"
        icon={<TrashIcon size={14} />}
        onClick={() => removeFromRequest({ file: null }, 'File removed')}
      />
    </div>
  );
}
