import type { Connection } from '../../../shared/connection.ts';
import { defaultConversationOptions, type WrittenMessage } from '../../../shared/conversation.ts';
import { isSameJson, type JsonObject, toJson } from '../../../shared/json.ts';
import { getContentText, type Tool } from '../../../shared/operations/chat/message.ts';
import { describeOperation } from '../../../shared/operations/form/describe.ts';
import { type PastedConversation, toConversation } from '../../../shared/pasted/to-conversation.ts';
import { getFormat, type PastedInput } from '../../../shared/pasted/to-run-input.ts';
import { api, orpc } from '../../lib/api.ts';
import { queryClient } from '../../lib/query-client.ts';
import { navigate } from '../../lib/route.ts';
import type { Form } from '../form/form.ts';
import { getConversationForm } from '../form/panel-forms.ts';
import { restoreParameters, setFormat } from '../form/parameters.ts';

/** Starts a conversation with the earlier messages; the last one waits in the composer. */
export async function openConversation(
  input: PastedInput,
  connection: Connection | null,
): Promise<{ form: Form<'chat'>; notes: string[] }> {
  const pasted = toConversation(input);
  const { systemMessage, options, messages, lost } = pasted;
  const tools = await saveTools(pasted.tools);
  const isTaken = tools.taken.length > 0;
  const { tools: sentTools = [], tool_choice: sentChoice } = input.body;
  const ownTools = {
    tools: sentTools,
    ...(sentChoice !== undefined && { tool_choice: sentChoice }),
  };
  const { id } = await api.conversations.create({
    systemMessage,
    options: {
      ...defaultConversationOptions,
      ...options,
      toolIds: tools.ids,
      ...(isTaken && { toolChoice: null }),
    },
    ...(pasted.draft !== null && { draft: getContentText(pasted.draft.content, '\n\n') }),
  });
  let parentId: string | null = null;
  for (const message of messages) {
    const added = await api.conversations.addMessage({ conversationId: id, parentId, message });
    parentId = added.activeLeafId;
  }
  const form = getConversationForm(id);
  await form.load();
  fillForm(form, pasted, connection, isTaken ? ownTools : {});
  await queryClient.invalidateQueries({ queryKey: orpc.conversations.list.key() });
  navigate('chat', id);
  const taken = new Intl.ListFormat('en-US').format(tools.taken);
  return {
    form,
    notes: [
      ...(lost.length === 0
        ? []
        : [`Chat can’t hold ${new Intl.ListFormat('en-US').format(lost)} of the messages.`]),
      ...(tools.taken.length === 0
        ? []
        : [`You have another tool named ${taken}, so the tools are in Extra JSON.`]),
    ],
  };
}

function fillForm(
  form: Form<'chat'>,
  { settings, draft }: PastedConversation,
  connection: Connection | null,
  more: JsonObject,
): void {
  const { model, ...request } = settings.request;
  const extraBody = { ...settings.extraBody, ...more };
  restoreParameters(form, describeOperation('chat'), { ...settings, request, extraBody });
  setFormat(form, getFormat(settings));
  form.change({
    ...(draft !== null && { input: toInput(draft) }),
    ...(connection !== null && {
      connectionId: connection.id,
      ...(typeof model === 'string' && model !== '' && { models: { [connection.id]: model } }),
    }),
  });
}

/** The composer sends its text first, so text between attachments stays a part. */
function toInput({ content, name = '' }: WrittenMessage) {
  if (typeof content === 'string') return { text: content, parts: [], name };
  const [first, ...others] = content;
  const isFirst =
    first?.type === 'text' && isSameJson(Object.keys(first).toSorted(), ['text', 'type']);
  return isFirst
    ? { text: getContentText([first]), parts: others, name }
    : { text: '', parts: content, name };
}

/** Reuses saved tools; `ids` is empty if a name is taken by a tool with another definition. */
async function saveTools(tools: readonly Tool[]): Promise<{ ids: string[]; taken: string[] }> {
  if (tools.length === 0) return { ids: [], taken: [] };
  const saved = await queryClient.fetchQuery(orpc.saved.tools.list.queryOptions());
  const find = ({ function: { name } }: Tool) =>
    saved.find(({ tool }) => tool.function.name === name);
  const taken = tools.filter((tool) => {
    const known = find(tool);
    return known !== undefined && !isSameJson(toJson(known.tool), toJson(tool));
  });
  if (taken.length > 0) return { ids: [], taken: taken.map((tool) => tool.function.name) };
  const ids: string[] = [];
  for (const tool of tools) {
    const { id } = find(tool) ?? (await api.saved.tools.save({ id: null, tool }));
    ids.push(id);
  }
  await queryClient.invalidateQueries({ queryKey: orpc.saved.tools.list.key() });
  return { ids, taken: [] };
}
