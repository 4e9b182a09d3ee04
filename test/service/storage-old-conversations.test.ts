/** The conversations of a ledger of schema 5. */
import { expect, it } from 'vitest';
import type { Conversation, TreeMessage } from '../../shared/conversation.ts';
import { getText } from '../../shared/operations/chat/text.ts';
import { openOldLedger } from '../fixtures/old-ledger.ts';

it('keeps every conversation with all its messages', async () => {
  const { services } = await openOldLedger();
  const listed = await services.conversations.list({ search: '', limit: 100 });
  const conversations = listed.map(({ id }) => services.conversations.get(id));
  const named = (title: string) => {
    const found = conversations.find((one) => one.title === title);
    if (found === undefined) throw new Error(`No conversation “${title}”`);
    return found;
  };
  expect(conversations.map(({ title, messages }) => [title, messages.length]).sort()).toEqual([
    ['Closed meanwhile?', 2],
    ['Is it open?', 2],
    ['Is the bridge safe?', 3],
    ['Killed meanwhile?', 2],
    ['Locks and gates', 8],
    ['New conversation', 0],
    ['Refused?', 2],
    ['What do you see?', 4],
    ['What is the weather in Paris?', 5],
  ]);

  const tools = services.tools.list();
  const gates = named('Locks and gates');
  expect(gates).toMatchObject({
    titled: true,
    systemMessage: 'Answer briefly.',
    options: {
      toolIds: [tools.find(({ tool }) => tool.function.name === 'get_weather')?.id],
      toolChoice: { name: 'get_weather' },
      sendReasoning: true,
      responseFormat: { type: 'json_object' },
    },
  });
  const shown = branchOf(gates);
  expect(shown.map(({ role, content }) => [role, getText(content)])).toEqual([
    ['user', 'What is a lock?'],
    ['assistant', '# The Gatehouse at Saltmere\n\n*A'],
    ['user', 'And a portcullis?'],
    ['assistant', '# The Gatehouse at Saltmere\n\n'],
  ]);
  const gate = gates.messages.find(({ content }) => content === 'And a gate?');
  expect(gate?.name).toBe('ada');
  const answers = gates.messages.filter(({ parentId }) => parentId === gate?.id);
  expect(answers.map(({ choiceIndex }) => choiceIndex)).toEqual([0, 1, 0]);
  expect(answers.every(({ run }) => run?.status === 'succeeded')).toBe(true);

  const [, thought, note] = named('Is the bridge safe?').messages;
  expect(thought?.reasoning).toContain('a keeper counts the boats');
  expect(note).toMatchObject({ role: 'developer', content: 'Be kind.', run: null });

  const [, calling, first, second] = named('What is the weather in Paris?').messages;
  expect(calling?.toolCalls.map((call) => call.function)).toEqual([
    { name: 'get_time', arguments: '{}' },
    { name: 'get_weather', arguments: '{"city":"Paris"}' },
  ]);
  expect([first, second].map((result) => [result?.toolCallId, result?.content])).toEqual([
    [calling?.toolCalls[0]?.id, '{"sky":"clear"}'],
    [calling?.toolCalls[1]?.id, 'noon'],
  ]);

  const [looking, , , spoken] = named('What do you see?').messages;
  expect(looking?.content).toMatchObject([
    { type: 'text', text: 'What do you see?' },
    { type: 'image_url', image_url: { url: 'media:KCupoLS-mPuq0I3lo0gJSQ', detail: 'low' } },
    { type: 'input_audio', input_audio: { data: 'media:mvR_BrJN7k-lrrCrQEgfyA', format: 'wav' } },
  ]);
  expect(spoken?.audio).toMatchObject({
    media: 'RBJMmnMDX4c3vGeUSDGKzA',
    transcript: 'The Gatehouse at',
  });

  expect(named('Is it open?').options.responseFormat).toMatchObject({
    type: 'json_schema',
    json_schema: { name: 'gate' },
  });
  // Its second choice was deleted before main died.
  expect(named('Killed meanwhile?').messages.map(({ content }) => content)).toEqual([
    'Killed meanwhile?',
    'So far so good',
  ]);
});

/** The messages that are shown, from the root. */
function branchOf({ messages, activeLeafId }: Conversation): TreeMessage[] {
  const branch: TreeMessage[] = [];
  for (let id = activeLeafId; id !== null; ) {
    const found = messages.find((message) => message.id === id);
    if (!found) throw new Error(`No message ${id}`);
    branch.unshift(found);
    id = found.parentId;
  }
  return branch;
}
