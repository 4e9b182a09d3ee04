import { isJsonObject, type JsonObject } from '../../../../shared/json.ts';
import { FormProblem } from '../../../run/form/form-problem.tsx';
import { Button } from '../../../ui/button.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { JsonEditor } from '../../../ui/json-editor/json-editor.tsx';
import { readJson } from '../../../ui/json-editor/json-problems.ts';
import type { ComposerForm } from '../composer/composer-form.ts';
import { DraftNote, draftNames, dropDraft, useTextDraft } from '../edit-drafts.tsx';
import { checkSchemaDefinition } from './check-definitions.ts';
import { schemaKeywords } from './check-json-schema.ts';
import styles from './conversation-options.module.css';

interface SchemaDialogProps {
  /** `initial` is the `json_schema` of the response format. */
  initial: JsonObject;
  /** The conversation's form stores unsaved changes. */
  form: ComposerForm;
  /** Closes the dialog, or resolves to false if saving failed. */
  onSave: (definition: JsonObject) => Promise<boolean>;
  onClose: () => void;
}

export function SchemaDialog({ initial, form, onSave, onClose }: SchemaDialogProps) {
  const draft = useTextDraft(form, draftNames.schema, JSON.stringify(initial, null, 2));
  const read = readJson(draft.text, checkSchemaDefinition);
  const save = async () => {
    if (!read.ok || !isJsonObject(read.value)) return;
    if (await onSave(read.value)) dropDraft(form, draftNames.schema);
  };
  return (
    <Dialog
      open
      title="Response schema"
      size="large"
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button
            variant="primary"
            onClick={() => void save()}
            disabledReason={read.ok ? null : 'Fix the marked errors first.'}
          >
            Save
          </Button>
        </>
      }
    >
      <div className={styles.editor}>
        <p className={styles.note}>
          Sent as response_format.json_schema. Completed answers are validated against it.
        </p>
        <FormProblem form={form} />
        <DraftNote undoKey={draft.undoKey} restored={draft.restored} onDiscard={draft.discard} />
        <JsonEditor
          key={draft.version}
          label="Response JSON schema"
          initialText={draft.text}
          onTextChange={draft.change}
          check={checkSchemaDefinition}
          words={schemaKeywords}
          onSubmit={() => void save()}
        />
      </div>
    </Dialog>
  );
}
