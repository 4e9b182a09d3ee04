import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createForm, type Form } from '../../renderer/run/form/form.ts';
import type { Change } from '../../shared/contract/system.ts';
import { type AppError, appError } from '../../shared/errors.ts';
import type { FormChange, FormQuery, FormUpdate } from '../../shared/form.ts';

/** Recorded calls, which the test resolves or rejects. */
const main = vi.hoisted(() => ({
  calls: [] as { name: 'get' | 'change'; input: unknown; settle: PromiseWithResolvers<unknown> }[],
  announce: (_change: unknown): void => undefined,
  reopen: (): void => undefined,
}));

vi.mock('../../renderer/lib/api.ts', () => {
  const call = (name: 'get' | 'change') => (input: unknown) => {
    const settle = Promise.withResolvers<unknown>();
    main.calls.push({ name, input, settle });
    return settle.promise;
  };
  return { api: { forms: { get: call('get'), change: call('change') } } };
});
vi.mock('../../renderer/lib/change-listeners.ts', () => ({
  onChange: (listener: (change: unknown) => void) => {
    main.announce = listener;
    return () => undefined;
  },
}));
vi.mock('../../renderer/lib/link-state.ts', () => ({
  waitForLink: () => new Promise<void>((resolve) => (main.reopen = resolve)),
}));
vi.mock('../../renderer/lib/app-error.ts', () => ({ toAppError: (error: unknown) => error }));

beforeEach(() => {
  vi.useFakeTimers();
  main.calls = [];
});
afterEach(() => void vi.useRealTimers());

type Fields = Extract<FormUpdate['content'], { operation: 'completion' }>['fields'];

function update(revision: number, fields: Fields, names: string[] = []): FormUpdate {
  return { revision, content: { operation: 'completion', fields }, names };
}

async function answer(value: FormUpdate): Promise<void> {
  main.calls.at(-1)?.settle.resolve(value);
  await vi.advanceTimersByTimeAsync(0);
}

async function fail(error: AppError): Promise<void> {
  main.calls.at(-1)?.settle.reject(error);
  await vi.advanceTimersByTimeAsync(0);
}

const announced: Change = { topic: 'forms', id: 'a-form' };
const changes = () =>
  main.calls.filter(({ name }) => name === 'change').map(({ input }) => input as FormChange);
const prompt = ['input.prompt'];

async function loadedForm(fields: Fields = {}, names: string[] = []) {
  const form = createForm('completion', 'a-form');
  void form.load();
  await answer(update(1, fields, names));
  main.calls = [];
  const values = () => form.state.getState().values;
  return { form, values };
}
type Changed = Parameters<Form<'completion'>['change']>[0];

async function changeNow(form: Form<'completion'>, fields: Changed): Promise<void> {
  form.change(fields);
  await vi.advanceTimersByTimeAsync(0);
}
const lost = appError('unreachable', 'The connection was lost.', 'Wait.');
const full = appError('file', 'The disk is full.', 'Free some space.');
const refused = appError('invalid-request', 'Too long.', 'Shorten it.');

