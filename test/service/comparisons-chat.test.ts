import { createRouterClient } from '@orpc/server';
import { describe, expect, it } from 'vitest';
import { createRouter } from '../../electron/router.ts';
import type { Services } from '../../electron/services.ts';
import type { ComparedVariant } from '../../shared/comparison.ts';
import type { TreeMessage } from '../../shared/conversation.ts';
import {
  bodies,
  cellsOf,
  failure,
  finished,
  heldGateway,
  outcomes,
  serveGateway,
  states,
  variant,
  variants,
} from '../fixtures/comparisons.ts';
import { everyRun } from '../fixtures/test-run.ts';
import { jsonReply, type Script } from '../fixtures/wire-server.ts';

function saying(text: string) {
  const body = { choices: [{ index: 0, message: { role: 'assistant', content: text } }] };
  return jsonReply(body);
}

/** Answers with the name of the model and the number of messages it received. */
const sayWho: Script = ({ request, send }) => {
  const { model, messages } = bodies([request])[0];
  void send(saying(`${model} ${messages.length}`));
};

async function text(pieces: AsyncIterable<string>): Promise<string> {
  let all = '';
  for await (const piece of pieces) all += piece;
  return all;
}

const user = (content: string) => ({ role: 'user' as const, content });

function chatOf(services: Services) {
  const { conversations } = createRouterClient(createRouter(services));
  const conversationId = services.conversations.create().id;
  const compare = (
    comparisonId: string | null,
    variants: ComparedVariant[],
    parents: Record<string, string | null>,
    text: string | null,
  ) =>
    conversations.compare({
      conversationId,
      comparisonId,
      variants,
      parents,
      message: text === null ? null : user(text),
    });
  const tree = () => services.conversations.get(conversationId);
  return { conversationId, compare, tree };
}

/** Returns the answer of each variant in this turn. */
async function answersOf(services: Services, id: string, rowId: string, messages: TreeMessage[]) {
  const cells = (await finished(services, id)).filter((cell) => cell.rowId === rowId);
  return Object.fromEntries(
    cells.flatMap(({ variantId, run }) => {
      const found = messages.find((message) => message.run?.id === run?.id);
      return found === undefined ? [] : [[variantId, found.id]];
    }),
  );
}

/** Maps each parent's text to the texts of its children. */
function shape(messages: TreeMessage[]): Record<string, unknown[]> {
  const text = (id: string | null) =>
    String(messages.find((message) => message.id === id)?.content ?? '');
  const children: Record<string, unknown[]> = {};
  for (const { parentId, content } of messages) {
    children[text(parentId)] = [...(children[text(parentId)] ?? []), content];
  }
  return children;
}

