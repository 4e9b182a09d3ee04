import { isJsonObject, type JsonObject } from '../../../../shared/json.ts';
import { FormProblem } from '../../../run/form/form-problem.tsx';
import { Button } from '../../../ui/button.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { JsonEditor } from '../../../ui/json-editor/json-editor.tsx';
import { readJson } from '../../../ui/json-editor/json-problems.ts';
import type { ComposerForm } from '../composer/composer-form.ts';
import { DraftNote } from '../draft-note.tsx';
import { draftNames, dropDraft, useTextDraft } from '../edit-drafts.ts';
import { schemaKeywords } from './check-json-schema.ts';
import styles from './conversation-options.module.css';
import { schemaDefinitionProblems } from './response-format.ts';

interface SchemaDialogProps {
  /** `json_schema` of the response format. */
  initial: JsonObject;
  /** Of the conversation: keeps unsaved changes. */
  form: ComposerForm;
  /** Closes the dialog; false if it could not be saved. */
  onSave: (definition: JsonObject) => Promise<boolean>;
  onClose: () => void;
}

/** The schema that answers have to fit; it can be saved while nothing is wrong with it. */
export function SchemaDialog({ initial, form, onSave, onClose }: SchemaDialogProps) {
  const draft = useTextDraft(form, draftNames.schema, JSON.stringify(initial, null, 2));
  const read = readJson(draft.text, schemaDefinitionProblems);
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
          Sent as response_format.json_schema. Finished answers are checked against it.
        </p>
        <FormProblem form={form} />
        <DraftNote place={draft.place} restored={draft.restored} onDiscard={draft.discard} />
        <JsonEditor
          key={draft.version}
          label="Answer JSON schema"
          initialText={draft.text}
          onTextChange={draft.change}
          check={schemaDefinitionProblems}
          words={schemaKeywords}
          onSubmit={() => void save()}
        />
      </div>
    </Dialog>
  );
}
