import type { JsonObject } from '../../../../shared/json.ts';
import { Button } from '../../../ui/button.tsx';
import { Select } from '../../../ui/select.tsx';
import { openEditor } from '../chat-store.ts';
import styles from './conversation-options.module.css';
import { exampleSchema } from './option-examples.ts';
import { optionFields } from './request-options.ts';

interface ResponseFormatPickerProps {
  responseFormat: JsonObject | null;
  onChange: (responseFormat: JsonObject | null) => void;
}

const SCHEMA = 'json_schema';

export function ResponseFormatPicker({ responseFormat, onChange }: ResponseFormatPickerProps) {
  const type = typeof responseFormat?.type === 'string' ? responseFormat.type : '';
  return (
    <div className={styles.formatRow} data-field={optionFields.responseFormat}>
      <Select
        label="Response format"
        value={type}
        options={[
          { value: '', label: 'Not set' },
          { value: 'text', label: 'text' },
          { value: 'json_object', label: 'json_object' },
          { value: SCHEMA, label: SCHEMA },
        ]}
        onValueChange={(next) => {
          if (next === '') onChange(null);
          else if (next === SCHEMA) {
            onChange({ type: next, json_schema: responseFormat?.json_schema ?? exampleSchema });
            openEditor('schema');
          } else onChange({ type: next });
        }}
      />
      {type === SCHEMA && <Button onClick={() => openEditor('schema')}>Edit schema</Button>}
    </div>
  );
}
