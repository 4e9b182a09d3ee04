import { toolsFormId } from '../../../../shared/form-fields.ts';
import type { TextLabels } from '../../../run/form/text-labels.ts';

export const chatLabels = {
  text: 'Message',
  name: 'Name',
  toolCallId: 'Tool call ID',
  reasoning: 'Reasoning',
  toolCalls: 'Tool calls',
  systemMessage: 'System message',
} as const satisfies TextLabels<'chat'>;

/** The draft of an edited message is named by the message's ID. */
export const draftNames = {
  /** Null is the draft of a new tool. */
  tool: (id: string | null) => id ?? 'new',
  toolResult: (id: string | null) => `${id ?? 'new'} result`,
  toolCode: (id: string | null) => `${id ?? 'new'} code`,
  schema: 'schema',
};

/** Returns what the user edits in a draft of the form. */
export function describeDraft(formId: string, name: string): string {
  if (name === draftNames.schema) return 'JSON schema';
  return formId === toolsFormId ? 'Tool' : 'Edited message';
}

export const RESULT_LABEL = 'Tool result';
