/** The forms that panels show, each by its id. */
import { conversationFormId } from '../../../shared/form-fields.ts';
import type { OperationName } from '../../../shared/operations/operation-name.ts';
import { createForm, type Form } from './form.ts';

/** What each panel composes; a chat's messages have forms of their own. */
export const panelForms: { readonly [Name in OperationName]: Form<Name> } = {
  chat: createForm('chat', 'chat'),
  completion: createForm('completion', 'completion'),
  image: createForm('image', 'image'),
  video: createForm('video', 'video'),
  rerank: createForm('rerank', 'rerank'),
  speech: createForm('speech', 'speech'),
  transcription: createForm('transcription', 'transcription'),
  console: createForm('console', 'console'),
};

const conversationForms = new Map<string, Form<'chat'>>();

/** The message that is being written in a conversation; null for the one that begins with it. */
export function conversationForm(conversationId: string | null): Form<'chat'> {
  const id = conversationFormId(conversationId);
  const form = conversationForms.get(id) ?? createForm('chat', id);
  conversationForms.set(id, form);
  return form;
}

/** Leaving a field or the page ends the wait for a pause of typing. */
function flushAll(): void {
  for (const form of Object.values(panelForms)) form.flush();
  for (const form of conversationForms.values()) form.flush();
}

addEventListener('focusout', flushAll);
addEventListener('pagehide', flushAll);
