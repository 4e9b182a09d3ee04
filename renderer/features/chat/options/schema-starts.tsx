import { useState } from 'react';
import type { JsonObject, JsonValue } from '../../../../shared/json.ts';
import { createSchemaFromJson } from '../../../../shared/schema-from-json.ts';
import { readJsonText } from '../../../lib/format-json-error.ts';
import { Button } from '../../../ui/button.tsx';
import { FormDialog } from '../../../ui/form-dialog.tsx';
import { ChevronDownIcon } from '../../../ui/icons/status.tsx';
import { Menu } from '../../../ui/menu.tsx';
import { TextArea } from '../../../ui/text-area.tsx';
import { schemaTemplates } from './schema-templates.ts';

/** Inserts a schema into the definition being edited; `name` describes the schema. */
export type PlaceSchema = (
  current: JsonValue | null,
  schema: JsonObject,
  name: string,
) => JsonObject;

interface SchemaStartsProps {
  /** Replaces the schema; the caller offers Undo. */
  onReplace: (schema: JsonObject, name: string) => void;
}

/** Offers schema templates, and a schema inferred from sample JSON. */
export function SchemaStarts({ onReplace }: SchemaStartsProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <div className="wrap-8">
      <Menu
        label="Templates"
        size="small"
        align="start"
        trigger={
          <>
            Templates <ChevronDownIcon size={12} />
          </>
        }
        items={schemaTemplates.map(({ name, label, schema }) => ({
          id: name,
          label,
          onSelect: () => onReplace(schema, name),
        }))}
      />
      <Button size="small" variant="quiet" onClick={() => setOpen(true)}>
        Schema from JSON
      </Button>
      {isOpen && (
        <SampleDialog
          onSchema={(schema) => {
            onReplace(schema, 'answer');
            setOpen(false);
          }}
          onClose={() => setOpen(false)}
        />
      )}
    </div>
  );
}

interface SampleDialogProps {
  onSchema: (schema: JsonObject) => void;
  onClose: () => void;
}

function SampleDialog({ onSchema, onClose }: SampleDialogProps) {
  const [text, setText] = useState('');
  const read = readJsonText(text);
  const isEmpty = text.trim() === '';
  return (
    <FormDialog
      title="Schema from JSON"
      size="medium"
      saveLabel="Make schema"
      isChanged={!isEmpty}
      disabledReason={isEmpty ? 'Paste JSON first.' : read.ok ? null : 'Fix the JSON first.'}
      onSave={() => {
        if (read.ok) onSchema(createSchemaFromJson(read.value));
      }}
      onClose={onClose}
    >
      <TextArea
        label="Sample JSON"
        help="Fields, types and lists are taken from the sample. Several items in a list show which fields may be missing or null."
        error={isEmpty || read.ok ? null : read.message}
        monospace
        rows={12}
        value={text}
        onValueChange={setText}
      />
    </FormDialog>
  );
}
