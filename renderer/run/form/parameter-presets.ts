import { isSameJson } from '../../../shared/json.ts';
import { describeOperation } from '../../../shared/operations/form/describe.ts';
import type { OperationName } from '../../../shared/operations/operation-name.ts';
import type {
  ConversationParts,
  ParameterPreset,
  PresetSettings,
} from '../../../shared/saved-items.ts';
import { pluralize } from '../../lib/format-quantity.ts';
import { offerUndo } from '../../lib/undo.ts';
import { offerUndoSince } from './change-with-undo.ts';
import type { Form } from './form.ts';
import { mergeUndo } from './merge-undo.ts';
import { getParametersUndoKey, getSettings, listParamFields, mergeSettings } from './parameters.ts';
import { useModel } from './use-model.ts';

/** Reads and changes the settings of a conversation that presets can include. */
export interface PresetConversation {
  read: () => ConversationParts;
  change: (parts: Partial<ConversationParts>) => void;
  /** Returns false if the tool was deleted. */
  hasTool: (id: string) => boolean;
}

/** The panel or variant that a preset is saved from or applied to. */
export interface PresetTarget {
  form: Form<OperationName>;
  /** Null if no connection is chosen; applying a preset then leaves the model unchanged. */
  connectionId: string | null;
  /** Empty if none is chosen. */
  model: string;
  /** The models that the gateway lists; null if that isn't known. */
  listedModels: readonly string[] | null;
  /** Null if the target isn't a conversation. */
  conversation: PresetConversation | null;
}

export function usePresetTarget(
  form: Form<OperationName>,
  conversation: PresetConversation | null,
): PresetTarget {
  const { connectionId, model, suggestions } = useModel(form);
  const listedModels = suggestions?.models.map(({ id }) => id) ?? null;
  return { form, connectionId, model, listedModels, conversation };
}

/** A part that the user can leave out of a preset. */
export type PresetPart = 'model' | keyof ConversationParts;

export const partLabels: Record<PresetPart, string> = {
  model: 'Model',
  systemMessage: 'System message',
  tools: 'Tools',
  responseFormat: 'Response format',
};

interface OfferedPart {
  part: PresetPart;
  value: string;
  isSet: boolean;
}

/** Returns the parts that a preset of the target can include. */
export function listParts({ model, conversation }: PresetTarget): OfferedPart[] {
  const chosen: OfferedPart[] = model === '' ? [] : [{ part: 'model', value: model, isSet: true }];
  if (conversation === null) return chosen;
  const { systemMessage, tools, responseFormat } = conversation.read();
  const toolNames = tools.on.map(({ name }) => name).join(', ');
  const text = systemMessage.trim();
  return [
    ...chosen,
    { part: 'systemMessage', value: text || 'Empty', isSet: text !== '' },
    { part: 'tools', value: toolNames || 'None', isSet: toolNames !== '' },
    {
      part: 'responseFormat',
      value: responseFormat === null ? 'Not set' : String(responseFormat.type),
      isSet: responseFormat !== null,
    },
  ];
}

export function capturePreset(
  { form, model, conversation }: PresetTarget,
  parts: ReadonlySet<PresetPart>,
): PresetSettings {
  return {
    ...getSettings(form),
    ...(parts.has('model') && model !== '' && { model }),
    ...(conversation !== null && pickParts(conversation.read(), parts)),
  };
}

function pickParts(
  { systemMessage, tools, responseFormat }: ConversationParts,
  parts: ReadonlySet<PresetPart>,
): Partial<ConversationParts> {
  return {
    ...(parts.has('systemMessage') && { systemMessage }),
    ...(parts.has('tools') && { tools }),
    ...(parts.has('responseFormat') && { responseFormat }),
  };
}

/** Returns text such as `gpt-5 · System message · 2 tools`; empty if it has only parameters. */
export function describePreset(settings: PresetSettings): string {
  const { model, systemMessage, tools, responseFormat } = settings;
  return [
    model,
    systemMessage === undefined ? undefined : partLabels.systemMessage,
    tools === undefined ? undefined : pluralize(tools.on.length, 'tool'),
    responseFormat === undefined ? undefined : partLabels.responseFormat,
  ]
    .filter((words) => words !== undefined)
    .join(' · ');
}

