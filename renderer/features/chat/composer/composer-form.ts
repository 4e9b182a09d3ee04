/** The message that is being written, as a form holds it. */
import { useEffect } from 'react';
import type { WrittenMessage } from '../../../../shared/conversation.ts';
import { isSameJson } from '../../../../shared/json.ts';
import type { ChatInput } from '../../../../shared/operations/chat/input.ts';
import type { ContentPart } from '../../../../shared/operations/chat/message.ts';
import { emptyInputs } from '../../../../shared/operations/empty-inputs.ts';
import { offerUndo } from '../../../lib/undo.ts';
import type { HandOver } from '../../../media/hand-over/hand-over.ts';
import { changeWithUndo } from '../../../run/form/change-with-undo.ts';
import { type Form, onceLoaded } from '../../../run/form/form.ts';
import { recordSource } from '../../../run/form/text-source.ts';
import { useIsLoaded } from '../../../run/form/use-form.ts';
import { getContent } from './content-parts.ts';
import { writtenDetails } from './message-details.ts';

export type ComposerForm = Form<'chat'>;
/** Who says it, and what that says beside text and attachments. */
export type MessageHead = Pick<
  ChatInput,
  'role' | 'name' | 'toolCallId' | 'reasoning' | 'toolCalls'
>;

export function messageIn(form: ComposerForm): ChatInput {
  return form.state.getState().values.input;
}

/** Loads the form; true once its fields are here. Unlike a panel's, it does not suspend what is around it. */
export function useComposerLoaded(form: ComposerForm): boolean {
  useEffect(() => void form.load().catch(() => undefined), [form]);
  return useIsLoaded(form);
}

/** A short look at the start, not a trim of all of it: it may be a megabyte. */
export function hasText(text: string): boolean {
  return text.length >= 1000 || text.trim() !== '';
}

export function isEmpty({ text, parts, role, toolCalls }: ChatInput): boolean {
  const callsTools = role === 'assistant' && toolCalls.length > 0;
  return parts.length === 0 && !hasText(text) && !callsTools;
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

/** Behind the parts that are there; waits for them where they have not come yet. */
export function addPart(form: ComposerForm, part: ContentPart): void {
  onceLoaded(form, () => setParts(form, [...messageIn(form).parts, part]));
}

export function removePart(form: ComposerForm, index: number): void {
  const parts = messageIn(form).parts.toSpliced(index, 1);
  changeWithUndo(form, () => setParts(form, parts), 'Attachment removed', {
    severalWords: '# attachments removed',
  });
}

/** Text from elsewhere goes behind what is written. */
export async function receiveText(
  form: ComposerForm,
  item: Extract<HandOver, { kind: 'text' }>,
): Promise<boolean> {
  const { text: added } = item;
  await form.load();
  const before = messageIn(form).text;
  if (before.includes(added)) {
    const message = 'Your message already contains this text.';
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

/** After it was sent: text that was typed meanwhile moves to `next`, the form that is shown now. */
export function emptyMessage(form: ComposerForm, sent: ChatInput, next: ComposerForm): void {
  const { text, parts } = messageIn(form);
  // Main's answer and other windows put equal parts in place of those that were sent.
  if (!isSameJson(parts, sent.parts) || !text.startsWith(sent.text)) return;
  const { systemMessage: _, options: __, ...empty } = emptyInputs.chat;
  form.change({ input: empty });
  const rest = text.slice(sent.text.length);
  if (rest !== '') writeText(next, rest + messageIn(next).text);
}

/** As it is sent; null while there is nothing to send. */
export function toMessage(input: ChatInput, openToolCallId: string | null) {
  const { text, parts, role } = input;
  const toolCallId = input.toolCallId || (openToolCallId ?? '');
  const details = writtenDetails(role, { ...input, toolCallId });
  const hasCalls = details.toolCalls !== undefined;
  if (parts.length === 0 && text.trim() === '' && !hasCalls) return null;
  return {
    role,
    content: getContent(text, parts),
    ...details,
  } satisfies WrittenMessage;
}
