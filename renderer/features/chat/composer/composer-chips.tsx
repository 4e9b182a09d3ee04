import { FORMAT, listFormats } from '../../../../shared/operations/formats.ts';
import { getParamValue } from '../../../../shared/param.ts';
import { useDraft } from '../../../run/form/parameters.ts';
import { showField } from '../../../run/form/run-block.ts';
import { useForm } from '../../../run/form/use-form.ts';
import { listChangedFields, withoutFields } from '../../../run/form/validate-form.ts';
import { Chip } from '../../../ui/chip.tsx';
import { openEditor } from '../conversation/chat-store.ts';
import type { ComposerForm } from '../conversation/composer-form.ts';
import { useFormat } from '../options/use-options.ts';
import { useChatState } from '../session/chat-session.ts';
import {
  getChoiceProblem,
  listToolNames,
  optionFields,
  ownedFields,
} from '../session/request-options.ts';

/** Shows the options that differ from a new conversation's. */
export function OptionChips() {
  const options = useChatState((chat) => chat.options);
  const tools = useChatState((chat) => chat.tools);
  const { toolChoice, responseFormat, providerFields } = options;
  const names = listToolNames(options, tools, useFormat());
  const toolCount = names.functions.length + names.builtIn.length;
  return (
    <>
      {toolCount > 0 && <Chip onClick={() => openEditor('tools')}>Tools {toolCount}</Chip>}
      {toolCount > 0 && toolChoice !== null && (
        <Chip
          problem={getChoiceProblem(toolChoice, names)}
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
      {providerFields !== 'automatic' && (
        <Chip onClick={() => showField(optionFields.providerFields)}>
          {providerFields === 'always' ? 'All provider fields' : 'No provider fields'}
        </Chip>
      )}
    </>
  );
}

/** Shows the parameters that differ from a new conversation's. */
export function ParameterChips() {
  const form = useChatState((chat) => chat.form);
  const description = useChatState(({ run }) => run.description);
  const draft = useDraft(form, description);
  const format = getParamValue(draft.params, FORMAT);
  const formatTitle = listFormats(form.operation).find(({ name }) => name === format)?.title;
  const changed = listChangedFields(withoutFields(description, ownedFields), draft);
  return (
    <>
      {formatTitle !== undefined && <Chip onClick={() => showField(FORMAT)}>{formatTitle}</Chip>}
      {changed.map((field) => (
        <Chip key={field.name} problem={field.problem} onClick={() => showField(field.name)}>
          {field.label}
        </Chip>
      ))}
    </>
  );
}

export function HeadChips({ form, onOpen }: { form: ComposerForm; onOpen: () => void }) {
  const role = useForm(form, ({ input }) => input.role);
  const name = useForm(form, ({ input }) => input.name.trim());
  return (
    <>
      {role !== 'user' && <Chip onClick={onOpen}>role {role}</Chip>}
      {name !== '' && <Chip onClick={onOpen}>name {name}</Chip>}
    </>
  );
}
