/** What was typed and main does not have: it is nowhere but here. */
import { fieldsByName, toolsFormId } from '../../shared/form-fields.ts';
import type { UnsavedEdit } from '../../shared/operations/chat/input.ts';
import { describeOperation } from '../../shared/operations/form/describe.ts';
import type { OperationName } from '../../shared/operations/operation-name.ts';
import { panelLabel } from '../lib/panels.ts';
import { unsavedTexts } from '../lib/unsaved-texts.ts';
import { unwrittenFields } from '../run/form/panel-forms.ts';
import type { UnwrittenFields } from '../run/form/unsaved-fields.ts';

export interface UnwrittenText {
  /** "Completion: Prompt". */
  title: string;
  text: string;
}

export function unsavedTextEntries(): UnwrittenText[] {
  return [...unwrittenFields().flatMap(textsOfForm), ...unsavedTexts()].filter(
    ({ text }) => text.trim() !== '',
  );
}

function textsOfForm({ id, content: { operation, fields } }: UnwrittenFields): UnwrittenText[] {
  const named = new Map(fieldsByName(fields));
  return [...named].flatMap(([name, value]) => {
    // As it was typed says more than the value of it.
    const isTypedToo = named.has(name.replace(/^parameters\./, 'typed.'));
    if (name.startsWith('parameters.') && isTypedToo) return [];
    const label = getLabel(id, operation, name);
    if (label === null) return [];
    return { title: `${panelLabel(operation)}: ${label}`, text: getText(value) };
  });
}

/** What is chosen or attached is not a text to copy. */
const typedInputs: Readonly<Record<OperationName, Readonly<Record<string, string>>>> = {
  chat: {
    text: 'Message',
    name: 'Name',
    toolCallId: 'Tool call ID',
    reasoning: 'Reasoning',
    toolCalls: 'Tool calls',
    systemMessage: 'System message',
  },
  completion: { prompt: 'Prompt', suffix: 'Suffix' },
  image: { prompt: 'Prompt', moreConfig: 'More fields' },
  video: { prompt: 'Prompt', rows: 'Extra parameters' },
  rerank: { query: 'Query', documents: 'Documents' },
  speech: { text: 'Text' },
  transcription: {},
  console: { path: 'Path', headers: 'Headers', body: 'Body', fields: 'Form fields' },
};

/** As the panel labels it; null for what is not typed. */
function getLabel(formId: string, operation: OperationName, name: string): string | null {
  if (name === 'extraBody') return 'Extra body fields';
  if (name === 'edits.schema') return 'JSON schema';
  const [group = '', field = ''] = splitAtDot(name);
  switch (group) {
    case 'edits':
      return formId === toolsFormId ? 'Tool' : 'Edited message';
    case 'results':
      return 'Tool result';
    case 'input':
      return typedInputs[operation][field] ?? null;
    case 'parameters':
    case 'typed':
      return parameterTitle(operation, field);
    default:
      return null;
  }
}

function splitAtDot(name: string): string[] {
  const dot = name.indexOf('.');
  return dot === -1 ? [name] : [name.slice(0, dot), name.slice(dot + 1)];
}

function parameterTitle(operation: OperationName, name: string): string {
  const { fields } = describeOperation(operation);
  return fields.find((field) => field.name === name)?.title ?? name;
}

function getText(value: unknown): string {
  if (typeof value === 'string') return value;
  if (isEdit(value)) return value.text;
  if (Array.isArray(value)) return value.map(getLine).filter(Boolean).join('\n');
  return value === null ? '' : JSON.stringify(value, null, 2);
}

/** `style: noir` for a named value; empty if it has none. */
function getLine(item: unknown): string {
  if (typeof item === 'string') return item;
  if (typeof item !== 'object' || item === null) return JSON.stringify(item);
  const { name, value }: { name?: unknown; value?: unknown } = item;
  if (typeof name !== 'string' || typeof value !== 'string') return JSON.stringify(item);
  return value === '' ? '' : `${name}: ${value}`;
}

function isEdit(value: unknown): value is UnsavedEdit {
  return (
    typeof value === 'object' && value !== null && 'text' in value && typeof value.text === 'string'
  );
}
