import { createConversationStore } from '../../../electron/conversations/store/conversation-store.ts';
import { openStorage } from '../../../electron/storage/database.ts';
import { createDeletions } from '../../../electron/storage/deletions.ts';
import { createLedger } from '../../../electron/storage/ledger.ts';
import { answer, node } from '../../fixtures/conversation-store.ts';
import { testRun } from '../../fixtures/test-run.ts';

/** Returns alternating questions and typical answers. */
export function messageTexts(count: number): string[] {
  return Array.from({ length: count }, (_, at) =>
    at % 2 === 0
      ? `Question ${at}: how does the gate open, and who keeps it at night?`
      : [
          `## Answer ${at}`,
          `The gate opens **slowly**, on \`two\` hinges, and ${'the keeper walks the wall '.repeat(6)}.`,
          Array.from(
            { length: 5 },
            (_, item) => `- *Step ${item}* of [the way](https://e.com)`,
          ).join('\n'),
          '```js\nconst gate = openGate("north");\ngate.close();\n```',
          `${'Nobody passes without a word. '.repeat(8)}`,
          Array.from(
            { length: 6 },
            (_, item) => `${item + 1}. Then **gate ${item}** and *bar*`,
          ).join('\n'),
          `| Gate | Keeper | Hour |\n|---|---|---|\n${'| North | Ada | 7 |\n'.repeat(6)}`,
        ].join('\n\n'),
  );
}

const settled = {
  status: 'succeeded',
  connectionId: 'environment',
  model: 'steady-model',
} as const;

/** Writes a conversation into an unused data folder, with a run for each answer. */
export async function storeConversation(home: string, texts: readonly string[]): Promise<void> {
  const storage = openStorage({ home, now: Date.now, inline: true });
  const ledger = createLedger(storage);
  const ignore = () => undefined;
  const deletions = createDeletions({ db: storage.db, now: Date.now, reportDefect: ignore });
  const store = createConversationStore({
    ...storage,
    now: Date.now,
    deletions,
    onLateAnswers: ignore,
    onUndone: ignore,
    onPurged: ignore,
    onMessagesPurged: ignore,
  });
  const { id } = store.create();
  const idAt = (at: number) => `message-${at}`;
  const messages = texts.map((content, at) => {
    const parentId = at === 0 ? null : idAt(at - 1);
    if (at % 2 === 0) return node(idAt(at), parentId, { content });
    const runId = `run-${at}`;
    ledger.createRun(testRun({ ...settled, id: runId, conversationId: id }));
    return { ...answer(idAt(at), parentId ?? '', runId), content };
  });
  const activeLeafId = messages.at(-1)?.id ?? null;
  store.insert({ conversationId: id, messages, activeLeafId });
  store.update(id, { title: 'Long conversation' });
  await ledger.close();
  await storage.close();
}
