import { useEffect } from 'react';
import type { WrittenMessage } from '../../../../shared/conversation.ts';
import { isSameJson } from '../../../../shared/json.ts';
import type { ContentPart } from '../../../../shared/operations/chat/message.ts';
import type { ChatInput } from '../../../../shared/operations/chat/request.ts';
import { emptyInputs } from '../../../../shared/operations/empty-inputs.ts';
import { offerUndo } from '../../../lib/undo.ts';
import type { HandOver } from '../../../media/hand-over/hand-over.ts';
import { changeWithUndo } from '../../../run/form/change-with-undo.ts';
import { type Form, runWhenLoaded } from '../../../run/form/form.ts';
import { recordSource } from '../../../run/form/text-source.ts';
import { useIsLoaded } from '../../../run/form/use-form.ts';
import { toWrittenContent, toWrittenDetails } from './written-message.ts';

export type ComposerForm = Form<'chat'>;
type MessageHead = Pick<ChatInput, 'role' | 'name' | 'toolCallId' | 'reasoning' | 'toolCalls'>;

export function getMessage(form: ComposerForm): ChatInput {
  return form.state.getState().values.input;
}

/** Loads the form without suspending; returns true once it has loaded. */
export function useComposerLoaded(form: ComposerForm): boolean {
  useEffect(() => void form.load().catch(() => undefined), [form]);
  return useIsLoaded(form);
}

export function isEmpty({ text, parts, role, toolCalls }: ChatInput): boolean {
  const callsTools = role === 'assistant' && toolCalls.length > 0;
  return parts.length === 0 && text.trim() === '' && !callsTools;
}

export function writeText(form: ComposerForm, text: string): void {
  form.change({ input: { text } }, { typing: true });
}

export function writeHead(form: ComposerForm, head: Partial<MessageHead>): void {
  form.change({ input: head }, { typing: true });
}

export function setParts(form: ComposerForm, parts: ContentPart[]): void {
  form.change({ input: { parts } });
}

/** Waits for the form to load, so that the new part is added after the stored parts. */
export function addPart(form: ComposerForm, part: ContentPart): void {
  runWhenLoaded(form, () => setParts(form, [...getMessage(form).parts, part]));
}

export function removePart(form: ComposerForm, index: number): void {
  const parts = getMessage(form).parts.toSpliced(index, 1);
  changeWithUndo(form, () => setParts(form, parts), 'Attachment removed', {
    severalWords: '# attachments removed',
  });
}

/** Appends the text to the draft after a blank line. */
export function addText(form: ComposerForm, added: string): void {
  runWhenLoaded(form, () => {
    const before = getMessage(form).text;
    writeText(form, before.trim() === '' ? added : `${before.trimEnd()}\n\n${added}`);
  });
}

export async function receiveText(
  form: ComposerForm,
  item: Extract<HandOver, { kind: 'text' }>,
): Promise<boolean> {
  const { text: added } = item;
  await form.load();
  const before = getMessage(form).text;
  if (before.includes(added)) {
    const message = 'This text is already in your message.';
    offerUndo({ message, place: form.id, undo: null });
    return true;
  }
  const after = before.trim() === '' ? added : `${before.trimEnd()}\n\n${added}`;
  const write = () => {
    writeText(form, after);
    recordSource(form, item);
  };
  changeWithUndo(form, write, 'Text added to your message', { after: 'any change' });
  return true;
}

/** Clears the sent message, and moves text typed during the send to `next`. */
export function clearMessage(form: ComposerForm, sent: ChatInput, next: ComposerForm): void {
  const { text, parts } = getMessage(form);
  // Compare by value, because the main process may have replaced the parts with equal ones.
  if (!isSameJson(parts, sent.parts) || !text.startsWith(sent.text)) return;
  const { systemMessage: _, options: __, ...empty } = emptyInputs.chat;
  form.change({ input: empty });
  const rest = text.slice(sent.text.length);
  if (rest !== '') writeText(next, rest + getMessage(next).text);
}

/** Returns null if there is nothing to send. */
export function toMessage(input: ChatInput, openToolCallId: string | null): WrittenMessage | null {
  const { text, parts, role } = input;
  const toolCallId = input.toolCallId || (openToolCallId ?? '');
  const details = toWrittenDetails(role, { ...input, toolCallId });
  const hasCalls = details.toolCalls !== undefined;
  if (parts.length === 0 && text.trim() === '' && !hasCalls) return null;
  return { role, content: toWrittenContent(text, parts), ...details };
}
