import type { ConversationOptions } from '../../../../shared/conversation-options.ts';
import { isJsonObject } from '../../../../shared/json.ts';
import type { SavedTool } from '../../../../shared/tool.ts';
import { lazyDialog } from '../../../ui/lazy-component.tsx';
import { openEditor, useChat } from '../chat-store.ts';
import type { ComposerForm } from '../composer/composer-form.ts';
import { exampleSchema } from './option-examples.ts';

const ToolsDialog = lazyDialog(
  'Tools',
  async () => (await import('./tools-dialog.tsx')).ToolsDialog,
);
const SchemaDialog = lazyDialog(
  'Response schema',
  async () => (await import('./schema-dialog.tsx')).SchemaDialog,
);

interface OptionEditorsProps {
  /** Of the conversation. */
  form: ComposerForm;
  options: ConversationOptions;
  tools: readonly SavedTool[];
  onChange: (change: Partial<ConversationOptions>) => Promise<boolean>;
}

/** The dialogs of the options, opened from the sidebar, from the composer's chips or a command. */
export function OptionEditors({ form, options, tools, onChange }: OptionEditorsProps) {
  const editor = useChat((state) => state.editor);
  const close = () => openEditor(null);
  const definition = options.responseFormat?.json_schema;
  return (
    <>
      {editor === 'tools' && (
        <ToolsDialog
          tools={tools}
          toolIds={options.toolIds}
          onToolIds={(toolIds) => void onChange({ toolIds })}
          onClose={close}
        />
      )}
      {editor === 'schema' && (
        <SchemaDialog
          form={form}
          initial={isJsonObject(definition) ? definition : exampleSchema}
          onSave={(json_schema) => {
            close();
            return onChange({ responseFormat: { type: 'json_schema', json_schema } });
          }}
          onClose={close}
        />
      )}
    </>
  );
}
