/** Holds a conversation about the weather with the demo gateway in one wire format. */
import { onTestFinished } from 'vitest';
import { startDemoGateway } from '../../electron/demo/server.ts';
import type { JsonObject } from '../../shared/json.ts';
import type { RunView } from '../../shared/run-view.ts';
import { testKey, untilEnded } from '../fixtures/run-operation.ts';
import { startTestServices } from '../fixtures/test-services.ts';

interface Turn {
  text: string;
  format: string | null;
  model: string;
  fields?: JsonObject;
  extraBody?: JsonObject;
}

/** Sends each message, entering a result for each tool call. */
export async function converse(...turns: Turn[]) {
  const started = await startDemoGateway({ port: 0, key: testKey, speed: 1000 });
  onTestFinished(() => started.close());
  const services = await startTestServices({ baseUrl: started.baseUrl, key: testKey });
  const { id: conversationId } = services.conversations.create();
  const tools = [
    {
      type: 'function',
      function: { name: 'get_weather', description: 'Weather', parameters: { type: 'object' } },
    },
  ];
  const runs: RunView[] = [];
  let parentId: string | null = null;
  for (const { text, format, model, fields, extraBody = {} } of turns) {
    const request = { model, stream: true, tools, ...fields, ...(format !== null && { format }) };
    const send = async (message: {
      role: 'user' | 'tool';
      content: string;
      toolCallId?: string;
    }) => {
      const sent = await services.conversations.send({
        conversationId,
        connectionId: 'environment',
        parentId,
        message,
        extraBody,
        request,
      });
      runs.push(await untilEnded(services, sent.runId));
      parentId = sent.answerIds[0] ?? null;
    };
    await send({ role: 'user', content: text });
    const { messages } = services.conversations.get(conversationId);
    const answer = messages.find(({ id }) => id === parentId);
    for (const call of answer?.toolCalls ?? []) {
      await send({ role: 'tool', content: 'Sunny', toolCallId: call.id });
    }
  }
  const sent = runs.map(({ id }) => {
    const event = services.ledger.events(id, { after: 0, limit: 1, kinds: ['request'] }).events[0];
    return event?.kind === 'request' ? event : null;
  });
  const events = runs.map(({ id }) =>
    JSON.stringify(services.ledger.events(id, { after: 0, limit: 10_000, kinds: null }).events),
  );
  return { runs, sent, events, messages: services.conversations.get(conversationId).messages };
}
