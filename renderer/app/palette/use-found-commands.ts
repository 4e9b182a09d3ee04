import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useDeferredValue } from 'react';
import { useStore } from 'zustand';
import type { OperationName } from '../../../shared/operations/operation-name.ts';
import { useChat } from '../../features/chat/conversation/chat-store.ts';
import { useConversation } from '../../features/chat/conversation/use-conversation.ts';
import {
  changeOptions,
  useKnownTools,
  useOptions,
} from '../../features/chat/options/use-options.ts';
import { usePresetConversation } from '../../features/chat/options/use-preset-conversation.ts';
import { orpc } from '../../lib/api.ts';
import { toAppError } from '../../lib/app-error.ts';
import type { Command } from '../../lib/commands.ts';
import { useConnections } from '../../lib/connections.ts';
import { formatClock } from '../../lib/format-quantity.ts';
import { getPanelLabel, operationNames } from '../../lib/panels.ts';
import { navigate, useRoute } from '../../lib/route.ts';
import { useSettings, useUpdateSettings } from '../../lib/settings.ts';
import { useIsBlind } from '../../run/compare/live-comparisons.ts';
import { type Form, runWhenLoaded } from '../../run/form/form.ts';
import { getConversationForm, panelForms } from '../../run/form/panel-forms.ts';
import { applyPreset, usePresetTarget } from '../../run/form/parameter-presets.ts';
import { reopenRun } from '../../run/form/reopen.ts';
import { chooseConnection, useConnection } from '../../run/form/use-connection.ts';
import { useModel } from '../../run/form/use-model.ts';
import { showToast } from '../../ui/show-toast.ts';

interface Found {
  commands: readonly Command[];
  isSearching: boolean;
}

export function useFoundCommands(query: string): Found {
  const form = useShownForm();
  const sought = query.trim().slice(0, 200);
  const search = useDeferredValue(sought);
  const found: readonly Found[] = [
    useModelCommands(form),
    useConnectionCommands(form),
    usePresetCommands(form),
    useConversationCommands(search),
    useToolCommands(),
    useRunCommands(search),
    useThemeCommands(),
  ];
  return {
    commands: found.flatMap(({ commands }) => commands),
    isSearching: search !== sought || found.some(({ isSearching }) => isSearching),
  };
}

const nothing: Found = { commands: [], isSearching: false };

function useShownForm(): Form<OperationName> {
  const { panel } = useRoute();
  const conversationId = useChat((state) => state.selectedId);
  const operation = operationNames.find((name) => name === panel) ?? 'chat';
  return operation === 'chat' ? getConversationForm(conversationId) : panelForms[operation];
}

function useModelCommands(form: Form<OperationName>): Found {
  const { panel } = useRoute();
  const { model, choosable, chooseModel, suggestions, isFetching } = useModel(form);
  const isLoading = useStore(form.state, ({ loaded, problem }) => !loaded && problem === null);
  if (panel !== form.operation) return nothing;
  if (!choosable) return { commands: [], isSearching: isLoading };
  const models = suggestions?.models ?? [];
  const commands = models
    .filter(({ id }) => id !== model)
    .map(
      ({ id, ownedBy }): Command => ({
        id: `model.${id}`,
        title: `Use ${id}`,
        group: 'Models',
        detail: ownedBy ?? undefined,
        keywords: 'model',
        run: () => chooseModel(id),
      }),
    );
  return { commands, isSearching: isFetching && suggestions === null };
}

function useConnectionCommands(form: Form<OperationName>): Found {
  const { panel } = useRoute();
  const { connections, isPending } = useConnections();
  const current = useConnection(form);
  if (panel !== form.operation) return nothing;
  const commands = connections
    .filter(({ id }) => id !== current?.id)
    .map(
      ({ id, name, baseUrl }): Command => ({
        id: `connection.${id}`,
        title: `Use ${name}`,
        group: 'Connections',
        detail: URL.parse(baseUrl)?.host,
        keywords: `connection gateway switch ${baseUrl}`,
        run: () => chooseConnection(form, id),
      }),
    );
  return { commands, isSearching: isPending };
}