/** Replaces the settings that the preset contains, says which changed, and offers Undo. */
export function applyPreset(
  { form, connectionId, model, listedModels, conversation }: PresetTarget,
  { name, settings }: Pick<ParameterPreset, 'name' | 'settings'>,
): void {
  const { model: wantedModel, systemMessage, tools, responseFormat, ...parameters } = settings;
  const written = form.variantOf ?? form;
  const before = written.state.getState().values;
  const settingsBefore = getSettings(form);
  const partsBefore = conversation?.read() ?? null;
  const setsModel = connectionId !== null && wantedModel !== undefined;

  const whole =
    form.variantOf === null
      ? parameters
      : mergeSettings(before, parameters, describeOperation(form.operation));
  form.change(
    { ...whole, ...(setsModel && { models: { [connectionId]: wantedModel } }) },
    { unset: listParamFields(form) },
  );
  const deleted = tools?.on.filter(({ id }) => conversation?.hasTool(id) === false) ?? [];
  const changed: Partial<ConversationParts> = getChangedParts(partsBefore, {
    ...(systemMessage !== undefined && { systemMessage }),
    ...(tools !== undefined && {
      tools: { ...tools, on: tools.on.filter((tool) => !deleted.includes(tool)) },
    }),
    ...(responseFormat !== undefined && { responseFormat }),
  });
  if (Object.keys(changed).length > 0) conversation?.change(changed);

  const words = [
    ...(isSameJson(settingsBefore, getSettings(form)) ? [] : ['parameters']),
    ...(setsModel && wantedModel !== model ? ['model'] : []),
    ...(changed.systemMessage === undefined ? [] : ['system message']),
    ...(changed.tools === undefined ? [] : ['tools']),
    ...(changed.responseFormat === undefined ? [] : ['response format']),
  ];
  const place = getParametersUndoKey(form);
  const isUnlisted = setsModel && listedModels?.includes(wantedModel) === false;
  const notes = [
    ...(isUnlisted ? [`“${wantedModel}” used as model ID`] : []),
    ...deleted.map((tool) => `The tool ${tool.name} was deleted`),
  ];
  if (words.length === 0) {
    const message = [`“${name}” changed nothing`, ...notes].join('. ');
    offerUndo({ message, place, undo: null });
    return;
  }
  const list = new Intl.ListFormat('en-US').format(words);
  const message = [`“${name}” applied: ${list}`, ...notes].join('. ');
  offerUndoSince(written, before, message, {
    after: 'any change',
    place,
    also: () => {
      if (conversation !== null && partsBefore !== null)
        restoreParts(conversation, partsBefore, changed);
    },
  });
}

/** Returns the wanted parts that differ; empty without a conversation. */
function getChangedParts(
  before: ConversationParts | null,
  { systemMessage, tools, responseFormat }: Partial<ConversationParts>,
): Partial<ConversationParts> {
  if (before === null) return {};
  const isNew = (part: keyof ConversationParts, wanted: unknown) =>
    wanted !== undefined && !isSameJson(before[part], wanted);
  return {
    ...(isNew('systemMessage', systemMessage) && { systemMessage }),
    ...(isNew('tools', tools) && { tools }),
    ...(isNew('responseFormat', responseFormat) && { responseFormat }),
  };
}

/** Restores parts of the conversation, but keeps changes made since the preset was applied. */
function restoreParts(
  conversation: PresetConversation,
  before: ConversationParts,
  after: Partial<ConversationParts>,
): void {
  const now = conversation.read();
  const restored = mergeParts(before, { ...before, ...after }, now);
  const changed = getChangedParts(now, restored);
  if (Object.keys(changed).length > 0) conversation.change(changed);
}

function mergeParts(
  before: ConversationParts,
  after: ConversationParts,
  now: ConversationParts,
): ConversationParts {
  const merge = <Value>(one: Value, other: Value, newest: Value): Value =>
    isSameJson(one, newest) ? newest : mergeUndo(one, other, newest);
  return {
    systemMessage: merge(before.systemMessage, after.systemMessage, now.systemMessage),
    tools: merge(before.tools, after.tools, now.tools),
    responseFormat: merge(before.responseFormat, after.responseFormat, now.responseFormat),
  };
}
