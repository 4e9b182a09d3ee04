/** Defines the names of form fields. */

const OF_CONVERSATION = 'conversation:';

/** Returns the form ID of a conversation; null stands for the new conversation. */
export function getConversationFormId(conversationId: string | null): string {
  return conversationId === null ? 'new-conversation' : `${OF_CONVERSATION}${conversationId}`;
}

export function getFormConversation(formId: string): string | null {
  return formId.startsWith(OF_CONVERSATION) ? formId.slice(OF_CONVERSATION.length) : null;
}

export const toolsFormId = 'tools';

/** Groups whose fields are named `<group>.<name>`. */
export const fieldGroups = [
  'input',
  'params',
  'models',
  'results',
  'edits',
  'variants',
  'queue',
] as const;
export type FieldGroup = (typeof fieldGroups)[number];

/** Returns a name such as `params.temperature`; the second part may contain dots. */
export function joinFieldName(group: FieldGroup, name: string): string {
  return `${group}.${name}`;
}

export function getFieldMessage(name: string): string | null {
  return /^(?:edits|results)\.([^ ]+)/.exec(name)?.[1] ?? null;
}

const chatSettings: ReadonlySet<string> = new Set([
  ...['params', 'models', 'variants', 'extraBody', 'connectionId', 'repeats', 'blind'],
]);

/** Returns true for a setting of a conversation and false for a draft. */
export function isChatSetting(name: string): boolean {
  return chatSettings.has(name.split('.', 1)[0] ?? name);
}

const loneFields = [
  'extraBody',
  'comparing',
  'blind',
  'repeats',
  'morePrompts',
  'comparisonId',
  'source',
  'runId',
  'connectionId',
] as const;

type NamedFields = Partial<Record<FieldGroup, object | undefined>> &
  Partial<Record<(typeof loneFields)[number], unknown>>;

export function listFieldsByName(fields: NamedFields): [name: string, value: unknown][] {
  const named: [string, unknown][] = [
    ...fieldGroups.flatMap((group) =>
      Object.entries(fields[group] ?? {}).map(([name, value]): [string, unknown] => [
        joinFieldName(group, name),
        value,
      ]),
    ),
    ...loneFields.map((name): [string, unknown] => [name, fields[name]]),
  ];
  return named.filter(([, value]) => value !== undefined);
}

/** Inverse of `listFieldsByName`; the result can be checked by a schema. */
export function groupFields(named: readonly [name: string, value: unknown][]): object {
  const grouped: Record<string, unknown> = {};
  const groups = new Map<string, [string, unknown][]>();
  for (const [name, value] of named) {
    const dot = name.indexOf('.');
    if (dot === -1) grouped[name] = value;
    else {
      const group = name.slice(0, dot);
      const entries = groups.get(group) ?? [];
      entries.push([name.slice(dot + 1), value]);
      groups.set(group, entries);
    }
  }
  for (const [group, entries] of groups) grouped[group] = Object.fromEntries(entries);
  return grouped;
}
