/** Names of a form's fields. */

const OF_CONVERSATION = 'conversation:';

/** The form of the message that is being written in a conversation; null for the one that begins with it. */
export function conversationFormId(conversationId: string | null): string {
  return conversationId === null ? 'new-conversation' : `${OF_CONVERSATION}${conversationId}`;
}

/** The id of the conversation that a form belongs to; null if it is not a conversation's. */
export function conversationOfForm(formId: string): string | null {
  return formId.startsWith(OF_CONVERSATION) ? formId.slice(OF_CONVERSATION.length) : null;
}

/** The form of changes to saved tools. */
export const toolsFormId = 'tools';

/** Fields in groups, each with its own name in the group. */
export const fieldGroups = [
  'input',
  'parameters',
  'cleared',
  'typed',
  'models',
  'wireNames',
  'results',
  'edits',
  'variants',
] as const;
export type FieldGroup = (typeof fieldGroups)[number];

/** `parameters.temperature`. The name in the group may hold dots. */
export function fieldName(group: FieldGroup, name: string): string {
  return `${group}.${name}`;
}

/** The ID of the message that a conversation's form keeps the field for; null for any other field. */
export function messageOfField(name: string): string | null {
  return /^(?:edits|results)\.([^ ]+)/.exec(name)?.[1] ?? null;
}

/** Fields in no group, each with one value. */
const loneFields = [
  'extraBody',
  'comparing',
  'repeats',
  'morePrompts',
  'comparisonId',
  'source',
  'runId',
  'connectionId',
] as const;

type NamedFields = Partial<Record<FieldGroup, object | undefined>> &
  Partial<Record<(typeof loneFields)[number], unknown>>;

/** The set fields one by one, each under the name that it is stored and unset by. */
export function fieldsByName(fields: NamedFields): [name: string, value: unknown][] {
  const named: [string, unknown][] = [
    ...fieldGroups.flatMap((group) =>
      Object.entries(fields[group] ?? {}).map(([name, value]): [string, unknown] => [
        fieldName(group, name),
        value,
      ]),
    ),
    ...loneFields.map((name): [string, unknown] => [name, fields[name]]),
  ];
  return named.filter(([, value]) => value !== undefined);
}

/** The reverse of `fieldsByName`, for a schema to check. */
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
