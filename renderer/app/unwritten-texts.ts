/** What was typed and main does not have: it is nowhere but here. */
import { fieldsByName, toolsFormId } from '../../shared/form-fields.ts';
import type { UnsavedEdit } from '../../shared/operations/chat/input.ts';
import { unsavedSystemMessages } from '../features/chat/options/save-system-message.ts';
import { panelLabel } from '../lib/panels.ts';
import { unwrittenFields } from '../run/form/panel-forms.ts';
import type { UnwrittenFields } from '../run/form/unwritten.ts';

export interface UnwrittenText {
  /** "Completion: Prompt". */
  title: string;
  text: string;
}

export function unwrittenTexts(): UnwrittenText[] {
  return [
    ...unwrittenFields().flatMap(textsOfForm),
    ...unsavedSystemMessages().map((text) => ({ title: 'Chat: System message', text })),
  ].filter(({ text }) => text.trim() !== '');
}

/** Chosen again at a glance. */
const chosen = /^(models|cleared|wireNames)\.|^(runId|connectionId)$/;

function textsOfForm({ id, content: { operation, fields } }: UnwrittenFields): UnwrittenText[] {
  const named = new Map(fieldsByName(fields));
  return [...named].flatMap(([name, value]) => {
    // As it was typed says more than the value of it.
    const isTypedToo = named.has(name.replace(/^parameters\./, 'typed.'));
    if (chosen.test(name) || (name.startsWith('parameters.') && isTypedToo)) return [];
    return { title: `${panelLabel(operation)}: ${labelOf(id, name)}`, text: textOf(value) };
  });
}

function labelOf(formId: string, name: string): string {
  if (name === 'extraBody') return 'Extra body fields';
  if (name === 'edits.schema') return 'JSON schema';
  if (name.startsWith('edits.')) return formId === toolsFormId ? 'Tool' : 'Edited message';
  const dot = name.indexOf('.');
  if (name.startsWith('results.')) return 'Tool result';
  const field = name.slice(dot + 1);
  if (!name.startsWith('input.')) return field;
  const words = field.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return words.charAt(0).toUpperCase() + words.slice(1);
}

function textOf(value: unknown): string {
  if (typeof value === 'string') return value;
  if (isEdit(value)) return value.text;
  const isNothing = value === null || (Array.isArray(value) && value.length === 0);
  return isNothing ? '' : JSON.stringify(value, null, 2);
}

function isEdit(value: unknown): value is UnsavedEdit {
  return (
    typeof value === 'object' && value !== null && 'text' in value && typeof value.text === 'string'
  );
}
