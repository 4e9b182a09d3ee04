/** The forms that panels show, each by its id. */
import {
  conversationFormId,
  conversationOfForm,
  toolsFormId,
} from '../../../shared/form-fields.ts';
import type { OperationName } from '../../../shared/operations/operation-name.ts';
import { orpc } from '../../lib/api.ts';
import { getSelected } from '../../lib/connections.ts';
import { queryClient } from '../../lib/query-client.ts';
import { flushTyped, keepUnsaved, listLeftIds } from '../../lib/save-queue.ts';
import { createForm, type StoredForm } from './form.ts';

/** What each panel composes. A chat's is the conversation that begins with the next message; the others have forms of their own. */
export const panelForms: { readonly [Name in OperationName]: StoredForm<Name> } = {
  chat: createForm('chat', conversationFormId(null)),
  completion: createForm('completion', 'completion'),
  image: createForm('image', 'image'),
  video: createForm('video', 'video'),
  rerank: createForm('rerank', 'rerank'),
  speech: createForm('speech', 'speech'),
  transcription: createForm('transcription', 'transcription'),
  console: createForm('console', 'console'),
};

/** Changes to saved tools that are not saved yet. */
export const toolsForm = createForm('chat', toolsFormId);

/** The one that was shown last comes last. */
const conversationForms = new Map<string, StoredForm<'chat'>>();
/** As many as somebody goes back and forth between, or leaves while a message is on its way. */
const keptForms = 8;

/** A conversation's message and settings; null for the one that begins with the next message. */
export function conversationForm(conversationId: string | null): StoredForm<'chat'> {
  if (conversationId === null) return panelForms.chat;
  const form =
    conversationForms.get(conversationId) ?? createForm('chat', conversationFormId(conversationId));
  conversationForms.delete(conversationId);
  conversationForms.set(conversationId, form);
  releaseOldForms();
  return form;
}

/** For a deleted conversation. Returns what restores its unsaved fields if that is undone. */
export function forgetConversationForm(conversationId: string): () => void {
  const form = conversationForms.get(conversationId);
  const unsaved = new Map(form?.unsaved);
  form?.forget();
  return () => {
    if (unsaved.size > 0) conversationForm(conversationId).changeFields(unsaved);
  };
}

/** Each hears every change, and holds a text that may be a megabyte. */
function releaseOldForms(): void {
  for (const [id, form] of [...conversationForms].slice(0, -keptForms)) {
    if (form.unsaved.size > 0) continue;
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

function allForms(): StoredForm<OperationName>[] {
  return [...Object.values(panelForms), toolsForm, ...conversationForms.values()];
}

// What the previous page left behind in conversations is saved without showing them.
for (const id of listLeftIds('form')) {
  const conversationId = conversationOfForm(id);
  if (conversationId !== null) conversationForm(conversationId);
}
// Leaving a field ends the wait for a pause in typing.
addEventListener('focusout', flushTyped);
addEventListener('pagehide', () => {
  keepUnsaved();
  flushTyped();
});
