import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type AppError, appError } from '../../shared/errors.ts';

const main = vi.hoisted(() => ({ updates: [] as unknown[], fault: null as AppError | null }));
vi.mock('../../renderer/lib/api.ts', () => {
  const save = async (update: unknown) => {
    main.updates.push(update);
    if (main.fault !== null) throw main.fault;
    return saved;
  };
  const saved = { revision: 1, content: { operation: 'chat', fields: {} }, names: [] };
  return {
    api: { conversations: { update: save }, forms: { change: save, get: async () => saved } },
  };
});
vi.mock('../../renderer/lib/app-error.ts', () => ({ toAppError: (error: unknown) => error }));

const full = appError('file', 'The disk is full.', 'Free some space.');
const lost = appError('unreachable', 'Lost.', 'Wait.');
const refused = appError('invalid-request', 'Too long.', 'Shorten it.');
const gone = appError('not-found', 'It is gone.', '');

const KEY = 'gatehouse:unsaved';
let tab: Map<string, string>;

/** Loads fresh modules, as a new page in the same tab would. */
async function openPage() {
  vi.resetModules();
  const { useLinkState } = await import('../../renderer/lib/link-state.ts');
  const { systemMessages } = await import(
    '../../renderer/features/chat/conversation/save-system-message.ts'
  );
  const { keepUnsaved, listUnsaved } = await import('../../renderer/lib/save-queue.ts');
  const forms = await import('../../renderer/run/form/panel-forms.ts');
  return { ...forms, useLinkState, systemMessages, keepUnsaved, listUnsaved };
}

type Page = Awaited<ReturnType<typeof openPage>>;
let page: Page;

async function pass(ms: number): Promise<void> {
  await vi.advanceTimersByTimeAsync(ms);
}

function openLink({ useLinkState }: Page): Promise<void> {
  main.fault = null;
  main.updates = [];
  useLinkState.setState('open', true);
  return pass(0);
}

beforeEach(async () => {
  vi.useFakeTimers();
  vi.stubGlobal('addEventListener', () => undefined);
  tab = new Map();
  vi.stubGlobal('sessionStorage', {
    getItem: (name: string) => tab.get(name) ?? null,
    setItem: (name: string, text: string) => {
      if (text.length > 1000) throw new Error('QuotaExceededError');
      tab.set(name, text);
    },
    removeItem: (name: string) => tab.delete(name),
  });
  main.fault = null;
  main.updates = [];
  page = await openPage();
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

describe('text that is saved while the user types', () => {
  it('rejects a flush on a full disk, and retries later by itself', async () => {
    main.fault = full;
    page.systemMessages.saveSoon('a', 'Be brief.');
    await expect(page.systemMessages.flush('a')).rejects.toBe(full);
    expect(page.systemMessages.getUnsaved('a')).toBe('Be brief.');
    expect(page.systemMessages.useProblems.getState()).toEqual({ a: full });
    await page.systemMessages.flush('b');
    main.fault = null;
    await pass(3000);
    expect(page.systemMessages.getUnsaved('a')).toBeNull();
    expect(page.systemMessages.useProblems.getState()).toEqual({});
  });

  it('drops the text of a deleted conversation', async () => {
    main.fault = gone;
    page.systemMessages.saveSoon('a', 'Be brief.');
    await expect(page.systemMessages.flush('a')).rejects.toBe(gone);
    expect(page.systemMessages.getUnsaved('a')).toBeNull();
  });
});

describe('unsaved fields after a reload', () => {
  const kinds = [
    {
      name: 'a system message',
      type: ({ systemMessages }: Page) => systemMessages.saveSoon('a', 'Once'),
      saved: { id: 'a', systemMessage: 'Once' },
    },
    {
      name: 'a form',
      type: ({ panelForms }: Page) => {
        const input = { prompt: 'Once' };
        panelForms.completion.change({ input }, { unset: ['params.n'], typing: true });
      },
      saved: {
        id: 'completion',
        unset: ['params.n'],
        after: null,
        content: { operation: 'completion', fields: { input: { prompt: 'Once' } } },
      },
    },
    {
      name: 'the form of a conversation that is not shown again',
      type: ({ getConversationForm }: Page) =>
        getConversationForm('c').change({ input: { text: 'Hi' } }),
      saved: {
        id: 'conversation:c',
        unset: [],
        after: null,
        content: { operation: 'chat', fields: { input: { text: 'Hi' } } },
      },
    },
  ];

  it.each(kinds)('saves $name once the page connects', async ({ type, saved }) => {
    main.fault = lost;
    type(page);
    page.keepUnsaved();
    const next = await openPage();
    expect(next.listUnsaved()).toHaveLength(1);
    await pass(0);
    await openLink(next);
    expect(main.updates).toEqual([saved]);
    expect(next.listUnsaved()).toEqual([]);
    expect(tab.has(KEY)).toBe(false);
  });

  it('keeps older and newer fields if the next page also closes', async () => {
    main.fault = lost;
    page.panelForms.completion.change({ input: { prompt: 'Old', suffix: 'Old' } });
    page.keepUnsaved();
    const next = await openPage();
    next.panelForms.completion.change({ input: { prompt: 'New' } });
    next.keepUnsaved();
    const last = await openPage();
    const { values } = last.panelForms.completion.state.getState();
    expect(values.input).toEqual({ prompt: 'New', suffix: 'Old' });
  });

  it('keeps a rejected field until the user changes it', async () => {
    main.fault = refused;
    page.panelForms.completion.change({ input: { prompt: 'Too long' } });
    await pass(0);
    const next = await openPage();
    await pass(0);
    expect(next.listUnsaved()).toHaveLength(1);
    await expect(next.panelForms.completion.load()).resolves.toBeUndefined();
    expect(next.panelForms.completion.state.getState()).toMatchObject({
      loaded: true,
      problem: refused,
      values: { input: { prompt: 'Too long' } },
    });
    main.fault = null;
    next.panelForms.completion.change({ input: { prompt: 'Short' } });
    await pass(0);
    expect(next.listUnsaved()).toEqual([]);
  });

  it('ignores blocked storage, and fields too long for the tab', () => {
    page.panelForms.completion.change({ input: { prompt: 'x'.repeat(2000) } });
    page.keepUnsaved();
    expect(tab.size).toBe(0);
    vi.stubGlobal('sessionStorage', undefined);
    page.keepUnsaved();
  });

  it.each([
    '{',
    'null',
    '[5, null, {}]',
    '[{"kind":"x","id":"a","fields":[["text","b"]]}]',
    '[{"kind":"form","id":"completion","fields":[5, [6]]}]',
  ])('ignores invalid tab data: %s', async (damaged) => {
    tab.set(KEY, damaged);
    expect((await openPage()).listUnsaved()).toEqual([]);
  });
});
