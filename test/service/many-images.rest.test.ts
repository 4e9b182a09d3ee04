import { expect, it } from 'vitest';
import type { JsonValue } from '../../shared/json.ts';
import { temporaryFolder } from '../fixtures/data-folder.ts';
import { expectLinear } from '../fixtures/expect-linear.ts';
import { openFilesIn } from '../fixtures/open-files.ts';
import { pixel } from '../fixtures/pixel.ts';
import { serveScript, untilEnded } from '../fixtures/run-operation.ts';
import { startTestServices } from '../fixtures/test-services.ts';
import { jsonReply } from '../fixtures/wire-server.ts';

const COUNT = 1600;

const urls = Array.from({ length: COUNT }, (_, at) => {
  const bytes = Buffer.concat([pixel, Buffer.from(String(at).padStart(6))]);
  return `data:image/png;base64,${bytes.toString('base64')}`;
});

it.each<[string, (urls: string[]) => JsonValue]>([
  ['in text', (urls) => urls.map((url) => `![x](${url})`).join('\n\n')],
  ['as content parts', (urls) => urls.map((url) => ({ type: 'image_url', image_url: { url } }))],
])('saves 1,600 images %s in linear time, few at a time', (_, toContent) =>
  expectLinear(
    COUNT,
    async (count) => {
      const content = toContent(urls.slice(0, count));
      const choice = { index: 0, message: { role: 'assistant', content }, finish_reason: 'stop' };
      const server = await serveScript(({ send }) => send(jsonReply({ choices: [choice] })));
      const home = temporaryFolder();
      const services = await startTestServices({
        home,
        baseUrl: server.url,
        key: 'sk-test-0123456789',
      });
      return { count, home, services };
    },
    async ({ count, home, services }) => {
      const { id: conversationId } = services.conversations.create();
      let mostOpen = 0;
      services.changes.listen(({ topic }) => {
        if (topic === 'media') {
          mostOpen = Math.max(mostOpen, openFilesIn(`${home}/media`).length);
        }
      });
      const { runId } = await services.conversations.send({
        conversationId,
        connectionId: 'environment',
        parentId: null,
        extraBody: {},
        message: { role: 'user', content: 'Draw' },
        request: { model: 'm', stream: true },
      });
      const run = await untilEnded(services, runId);
      expect(run.media).toHaveLength(count);
      expect(JSON.stringify(run.state)).not.toContain('iVBOR');
      expect(mostOpen).toBeLessThan(20);
    },
  ),
);