describe('a form in the page', () => {
  it('loads saved fields, with empty values for the rest', async () => {
    const { form, values } = await loadedForm({ input: { prompt: 'Once' } }, prompt);
    expect(form.state.getState().loaded).toBe(true);
    expect(values()).toMatchObject({ input: { prompt: 'Once', suffix: '' }, runId: null });
  });

  it('saves only the changed fields once typing pauses', async () => {
    const { form } = await loadedForm({ input: { suffix: 'The end.' } }, ['input.suffix']);
    for (const prompt of ['O', 'On', 'Onc', 'Once']) {
      form.change({ input: { prompt } }, { typing: true });
      await vi.advanceTimersByTimeAsync(200);
    }
    expect(main.calls).toEqual([]);
    await vi.advanceTimersByTimeAsync(200);
    expect(changes()).toMatchObject([
      { content: { fields: { input: { prompt: 'Once' } } }, unset: [], after: 1 },
    ]);
    expect(changes()[0]?.content.fields).not.toHaveProperty('input.suffix');
  });

  it('saves two seconds after typing starts, even without a pause', async () => {
    const { form } = await loadedForm();
    for (let at = 0; at < 2400; at += 100) {
      form.change({ input: { prompt: `at ${at}` } }, { typing: true });
      await vi.advanceTimersByTimeAsync(100);
    }
    expect(changes()).toHaveLength(1);
  });

  it('saves a selection at once, and typed text when flushed', async () => {
    const { form } = await loadedForm();
    await changeNow(form, { models: { demo: 'echo' } });
    expect(changes()).toHaveLength(1);
    await answer(update(2, {}, ['models.demo']));
    form.change({ input: { prompt: 'Once' } }, { typing: true });
    form.flush();
    expect(changes()).toHaveLength(2);
  });

  it('keeps unsaved text when another window saves the same field', async () => {
    const { form, values } = await loadedForm();
    form.change({ input: { prompt: 'mine' } }, { typing: true });
    main.announce(announced);
    await vi.advanceTimersByTimeAsync(100);
    // The form refreshes only after a pause in typing.
    expect(changes()).toEqual([]);
    await vi.advanceTimersByTimeAsync(250);
    form.change({ input: { prompt: 'mine too' } }, { typing: true });
    await answer(
      update(2, { input: { prompt: 'mine', suffix: 'theirs' } }, ['input.prompt', 'input.suffix']),
    );
    expect(values().input).toEqual({ prompt: 'mine too', suffix: 'theirs' });
  });

  it('shows fields that another window changes or clears', async () => {
    const { values } = await loadedForm(
      { params: { n: { value: 1 }, seed: { value: 2 } }, input: { prompt: 'old' } },
      ['params.n', 'params.seed', 'input.prompt'],
    );
    main.announce(announced);
    expect(main.calls[0]?.input).toEqual({ id: 'a-form', operation: 'completion', after: 1 });
    await answer(update(2, { input: { prompt: 'new' } }, ['params.n', 'input.prompt']));
    expect(values()).toMatchObject({ input: { prompt: 'new' } });
    expect(values().params).toEqual({ n: { value: 1 } });
  });

  it('keeps newer text while it saves older text', async () => {
    const { form, values } = await loadedForm();
    await changeNow(form, { input: { prompt: 'first' } });
    form.change({ input: { prompt: 'second' } });
    await answer(update(2, { input: { prompt: 'theirs before' } }, prompt));
    expect(values().input.prompt).toBe('second');
    expect(changes().at(-1)?.content.fields).toEqual({ input: { prompt: 'second' } });
  });

  it('keeps object identities when the server confirms a save', async () => {
    const { form, values } = await loadedForm({ params: { n: { value: 1 } } }, ['params.n']);
    const { params } = values();
    form.change({ input: { prompt: 'Once' } });
    const typed = values();
    await vi.advanceTimersByTimeAsync(0);
    await answer(update(2, {}, ['params.n', 'input.prompt']));
    expect(values()).toBe(typed);
    expect(values().params).toBe(params);
  });

  it('resends a save that a lost connection interrupted', async () => {
    const { form, values } = await loadedForm();
    await changeNow(form, { input: { prompt: 'Once' }, params: { n: { value: 1 } } });
    await fail(lost);
    form.change({ input: { prompt: 'Once upon' } }, { unset: ['params.n'] });
    expect(form.state.getState().problem).toBeNull();
    main.reopen();
    await vi.advanceTimersByTimeAsync(0);
    expect(changes().at(-1)).toMatchObject({
      content: { fields: { input: { prompt: 'Once upon' } } },
      unset: ['params.n'],
    });
    await answer(update(2, {}, prompt));
    expect(values()).toMatchObject({ input: { prompt: 'Once upon' }, params: {} });
  });

  it('reports a full disk and retries automatically', async () => {
    const { form, values } = await loadedForm();
    await changeNow(form, { input: { prompt: 'Once' } });
    await fail(full);
    expect(form.state.getState().problem).toEqual(full);
    expect(values().input.prompt).toBe('Once');
    await vi.advanceTimersByTimeAsync(3000);
    expect(changes()).toHaveLength(2);
    await answer(update(2, {}, prompt));
    expect(form.state.getState().problem).toBeNull();
  });

  it('resends a rejected change only along with another change', async () => {
    const { form } = await loadedForm();
    await changeNow(form, { input: { prompt: 'far too long' } });
    await fail(refused);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(changes()).toHaveLength(1);
    await changeNow(form, { input: { prompt: 'short' } });
    expect(changes()).toHaveLength(2);
  });

  it('keeps changes made before the form loads', async () => {
    const form = createForm('completion', 'a-form');
    void form.load();
    const names = ['input.prompt', 'input.suffix'];
    form.change({ input: { prompt: 'quick' } }, { typing: true });
    await answer(update(4, { input: { prompt: 'old', suffix: 'old' } }, names));
    expect(form.state.getState().values.input).toEqual({ prompt: 'quick', suffix: 'old' });
  });

  it('reports a failed load and retries only on request', async () => {
    const form = createForm('completion', 'a-form');
    const failed = form.load();
    await fail(full);
    await expect(failed).rejects.toMatchObject({ error: full });
    expect(form.load()).toBe(failed);
    expect(form.state.getState()).toMatchObject({ loaded: false, problem: full });
    expect(main.calls).toHaveLength(1);
    const again = form.retry();
    expect(form.state.getState().problem).toBeNull();
    await answer(update(1, { input: { prompt: 'Once' } }, prompt));
    await again;
    expect(form.state.getState().values.input.prompt).toBe('Once');
    expect(form.retry()).toBe(again);
  });

  it('loads after a failed load once another field is saved', async () => {
    const form = createForm('completion', 'a-form');
    form.load().catch(() => undefined);
    await fail(full);
    await changeNow(form, { input: { suffix: 'The end.' } });
    await answer(update(2, { input: { prompt: 'Once' } }, ['input.prompt', 'input.suffix']));
    await form.load();
    expect(form.state.getState()).toMatchObject({ loaded: true, problem: null });
  });

  it('clears if another window deletes the form', async () => {
    const saved = { input: { prompt: 'Once' }, runId: 'r' };
    const { values } = await loadedForm(saved, ['input.prompt', 'runId']);
    main.announce(announced);
    await answer(update(0, {}));
    expect(values()).toMatchObject({ input: { prompt: '' }, runId: null });
  });

  it('reloads if all forms change, but not if only another form does', async () => {
    await loadedForm();
    main.announce({ topic: 'forms', id: 'another-form' });
    expect(main.calls).toEqual([]);
    main.announce({ topic: 'forms', id: null });
    expect(main.calls[0]?.input as FormQuery).toMatchObject({ after: 1 });
  });

  it('ignores earlier responses after the form is discarded', async () => {
    const { form, values } = await loadedForm();
    main.announce(announced);
    form.forget();
    await answer(update(2, { input: { prompt: 'of the past' } }, prompt));
    expect(values().input.prompt).toBe('');
    expect(form.state.getState().loaded).toBe(false);
  });
});
