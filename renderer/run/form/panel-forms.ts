import {
  getConversationFormId,
  getFormConversation,
  toolsFormId,
} from '../../../shared/form-fields.ts';
import type { OperationName } from '../../../shared/operations/operation-name.ts';
import { orpc } from '../../lib/api.ts';
import { getSelected } from '../../lib/connections.ts';
import { queryClient } from '../../lib/query-client.ts';
import { flushTyped, keepUnsaved, listLeftIds } from '../../lib/save-queue.ts';
import { createForm, type StoredForm } from './form.ts';

/** Chat uses the form of the new conversation. */
export const panelForms: { readonly [Name in OperationName]: StoredForm<Name> } = {
  chat: createForm('chat', getConversationFormId(null)),
  completion: createForm('completion', 'completion'),
  image: createForm('image', 'image'),
  video: createForm('video', 'video'),
  rerank: createForm('rerank', 'rerank'),
  embeddings: createForm('embeddings', 'embeddings'),
  speech: createForm('speech', 'speech'),
  transcription: createForm('transcription', 'transcription'),
  console: createForm('console', 'console'),
};

/** Contains unsaved edits of tools. */
export const toolsForm = createForm('chat', toolsFormId);

/** Sorted by last use; the most recent form is last. */
const conversationForms = new Map<string, StoredForm<'chat'>>();
const keptForms = 8;

/** Returns a conversation's form; null stands for the new conversation. */
export function getConversationForm(conversationId: string | null): StoredForm<'chat'> {
  if (conversationId === null) return panelForms.chat;
  const form =
    conversationForms.get(conversationId) ??
    createForm('chat', getConversationFormId(conversationId));
  conversationForms.delete(conversationId);
  conversationForms.set(conversationId, form);
  releaseOldForms();
  return form;
}

/** Discards a deleted conversation's form and returns a function that restores unsaved fields. */
export function forgetConversationForm(conversationId: string): () => void {
  const form = conversationForms.get(conversationId);
  const unsaved = new Map(form?.unsaved);
  form?.forget();
  return () => {
    if (unsaved.size > 0) getConversationForm(conversationId).changeFields(unsaved);
  };
}

/** Limits memory, because each form listens for all changes and may hold a megabyte of text. */
function releaseOldForms(): void {
  for (const [id, form] of [...conversationForms].slice(0, -keptForms)) {
    if (form.unsaved.size > 0) continue;
    conversationForms.delete(id);
    form.release();
  }
}

/** Preloads model suggestions once the form and connections have loaded. */
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

export function retryForms(): void {
  for (const { state, retry } of listAllForms()) {
    const { loaded, problem } = state.getState();
    if (!loaded && problem !== null) retry().catch(() => undefined);
  }
}

function listAllForms(): StoredForm<OperationName>[] {
  return [...Object.values(panelForms), toolsForm, ...conversationForms.values()];
}

// Save fields that the previous page left in conversations that aren't open.
for (const id of listLeftIds('form')) {
  const conversationId = getFormConversation(id);
  if (conversationId !== null) getConversationForm(conversationId);
}
addEventListener('focusout', flushTyped);
addEventListener('pagehide', () => {
  keepUnsaved();
  flushTyped();
});