describe('a chat comparison', () => {
  it('continues each column on its own branch', async () => {
    const { server, services } = await serveGateway(sayWho);
    const { compare, tree, conversationId } = chatOf(services);
    const columns = variants('a', 'b');
    const first = await compare(null, columns, { a: null, b: null }, 'Hello');
    expect(first.messages).toMatchObject([{ role: 'user', content: 'Hello' }]);
    expect(first.messageIds.a).toBe(first.messageIds.b);
    const { comparisonId: id } = first;
    await finished(services, id);
    const answers = await answersOf(services, id, first.rowId, tree().messages);
    expect(shape(tree().messages)).toEqual({ '': ['Hello'], Hello: ['a 1', 'b 1'] });
    expect(
      tree()
        .messages.slice(1)
        .map(({ run }) => [run?.comparisonId, run?.cell]),
    ).toEqual([
      [id, 0],
      [id, 1],
    ]);
    // A page that shows no columns shows the first one.
    expect(tree().activeLeafId).toBe(answers.a);

    const hotter = variant('b', { request: { model: 'b2', temperature: 1 } });
    const parents = { a: answers.a ?? null, b: answers.b ?? null, c: answers.a ?? null };
    const next = await compare(id, [...columns.slice(0, 1), hotter, variant('c')], parents, 'More');
    await finished(services, id);
    expect(next.messageIds.a).toBe(next.messageIds.c);
    expect(shape(tree().messages)).toEqual({
      '': ['Hello'],
      Hello: ['a 1', 'b 1'],
      'a 1': ['More'],
      'b 1': ['More'],
      More: ['a 3', 'b2 3', 'c 3'],
    });
    expect(bodies(server.requests).find(({ model }) => model === 'b2')).toEqual({
      model: 'b2',
      temperature: 1,
      messages: [user('Hello'), { role: 'assistant', content: 'b 1' }, user('More')],
    });
    const { comparison } = services.comparisons.get(id);
    expect(comparison).toMatchObject({
      conversationId,
      title: 'Hello',
      operation: 'chat',
      rows: [{ label: 'Hello' }, { label: 'More' }],
      variants: [{ id: 'a' }, { id: 'b', request: { model: 'b2' } }, { id: 'c' }],
    });
  });

  it('records the message and all columns before sending, or records nothing', async () => {
    const { open, script } = heldGateway();
    const { services } = await serveGateway(script);
    const { compare, tree } = chatOf(services);
    const columns = variants('a', 'b', 'c', 'd');
    const hot = variant('hot', { request: { model: 'hot', temperature: 9 } });
    await expect(compare(null, [...columns, hot], {}, 'Hello')).rejects.toMatchObject({
      data: { fields: [{ path: ['variants', 'hot', 'temperature'] }] },
    });
    expect(tree().messages).toEqual([]);
    const { comparisonId: id, messageIds } = await compare(null, columns, {}, 'Hello');
    const cells = await cellsOf(services, id);
    expect(cells.map(({ messageId }) => messageId)).toEqual(Array(4).fill(messageIds.a));
    await expect.poll(() => open).toHaveLength(3);
    expect(states(await cellsOf(services, id))).toEqual(['sent', 'sent', 'sent', 'waiting']);
    // The fourth column has no answer until it is sent.
    expect(tree().messages).toHaveLength(4);
    const [first] = tree().messages.filter(({ role }) => role === 'assistant');
    await expect(compare(id, [variant('a')], { a: first?.id ?? '' }, 'More')).rejects.toMatchObject(
      { data: { message: 'Nothing was sent. Another answer is still in progress.' } },
    );
    for (const exchange of open) await exchange.send(saying('Hi'));
    await expect.poll(() => open).toHaveLength(4);
    await open[3]?.send(saying('Hi'));
    await finished(services, id);
    expect(tree().messages).toHaveLength(5);
  });

  it('retries one column as a sibling answer', async () => {
    let isBroken = true;
    const { services } = await serveGateway((exchange) => {
      if (isBroken && exchange.request.includes('"b"')) void exchange.send(failure);
      else sayWho(exchange);
    });
    const { compare, tree } = chatOf(services);
    const { comparisonId: id } = await compare(null, variants('a', 'b'), {}, 'Hello');
    expect(outcomes(await finished(services, id))).toEqual(['succeeded', 'failed']);
    isBroken = false;
    services.comparisons.retry(id, null);
    await finished(services, id);
    services.comparisons.retry(id, [0]);
    await finished(services, id);
    expect(shape(tree().messages).Hello).toEqual(['a 1', '', 'b 1', 'a 1']);
    services.comparisons.repeat(id, 1);
    await finished(services, id);
    expect(shape(tree().messages).Hello).toHaveLength(6);
  });

  it('holds unsent columns after a restart and sends the current branch', async () => {
    const { open, script } = heldGateway();
    const { services, open: restart, server } = await serveGateway(script);
    services.settings.update({ requestsAtOnce: { environment: 1 } });
    const { compare, conversationId } = chatOf(services);
    const columns = variants('a', 'b');
    const { comparisonId: id } = await compare(null, columns, {}, 'Hello');
    await expect.poll(() => open).toHaveLength(1);
    await services.close();
    const next = await restart();
    expect(states(await cellsOf(next, id))).toEqual(['sent', 'held']);
    next.conversations.update(conversationId, { systemMessage: 'Be kind' });
    next.comparisons.resume(id);
    await expect.poll(() => open).toHaveLength(2);
    await open[1]?.send(saying('Hi'));
    expect(outcomes(await finished(next, id))).toEqual(['unknown', 'succeeded']);
    expect(bodies(server.requests)[1].messages).toEqual([
      { role: 'system', content: 'Be kind' },
      user('Hello'),
    ]);
    const { messages } = next.conversations.get(conversationId);
    expect(shape(messages).Hello).toEqual(['', 'Hi']);
  });

  it('keeps the settings of a turn when its variants change later', async () => {
    const { server, services } = await serveGateway(sayWho);
    const { compare, tree } = chatOf(services);
    const cool = variant('a', { name: 'One', request: { model: 'a', temperature: 0.2 } });
    const first = await compare(null, [cool, variant('b')], {}, 'Hello');
    const { comparisonId: id } = first;
    await finished(services, id);
    const answers = await answersOf(services, id, first.rowId, tree().messages);
    const hot = { ...cool, name: 'Two', request: { model: 'a2', temperature: 0.9 } };
    const parents = { a: answers.a ?? null, b: answers.b ?? null };
    await compare(id, [hot, variant('b', { name: 'Plain' })], parents, 'More');
    await finished(services, id);

    services.comparisons.retry(id, [0]);
    await finished(services, id);
    expect(bodies(server.requests).at(-1)).toEqual({
      model: 'a',
      temperature: 0.2,
      messages: [user('Hello')],
    });
    const [, , again] = (await finished(services, id)).map(({ run }) => run?.model);
    expect(again).toBe('a2');
    const { comparison } = services.comparisons.get(id);
    expect(comparison.variants).toEqual([hot, variant('b', { name: 'Plain' })]);
    expect(comparison.rows.map(({ variants }) => variants)).toEqual([
      [{ ...cool, name: 'Two' }],
      [],
    ]);
    const exported = await text(services.comparisons.export(id));
    expect(JSON.parse(exported).comparison.rows[0].variants).toEqual([{ ...cool, name: 'Two' }]);
  });

  it('keeps the messages of a deleted comparison', async () => {
    const { services } = await serveGateway(sayWho);
    const { compare, tree } = chatOf(services);
    const { comparisonId: id } = await compare(null, variants('a', 'b'), {}, 'Hello');
    await finished(services, id);
    const deletionId = await services.comparisons.remove(id);
    expect(() => services.comparisons.get(id)).toThrow();
    expect(shape(tree().messages).Hello).toEqual(['a 1', 'b 1']);
    expect(services.ledger.list(everyRun).runs).toHaveLength(2);
    services.deletions.undo([deletionId]);
    expect(outcomes(await cellsOf(services, id))).toEqual(['succeeded', 'succeeded']);
  });

  it('deletes and restores a comparison with its conversation', async () => {
    const { open, script } = heldGateway();
    const { services, open: restart, server } = await serveGateway(script);
    services.settings.update({ requestsAtOnce: { environment: 1 } });
    const { compare, conversationId, tree } = chatOf(services);
    const columns = variants('a', 'b');
    const { comparisonId: id } = await compare(null, columns, {}, 'Hello');
    await expect.poll(() => open).toHaveLength(1);
    const deletionId = services.conversations.remove(conversationId);
    expect(() => services.comparisons.get(id)).toThrow();
    await expect.poll(() => services.activeRunCount()).toBe(0);
    services.deletions.undo([deletionId]);
    expect(states(await cellsOf(services, id))).toEqual(['sent', 'dropped']);
    expect(tree().messages).toHaveLength(2);
    expect(server.requests).toHaveLength(1);
    services.conversations.remove(conversationId);
    await services.close();
    const next = await restart();
    expect(() => next.comparisons.get(id)).toThrow();
    const { runs } = next.ledger.list(everyRun);
    expect(runs.map(({ comparisonId, cell }) => [comparisonId, cell])).toEqual([[null, null]]);
  });

  it('reports a deleted message in the cell', async () => {
    const { open, script } = heldGateway();
    const { services } = await serveGateway(script);
    services.settings.update({ requestsAtOnce: { environment: 1 } });
    const { compare, conversationId } = chatOf(services);
    const columns = variants('a', 'b');
    const { comparisonId: id, messageIds } = await compare(null, columns, {}, 'Hello');
    await expect.poll(() => open).toHaveLength(1);
    await services.conversations.removeMessage(conversationId, messageIds.a ?? '');
    const [, second] = await finished(services, id);
    expect(second).toMatchObject({ state: 'dropped', problem: { kind: 'not-found' } });
  });
});
