import { isJsonObject, isSameJson, type JsonObject } from '../../../shared/json.ts';
import { type ComparedInput, createPromptField } from '../../run/compare/compared-input.ts';
import { formFields, getMetadata, readForm, rowText } from './video-form-values.ts';

/** Variants may also differ in the extra parameters. */
export const comparedVideo: ComparedInput = {
  promptField: createPromptField('prompt', 'Prompt', 'Prompts'),
  own: {
    sent: (input) => ('rows' in input ? formFields(input) : {}),
    read: readForm,
  },
  settings: {
    fields(input) {
      const rows = 'rows' in input ? input.rows : [];
      const values = new Map(rows.map(({ name, value }) => [name.trim(), value]));
      values.delete('');
      return [...values].map(([name, value]) => ({ name, label: name, value, suggestions: [] }));
    },
    write: (own, settings) => ({
      metadata: {
        ...metadataIn(own),
        ...getMetadata(Object.entries(settings).map(([name, value]) => ({ name, value }))),
      },
    }),
    read(own, sent) {
      const known = metadataIn(own);
      return Object.fromEntries(
        Object.entries(metadataIn(sent))
          .filter(([name, value]) => !isSameJson(value, known[name]))
          .map(([name, value]) => [name, rowText(value)]),
      );
    },
  },
};

function metadataIn({ metadata }: JsonObject): JsonObject {
  return isJsonObject(metadata) ? metadata : {};
}
