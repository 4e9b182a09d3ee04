/** The forms that panels show, each by its id. */
import { conversationFormId, toolsFormId } from '../../../shared/form-fields.ts';
import type { OperationName } from '../../../shared/operations/operation-name.ts';
import { orpc } from '../../lib/api.ts';
import { getSelected } from '../../lib/connections.ts';
import { queryClient } from '../../lib/query-client.ts';
import { createForm, type Form, getValues } from './form.ts';
import {
  flushUnsaved,
  keepUnwritten,
  type UnwrittenFields,
  unsavedFromLastPage,
} from './unsaved-fields.ts';

const ready = flushUnsaved();

/** What each panel composes. A chat's is the conversation that begins with the next message; the others have forms of their own. */
export const panelForms: { readonly [Name in OperationName]: Form<Name> } = {
  chat: createForm('chat', conversationFormId(null), ready),
  completion: createForm('completion', 'completion', ready),
  image: createForm('image', 'image', ready),
  video: createForm('video', 'video', ready),
  rerank: createForm('rerank', 'rerank', ready),
  speech: createForm('speech', 'speech', ready),
  transcription: createForm('transcription', 'transcription', ready),
  console: createForm('console', 'console', ready),
};

/** Changes to saved tools that are not saved yet. */
export const toolsForm = createForm('chat', toolsFormId, ready);

/** The one that was shown last comes last. */
const conversationForms = new Map<string, Form<'chat'>>();
/** As many as somebody goes back and forth between, or leaves while a message is on its way. */
const keptForms = 8;

/** A conversation's message and settings; null for the one that begins with the next message. */
export function conversationForm(conversationId: string | null): Form<'chat'> {
  if (conversationId === null) return panelForms.chat;
  const form =
    conversationForms.get(conversationId) ??
    createForm('chat', conversationFormId(conversationId), ready);
  conversationForms.delete(conversationId);
  conversationForms.set(conversationId, form);
  releaseOldForms();
  return form;
}

/** Of a conversation that was deleted. Returns what writes, once that is undone, what main did not have yet. */
export function forgetConversationForm(conversationId: string): () => void {
  const form = conversationForms.get(conversationId);
  const unwritten = form?.unwritten() ?? null;
  form?.forget();
  return () => {
    if (unwritten === null) return;
    const { content, unset } = unwritten;
    conversationForm(conversationId).change(getValues(content, 'chat'), { unset });
  };
}

/** Each hears every change, and holds a text that may be a megabyte. */
function releaseOldForms(): void {
  for (const [id, form] of [...conversationForms].slice(0, -keptForms)) {
    if (form.unwritten() !== null) continue;
    conversationForms.delete(id);
    form.release();
  }
}

/** What the panel's first screen has of them: the model that is preselected. For after the form and the connections. */
export async function loadModels(operation: OperationName): Promise<void> {
  const { connectionId, models } = panelForms[operation].state.getState().values;
  const connections = queryClient.getQueryData(orpc.connections.list.queryKey()) ?? [];
  const settings = queryClient.getQueryData(orpc.settings.get.queryKey());
  const selected = getSelected(connections, settings?.selectedConnectionId ?? null);
  const id = connectionId ?? selected?.id;
  if (id === undefined || models[id] !== undefined) return;
  const input = { connectionId: id, operation };
  await queryClient.prefetchQuery(orpc.models.suggest.queryOptions({ input }));
}

/** Asks again for what did not come. */
export function retryForms(): void {
  for (const { state, retry } of allForms()) {
    const { loaded, problem } = state.getState();
    if (!loaded && problem !== null) retry().catch(() => undefined);
  }
}

/** What was typed and main does not have for sure, also what the page before left behind. */
export function unwrittenFields(): UnwrittenFields[] {
  return [...unsavedFromLastPage(), ...allForms().flatMap((form) => form.unwritten() ?? [])];
}

function allForms(): Form<OperationName>[] {
  return [...Object.values(panelForms), toolsForm, ...conversationForms.values()];
}

// Leaving a field ends the wait for a pause of typing.
addEventListener('focusout', () => {
  for (const form of allForms()) form.flush();
});
addEventListener('pagehide', () => {
  keepUnwritten(allForms().flatMap((form) => form.unwritten() ?? []));
  for (const form of allForms()) form.flush();
});
// A page that was only put aside has gone on writing by itself.
addEventListener('pageshow', ({ persisted }) => {
  if (persisted) keepUnwritten([]);
});
