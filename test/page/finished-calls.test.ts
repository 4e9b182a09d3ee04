import { expect, it } from 'vitest';
import {
  describeArguments,
  getFinishedCalls,
} from '../../renderer/features/chat/log/answer/finished-calls.ts';
import type { TreeMessage } from '../../shared/conversation.ts';
import type { CallRecord } from '../../shared/tool-answer.ts';
import { treeMessage } from '../fixtures/tree-message.ts';

const record: CallRecord = {
  by: 'script',
  server: null,
  call: null,
  failed: false,
  misfit: null,
  console: [],
  durationMs: 500,
};

function calling(id: string, ...calls: [id: string, args: string][]): TreeMessage {
  const toolCalls = calls.map(([callId, args]) => ({
    id: callId,
    type: 'function' as const,
    function: { name: 'get_temp', arguments: args },
  }));
  return treeMessage({ id, role: 'assistant', content: '', toolCalls });
}

const result = (id: string, toolCallId: string, content: string, by = record) =>
  treeMessage({ id, role: 'tool', toolCallId, content, callRecord: by });

const answer = treeMessage({ id: 'last', role: 'assistant', content: 'Cold.' });

it('folds finished tool calls of a loop to a line each', () => {
  const failed = { ...record, failed: true };
  const steps = getFinishedCalls([
    calling('a', ['1', '{"city":"Oslo"}'], ['2', '{"city":"Rome"}']),
    // Results may come in any order.
    result('r2', '2', 'No such city', failed),
    result('r1', '1', '{"celsius":14}'),
    calling('b', ['3', '{}']),
    treeMessage({ id: 'r3', role: 'tool', toolCallId: '3', content: '' }),
    answer,
  ]);
  expect(steps.get('a')).toEqual({
    isBare: true,
    resultIds: ['r2', 'r1'],
    calls: [
      { call: 'get_temp("Oslo")', result: '14', failed: false, durationMs: 500 },
      { call: 'get_temp("Rome")', result: 'No such city', failed: true, durationMs: 500 },
    ],
  });
  expect(steps.get('b')?.calls).toEqual([
    { call: 'get_temp()', result: 'empty', failed: false, durationMs: null },
  ]);
});

it.each<[string, TreeMessage[]]>([
  ['a result is missing', [calling('a', ['1', '{}'], ['2', '{}']), result('r', '1', '1'), answer]],
  ['a result belongs to another call', [calling('a', ['1', '{}']), result('r', '2', '1'), answer]],
  ['nothing follows yet', [calling('a', ['1', '{}']), result('r', '1', '1')]],
])('keeps a step open if %s', (_, path) => {
  expect(getFinishedCalls(path).size).toBe(0);
});

it.each([
  ['{"city": "Oslo", "days": 3}', 'city: "Oslo", days: 3'],
  ['{"where": {"lat": 1}}', 'where: {"lat":1}'],
  ['not\n JSON', 'not JSON'],
  [`{"text":"${'a'.repeat(200)}"}`, `"${'a'.repeat(78)}…`],
])('describes the arguments %s as %s', (source, described) => {
  expect(describeArguments(source)).toBe(described);
});
