/** A gateway that answers rankings and speech after a moment. */
import { createServer } from 'node:http';
import { spokenWav } from '../e2e/fixtures/spoken-wav.ts';

const ANSWER_MS = 20;
const DOCUMENTS = 10;

export interface QuickGateway {
  url: string;
  close: () => Promise<void>;
}

export async function startQuickGateway(): Promise<QuickGateway> {
  const sound = spokenWav(2);
  let count = 0;
  /** A different order for each. */
  const ranking = () => {
    count += 1;
    const results = Array.from({ length: DOCUMENTS }, (_, at) => ({
      index: (at * 3 + count) % DOCUMENTS,
      relevance_score: 1 - at / DOCUMENTS,
    }));
    return JSON.stringify({ results, usage: { total_tokens: 120 } });
  };
  const server = createServer((request, response) => {
    request.resume();
    request.on('end', () => {
      setTimeout(() => {
        if (request.url?.includes('speech')) {
          response.writeHead(200, { 'Content-Type': 'audio/wav' }).end(sound);
        } else if (request.url?.includes('rerank')) {
          response.writeHead(200, { 'Content-Type': 'application/json' }).end(ranking());
        } else {
          response.writeHead(200, { 'Content-Type': 'application/json' });
          response.end('{"object":"list","data":[{"id":"quick-model","object":"model"}]}');
        }
      }, ANSWER_MS);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('No port.');
  return {
    url: `http://127.0.0.1:${address.port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
