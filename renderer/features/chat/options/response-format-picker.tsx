import { useState } from 'react';
import { isJsonObject, type JsonObject } from '../../../../shared/json.ts';
import { Button } from '../../../ui/button.tsx';
import { Select } from '../../../ui/select.tsx';
import styles from './conversation-options.module.css';
import { JsonDialog } from './json-dialog.tsx';
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