function usePresetCommands(form: Form<OperationName>): Found {
  const { panel } = useRoute();
  const { data, isPending } = useQuery(orpc.saved.presets.list.queryOptions());
  const conversationId = useChat((state) => state.selectedId);
  const { conversation: shown } = useConversation(conversationId);
  const isNew = conversationId === null;
  const conversation = usePresetConversation(shown, isNew, useKnownTools().saved);
  const isChat = panel === 'chat';
  const target = usePresetTarget(form, isChat ? conversation : null);
  if (panel !== form.operation) return nothing;
  if (isChat && conversation === null) return { commands: [], isSearching: true };
  const commands = (data ?? [])
    .filter(({ operation }) => operation === form.operation)
    .map(
      ({ id, name, settings }): Command => ({
        id: `preset.${id}`,
        title: `Apply ${name}`,
        group: 'Presets',
        keywords: 'preset settings parameters',
        run: () => runWhenLoaded(form, () => applyPreset(target, { name, settings })),
      }),
    );
  return { commands, isSearching: isPending };
}

/** Without a search, shows only the most recent conversations, presets and runs. */
const latest = 5;
const foundAtMost = 20;

function useConversationCommands(search: string): Found {
  const { panel } = useRoute();
  const shownId = useChat((state) => state.selectedId);
  const { data, isPending, isPlaceholderData } = useQuery(
    orpc.conversations.list.queryOptions({
      input: { search, limit: search === '' ? latest + 1 : foundAtMost },
      // While searching again, keep earlier results whose title still matches.
      placeholderData: keepPreviousData,
    }),
  );
  const commands = (data ?? [])
    .filter(({ id }) => panel !== 'chat' || id !== shownId)
    .map(
      ({ id, title, match }): Command => ({
        id: `conversation.${id}`,
        title: title === '' ? 'New conversation' : title,
        group: 'Conversations',
        detail: match ?? undefined,
        // The main process matched the messages, so the title may not contain the words.
        keywords: `conversation chat ${isPlaceholderData ? '' : search}`,
        run: () => navigate('chat', id),
      }),
    );
  return { commands, isSearching: isPending || isPlaceholderData };
}

function useToolCommands(): Found {
  const conversationId = useChat((state) => state.selectedId);
  const { conversation } = useConversation(conversationId);
  const options = useOptions(conversation, conversationId === null);
  const { data, isPending } = useQuery(orpc.saved.tools.list.queryOptions());
  const commands = (data ?? []).map(({ id, tool }): Command => {
    const isOn = options.toolIds.includes(id);
    const { name, description } = tool.function;
    return {
      id: `tool.${id}`,
      title: isOn ? `Turn off ${name}` : `Turn on ${name}`,
      group: 'Tools',
      keywords: `tool function ${description ?? ''}`,
      run: () => {
        const others = options.toolIds.filter((other) => other !== id);
        changeOptions(conversationId, { toolIds: isOn ? others : [...others, id] });
        navigate('chat');
      },
    };
  });
  return { commands, isSearching: isPending };
}

function useRunCommands(search: string): Found {
  const isBlind = useIsBlind();
  const { data, isPending, isPlaceholderData } = useQuery(
    orpc.runs.list.queryOptions({
      input: {
        connectionId: null,
        operation: null,
        status: null,
        before: null,
        search,
        limit: search === '' ? latest : foundAtMost,
      },
      placeholderData: keepPreviousData,
    }),
  );
  const runs = data?.runs.filter((run) => !isBlind(run)) ?? [];
  const commands = runs.map(
    (run): Command => ({
      id: `run.${run.id}`,
      title: run.preview || run.model,
      group: 'Recent runs',
      detail: `${getPanelLabel(run.operation)} · ${formatClock(run.createdAt, Date.now())}`,
      keywords: `run history ${run.operation} ${run.model} ${isPlaceholderData ? '' : search}`,
      run: () => {
        reopenRun(run).catch((error: unknown) =>
          showToast({ message: toAppError(error).message, tone: 'danger' }),
        );
      },
    }),
  );
  return { commands, isSearching: isPending || isPlaceholderData };
}

const themes = [
  ['light', 'Use light theme'],
  ['dark', 'Use dark theme'],
  ['system', 'Use system theme'],
] as const;

function useThemeCommands(): Found {
  const { theme } = useSettings();
  const { mutate } = useUpdateSettings();
  const commands = themes
    .filter(([choice]) => choice !== theme)
    .map(
      ([choice, title]): Command => ({
        id: `theme.${choice}`,
        title,
        group: 'Appearance',
        keywords: 'color mode',
        run: () => mutate({ theme: choice }),
      }),
    );
  return { commands, isSearching: false };
}
