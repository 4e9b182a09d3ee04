import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import type {
  Conversation,
  ConversationOptions as Options,
} from '../../../../shared/conversation.ts';
import type { McpServer } from '../../../../shared/mcp.ts';
import type { SavedTool } from '../../../../shared/saved-items.ts';
import { orpc } from '../../../lib/api.ts';
import { runWhenLoaded } from '../../../run/form/form.ts';
import { conversationForm } from '../../../run/form/panel-forms.ts';
import { useForm } from '../../../run/form/use-form.ts';
import { saveOptions } from '../chat-actions.ts';
import { useChat } from '../chat-store.ts';
import type { KnownTools } from './request-options.ts';

export function useKnownTools(): KnownTools {
  const saved = useQuery(orpc.saved.tools.list.queryOptions()).data ?? noTools;
  const servers = useQuery(orpc.mcp.list.queryOptions()).data ?? noServers;
  return useMemo(() => ({ saved, servers }), [saved, servers]);
}

const noTools: readonly SavedTool[] = [];
const noServers: readonly McpServer[] = [];

export function useOptions(conversation: Conversation | null, isNew: boolean) {
  const newForm = conversationForm(null);
  const newOptions = useForm(newForm, ({ input }) => input.options);
  const pending = useChat((state) => state.pendingOptions);
  const saved = conversation?.options ?? newOptions;
  const options =
    conversation !== null && pending?.id === conversation.id ? pending.options : saved;
  return {
    options: isNew ? newOptions : options,
    /** Resolves to false if saving failed; the panel shows the error. */
    async changeOptions(change: Partial<Options>): Promise<boolean> {
      if (isNew) {
        runWhenLoaded(newForm, () => {
          const known = newForm.state.getState().values.input.options;
          newForm.change({ input: { options: { ...known, ...change } } });
        });
        return true;
      }
      return conversation !== null && saveOptions(conversation.id, { ...options, ...change });
    },
  };
}
