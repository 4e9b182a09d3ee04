import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import type {
  Conversation,
  ConversationOptions as Options,
} from '../../../../shared/conversation.ts';
import type { JsonValue } from '../../../../shared/json.ts';
import type { McpServer } from '../../../../shared/mcp.ts';
import { FORMAT } from '../../../../shared/operations/formats.ts';
import { getParamValue } from '../../../../shared/param.ts';
import type { SavedTool } from '../../../../shared/saved-items.ts';
import { orpc } from '../../../lib/api.ts';
import { runWhenLoaded } from '../../../run/form/form.ts';
import { getConversationForm } from '../../../run/form/panel-forms.ts';
import { useForm } from '../../../run/form/use-form.ts';
import { getShownOptions, saveOptions } from '../conversation/chat-actions.ts';
import { useChat } from '../conversation/chat-store.ts';
import { useChatState } from '../session/chat-session.ts';
import type { KnownTools } from '../session/request-options.ts';

export function useKnownTools(): KnownTools {
  const saved = useQuery(orpc.saved.tools.list.queryOptions()).data ?? noTools;
  const servers = useQuery(orpc.mcp.list.queryOptions()).data ?? noServers;
  return useMemo(() => ({ saved, servers }), [saved, servers]);
}

/** Returns the wire format of the next request; undefined for the default. */
export function useFormat(): JsonValue | undefined {
  const form = useChatState((chat) => chat.form);
  return useForm(form, ({ params }) => getParamValue(params, FORMAT));
}

const noTools: readonly SavedTool[] = [];
const noServers: readonly McpServer[] = [];

/** Returns the options of the conversation, or of new conversations while it loads. */
export function useOptions(conversation: Conversation | null, isNew: boolean): Options {
  const newOptions = useForm(getConversationForm(null), ({ input }) => input.options);
  const pending = useChat((state) => state.pendingOptions);
  if (isNew || conversation === null) return newOptions;
  return pending?.id === conversation.id ? pending.options : conversation.options;
}

/**
 * Changes the options of a conversation; null changes those of new ones. Resolves to false if
 * saving failed, and the panel shows the error.
 */
export async function changeOptions(id: string | null, change: Partial<Options>): Promise<boolean> {
  if (id !== null) {
    const options = getShownOptions(id);
    return options !== undefined && saveOptions(id, { ...options, ...change });
  }
  const form = getConversationForm(null);
  runWhenLoaded(form, () => {
    const { options } = form.state.getState().values.input;
    form.change({ input: { options: { ...options, ...change } } });
  });
  return true;
}
