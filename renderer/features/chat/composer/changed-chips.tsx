import type { ConversationOptions } from '../../../../shared/conversation-options.ts';
import type { OperationDescription } from '../../../../shared/operations/form/describe.ts';
import type { SavedTool } from '../../../../shared/tool.ts';
import { changedFields } from '../../../run/form/changed-fields.ts';
import { withoutFields } from '../../../run/form/check-draft.ts';
import { useDraft } from '../../../run/form/parameters.ts';
import { showField } from '../../../run/frame/show-field.ts';
import { Chip } from '../../../ui/chip.tsx';
import { openEditor } from '../chat-store.ts';
import { choiceProblem, optionFields, ownedFields, toolsOn } from '../options/request-options.ts';
import type { ComposerForm } from './composer-form.ts';

interface OptionChipsProps {
  options: ConversationOptions;
  tools: readonly SavedTool[];
}

/** What goes along with this conversation's messages; each opens the place where it is set. */
export function OptionChips({ options, tools }: OptionChipsProps) {
  const { toolIds, toolChoice, responseFormat, sendReasoning } = options;
  const toolCount = toolsOn(toolIds, tools).length;
  return (
    <>
      {toolCount > 0 && <Chip onClick={() => openEditor('tools')}>Tools {toolCount}</Chip>}
      {toolCount > 0 && toolChoice !== null && (
        <Chip
          problem={choiceProblem(options, tools)}
          onClick={() => showField(optionFields.toolChoice)}
        >
          tool_choice {typeof toolChoice === 'string' ? toolChoice : toolChoice.name}
        </Chip>
      )}
      {responseFormat?.type === 'json_schema' && (
        <Chip onClick={() => openEditor('schema')}>JSON schema</Chip>
      )}
      {responseFormat !== null && responseFormat.type !== 'json_schema' && (
        <Chip onClick={() => showField(optionFields.responseFormat)}>
          {String(responseFormat.type)}
        </Chip>
      )}
      {sendReasoning && (
        <Chip onClick={() => showField(optionFields.sendReasoning)}>Previous reasoning</Chip>
      )}
    </>
  );
}

interface ParameterChipsProps {
  form: ComposerForm;
  description: OperationDescription;
}

/** The parameters that a new conversation would not send. */
export function ParameterChips({ form, description }: ParameterChipsProps) {
  const draft = useDraft(form, description);
  return changedFields(withoutFields(description, ownedFields), draft).map((field) => (
    <Chip key={field.name} problem={field.problem} onClick={() => showField(field.name)}>
      {field.label}
    </Chip>
  ));
}
