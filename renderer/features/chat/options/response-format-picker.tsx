import { useState } from 'react';
import { isJsonObject, type JsonObject, type JsonValue } from '../../../../shared/json.ts';
import { Button } from '../../../ui/button.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { JsonEditor } from '../../../ui/json-editor/json-editor.tsx';
import { type CheckValue, readJson } from '../../../ui/json-editor/json-problems.ts';
import { Select } from '../../../ui/select.tsx';
import { schemaWords } from './check-json-schema.ts';
import styles from './conversation-options.module.css';
import { exampleSchema, schemaDefinitionProblems } from './response-format.ts';

interface ResponseFormatPickerProps {
  responseFormat: JsonObject | null;
  onChange: (responseFormat: JsonObject | null) => void;
}

const SCHEMA = 'json_schema';

export function ResponseFormatPicker({ responseFormat, onChange }: ResponseFormatPickerProps) {
  const [editing, setEditing] = useState(false);
  const type = typeof responseFormat?.type === 'string' ? responseFormat.type : '';
  const definition = responseFormat?.json_schema ?? exampleSchema;
  return (
    <div className={styles.formatRow}>
      <Select
        label="Response format"
        value={type}
        options={[
          { value: '', label: 'Not sent' },
          { value: 'text', label: 'text' },
          { value: 'json_object', label: 'json_object' },
          { value: SCHEMA, label: SCHEMA },
        ]}
        onValueChange={(next) => {
          if (next === '') onChange(null);
          else if (next === SCHEMA) {
            onChange({ type: next, json_schema: definition });
            setEditing(true);
          } else onChange({ type: next });
        }}
      />
      {type === SCHEMA && <Button onClick={() => setEditing(true)}>Edit schema</Button>}
      {editing && (
        <JsonDialog
          title="Response schema"
          label="JSON Schema of the answer"
          note="Sent as response_format.json_schema. Finished answers are checked against it here."
          initial={definition}
          check={schemaDefinitionProblems}
          onSave={(value) => {
            if (isJsonObject(value)) onChange({ type: SCHEMA, json_schema: value });
            setEditing(false);
          }}
          onClose={() => setEditing(false)}
        />
      )}
    </div>
  );
}

interface JsonDialogProps {
  title: string;
  label: string;
  note: string;
  initial: JsonValue;
  check: CheckValue;
  onSave: (value: JsonValue) => void;
  onClose: () => void;
}

/** One JSON value in a dialog; it can be saved while nothing is wrong with it. */
function JsonDialog({ title, label, note, initial, check, ...on }: JsonDialogProps) {
  const [text, setText] = useState(() => JSON.stringify(initial, null, 2));
  const read = readJson(text, check);
  const save = () => read.ok && on.onSave(read.value);
  return (
    <Dialog
      open
      title={title}
      size="large"
      onClose={on.onClose}
      actions={
        <>
          <Button onClick={on.onClose}>Cancel</Button>
          <Button
            variant="primary"
            onClick={save}
            disabledReason={read.ok ? null : 'Mend what is marked first.'}
          >
            Save
          </Button>
        </>
      }
    >
      <div className={styles.editor}>
        <p className={styles.note}>{note}</p>
        <JsonEditor
          label={label}
          initialText={text}
          onTextChange={setText}
          check={check}
          words={schemaWords}
          onSubmit={save}
        />
      </div>
    </Dialog>
  );
}
