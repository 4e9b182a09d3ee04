import { useState } from 'react';
import { isJsonObject, type JsonObject } from '../../../../shared/json.ts';
import { Button } from '../../../ui/button.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { JsonEditor } from '../../../ui/json-editor/json-editor.tsx';
import { readJson } from '../../../ui/json-editor/json-problems.ts';
import { schemaWords } from './check-json-schema.ts';
import styles from './conversation-options.module.css';
import { schemaDefinitionProblems } from './response-format.ts';

interface SchemaDialogProps {
  /** `json_schema` of the response format. */
  initial: JsonObject;
  onSave: (definition: JsonObject) => void;
  onClose: () => void;
}

/** The schema that answers have to fit; it can be saved while nothing is wrong with it. */
export function SchemaDialog({ initial, onSave, onClose }: SchemaDialogProps) {
  const [text, setText] = useState(() => JSON.stringify(initial, null, 2));
  const read = readJson(text, schemaDefinitionProblems);
  const save = () => read.ok && isJsonObject(read.value) && onSave(read.value);
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
            onClick={save}
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
        <JsonEditor
          label="Answer JSON schema"
          initialText={text}
          onTextChange={setText}
          check={schemaDefinitionProblems}
          words={schemaWords}
          onSubmit={save}
        />
      </div>
    </Dialog>
  );
}
