import { isJsonObject, type JsonValue } from '../../../../shared/json.ts';
import { draftNames } from '../conversation/chat-labels.ts';
import { dropDraft } from '../conversation/edit-drafts.tsx';
import { useChatSession, useChatState } from '../session/chat-session.ts';
import { exampleSchema } from '../session/option-examples.ts';
import { checkSchemaDefinition } from './check-definitions.ts';
import { schemaKeywords } from './check-json-schema.ts';
import { JsonDialog } from './json-dialog.tsx';

/** Edits the JSON schema that answers must match. */
export function SchemaDialog({ onClose }: { onClose: () => void }) {
  const { changeOptions } = useChatSession();
  const form = useChatState((chat) => chat.form);
  const definition = useChatState(({ options }) => options.responseFormat?.json_schema);
  async function save(json_schema: JsonValue): Promise<void> {
    onClose();
    const isSaved = await changeOptions({ responseFormat: { type: 'json_schema', json_schema } });
    if (isSaved) dropDraft(form, draftNames.schema);
  }
  return (
    <JsonDialog
      title="Response schema"
      note="Sent as response_format.json_schema. Completed answers are validated against it."
      label="Response JSON schema"
      saveLabel="Save"
      initial={isJsonObject(definition) ? definition : exampleSchema}
      form={form}
      draftName={draftNames.schema}
      check={checkSchemaDefinition}
      placeSchema={(_, schema, name) => ({ name, strict: true, schema })}
      words={schemaKeywords}
      onSave={(value) => void save(value)}
      onClose={onClose}
    />
  );
}
