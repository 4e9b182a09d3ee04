import type { ReactNode } from 'react';
import type { AppError } from '../../../../shared/errors.ts';
import type { JsonValue } from '../../../../shared/json.ts';
import { matchesShortcut, panelShortcuts } from '../../../lib/shortcut.ts';
import { FormProblem } from '../../../run/form/form-problem.tsx';
import { Button } from '../../../ui/button.tsx';
import { classNames } from '../../../ui/class-names.ts';
import { Dialog } from '../../../ui/dialog.tsx';
import { ErrorAlert } from '../../../ui/error-alert.tsx';
import { JsonEditor } from '../../../ui/json-editor/json-editor.tsx';
import { type CheckValue, readJson } from '../../../ui/json-editor/json-problems.ts';
import type { ComposerForm } from '../conversation/composer-form.ts';
import { DraftNote, useTextDraft } from '../conversation/edit-drafts.tsx';
import styles from './conversation-options.module.css';
import { type PlaceSchema, SchemaStarts } from './schema-starts.tsx';

interface JsonDialogProps {
  title: string;
  note: string;
  label: string;
  saveLabel: string;
  initial: object;
  /** The name under which the form stores unsaved changes. */
  form: ComposerForm;
  draftName: string;
  check: CheckValue;
  words: readonly string[];
  busy?: boolean;
  error?: AppError | null;
  /** Offers templates and schemas from samples; null if the value has no schema. */
  placeSchema?: PlaceSchema | null;
  /** Why the fields below the editor can't be saved; null if they can. */
  problem?: string | null;
  onSave: (value: JsonValue) => void;
  onClose: () => void;
  children?: ReactNode;
}

/** Edits a JSON value. Closing keeps unsaved changes. */
export function JsonDialog(props: JsonDialogProps) {
  const { title, note, label, saveLabel, initial, form, draftName, check, words } = props;
  const { busy = false, error = null, problem = null, placeSchema = null, onSave, onClose } = props;
  const draft = useTextDraft(form, draftName, JSON.stringify(initial, null, 2));
  const read = readJson(draft.text, check);
  const save = () => {
    if (read.ok && !busy && problem === null) onSave(read.value);
  };
  return (
    <Dialog
      open
      title={title}
      size="large"
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button
            variant="primary"
            busy={busy}
            onClick={save}
            disabledReason={read.ok && problem === null ? null : 'Fix the marked errors first.'}
          >
            {saveLabel}
          </Button>
        </>
      }
    >
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the controls inside send these keys. */}
      <div
        className={classNames(
          'stack-12',
          props.children === undefined ? styles.editor : styles.editorAbove,
        )}
        onKeyDown={({ nativeEvent }) => {
          if (matchesShortcut(panelShortcuts.run.shortcut, nativeEvent)) save();
        }}
      >
        <p className="caption">{note}</p>
        <FormProblem form={form} />
        <DraftNote undoKey={draft.undoKey} restored={draft.restored} onDiscard={draft.discard} />
        {placeSchema !== null && (
          <SchemaStarts
            onReplace={(schema, name) => {
              const current = read.ok ? read.value : null;
              const next = JSON.stringify(placeSchema(current, schema, name), null, 2);
              draft.replace(next, 'Schema replaced');
            }}
          />
        )}
        <JsonEditor
          key={draft.version}
          label={label}
          initialText={draft.text}
          onTextChange={draft.change}
          check={check}
          words={words}
        />
        {props.children}
        {error !== null && <ErrorAlert error={error} compact />}
      </div>
    </Dialog>
  );
}
