/** Fakes the main process for Chat: its conversations, and runs that the test advances. */
import { defaultConnectionOptions } from '../../shared/connection-options.ts';
import type { Media } from '../../shared/media.ts';
import { noFacts } from '../../shared/model-facts.ts';
import { defaultSettings, type Settings } from '../../shared/settings.ts';
import { comparisonProcedures, retried } from './chat-fake-comparisons.ts';
import { conversationProcedures, resetConversations } from './chat-fake-conversations.ts';
import { cancelled, listedRuns, runProcedures } from './chat-fake-runs.ts';
import { presets, savedProcedures, savedTools, toolSets } from './chat-fake-saved.ts';
import { changes, comparisons, deleted, requests, runs } from './chat-fake-state.ts';
import { fakeForms } from './fake-forms.ts';
import { answerCalls } from './page-api.ts';
import type { Fields, StandIn } from './stand-in.ts';

export const settings: Settings = { ...defaultSettings };
export const storedMedia = new Map<string, Media>();

export function resetFakeMain(): void {
  resetConversations();
  for (const map of [comparisons, deleted, runs, storedMedia, requests]) map.clear();
  for (const list of [retried, listedRuns, cancelled]) list.length = 0;
  for (const list of [savedTools, toolSets, presets]) list.length = 0;
  Object.assign(settings, defaultSettings);
}

const client = {
  forms: fakeForms,
  system: {
    changes: async (_input: unknown, { signal }: { signal?: AbortSignal | undefined } = {}) =>
      changes.subscribe(signal),
  },
  settings: {
    get: async () => ({ ...settings }),
    update: async (change: Fields<Settings>) => ({ ...Object.assign(settings, change) }),
  },
  connections: {
    list: async () => [
      {
        id: 'demo',
        kind: 'demo' as const,
        name: 'Demo',
        baseUrl: '',
        key: null,
        options: defaultConnectionOptions,
        lost: { key: false, values: false },
        createdAt: 0,
      },
    ],
  },
  checks: { hints: async () => [], list: async () => [] },
  models: {
    suggest: async () => ({ models: [], preselected: 'demo-echo', listProblem: null }),
    facts: async () => ({ facts: { ...noFacts, contextTokens: 1000 }, price: null }),
    voices: async () => [],
  },
  mcp: {
    list: async () => [],
    activity: async () => ({ calls: [], questions: [] }),
  },
  saved: savedProcedures,
  media: {
    get: async ({ id }: { id: string }) => storedMedia.get(id) ?? null,
    list: async () => {
      const media = [...storedMedia.values()];
      return {
        media: media.map((one) => ({ ...one, role: 'output' as const, run: null })),
        more: false,
      };
    },
    remove: async () => ({ deletionId: null }),
  },
  runs: runProcedures,
  comparisons: comparisonProcedures,
  conversations: conversationProcedures,
  deletions: {
    undo: async ({ ids }: { ids: string[] }) => {
      for (const id of ids) {
        const bringBack = deleted.get(id);
        if (bringBack === undefined) throw new Error('This can no longer be undone.');
        bringBack();
      }
      return { renamed: [], notes: [] };
    },
  },
} satisfies StandIn;

// The real client is a proxy of the same shape, and the utils only access and call it.
answerCalls(client);
