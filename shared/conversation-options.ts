/** What a conversation sends with its messages besides the parameters. */
import type { JsonObject } from './json.ts';

export type ToolChoice = 'none' | 'auto' | 'required' | { name: string };

export type ConversationOptions = {
  /** Saved tools that the model may call here. */
  toolIds: string[];
  /** Null is not sent: the gateway decides. */
  toolChoice: ToolChoice | null;
  /** Earlier `reasoning_content` goes back to the model. */
  sendReasoning: boolean;
  /** `response_format` as it is sent; null is not sent. */
  responseFormat: JsonObject | null;
};

export const defaultConversationOptions: ConversationOptions = {
  toolIds: [],
  toolChoice: null,
  sendReasoning: false,
  responseFormat: null,
};
