import { useMemo } from 'react';
import type { Conversation } from '../../../../shared/conversation.ts';
import type { ConversationParts, SavedTool } from '../../../../shared/saved-items.ts';
import { getConversationForm } from '../../../run/form/panel-forms.ts';
import type { PresetConversation } from '../../../run/form/parameter-presets.ts';
import { replaceSystemMessage, saveOptions } from '../conversation/chat-actions.ts';
import { useChat } from '../conversation/chat-store.ts';
import { getCachedConversation } from '../conversation/conversation-query.ts';
import { systemMessages } from '../conversation/save-system-message.ts';
import { getActiveTools } from '../session/request-options.ts';

/** Lets presets read and change the conversation; null while it loads. */
export function usePresetConversation(
  conversation: Conversation | null,
  isNew: boolean,
  savedTools: readonly SavedTool[],
): PresetConversation | null {
  const id = conversation?.id ?? null;
  return useMemo(
    () => (id === null && !isNew ? null : createPresetConversation(id, savedTools)),
    [id, isNew, savedTools],
  );
}

function createPresetConversation(
  id: string | null,
  savedTools: readonly SavedTool[],
): PresetConversation {
  function getParts() {
    const { systemMessage, options } = getConversationForm(null).state.getState().values.input;
    if (id === null) return { systemMessage, options };
    const known = getCachedConversation(id);
    const { pendingOptions } = useChat.getState();
    return {
      systemMessage: systemMessages.getUnsaved(id) ?? known?.systemMessage ?? '',
      options: (pendingOptions?.id === id ? pendingOptions.options : known?.options) ?? options,
    };
  }
  return {
    hasTool: (toolId) => savedTools.some((tool) => tool.id === toolId),
    read() {
      const { systemMessage, options } = getParts();
      const on = getActiveTools(options.toolIds, savedTools).map(({ id: toolId, tool }) => ({
        id: toolId,
        name: tool.function.name,
      }));
      const { toolChoice, responseFormat } = options;
      return { systemMessage, tools: { on, choice: toolChoice }, responseFormat };
    },
    change(parts) {
      const before = getParts();
      const { systemMessage = before.systemMessage } = parts;
      const options = withParts(before.options, parts);
      if (id === null) getConversationForm(null).change({ input: { systemMessage, options } });
      else {
        if (parts.systemMessage !== undefined) replaceSystemMessage(id, systemMessage);
        void saveOptions(id, options);
      }
    },
  };
}

function withParts(
  options: Conversation['options'],
  { tools, responseFormat }: Partial<ConversationParts>,
): Conversation['options'] {
  return {
    ...options,
    ...(tools !== undefined && {
      toolIds: tools.on.map(({ id }) => id),
      toolChoice: tools.choice,
    }),
    ...(responseFormat !== undefined && { responseFormat }),
  };
}
