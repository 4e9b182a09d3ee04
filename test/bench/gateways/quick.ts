/** Starts a gateway that answers rankings, speech and transcriptions after a delay. */
import { createServer } from 'node:http';
import { spokenWav } from '../../e2e/fixtures/spoken-wav.ts';

const ANSWER_MS = 20;
export const RANKED_DOCUMENTS = 10;
const vocabulary = ['river', 'gate', 'lantern', 'bridge', 'willow', 'harbor', 'stone', 'evening'];

/** Returns `count` words, of which adjacent ones differ. */
export function wordsOf(count: number): string[] {
  return Array.from({ length: count }, (_, at) => vocabulary[(at * 5 + (at >> 3)) % 8] ?? '');
}

export interface QuickGateway {
  url: string;
  close: () => Promise<void>;
}

export async function startQuickGateway(): Promise<QuickGateway> {
  const sound = spokenWav(2);
  let count = 0;
  /** Returns a ranking in a different order each time. */
  const ranking = () => {
    count += 1;
    const results = Array.from({ length: RANKED_DOCUMENTS }, (_, at) => ({
      index: (at * 3 + count) % RANKED_DOCUMENTS,
      relevance_score: 1 - at / RANKED_DOCUMENTS,
    }));
    return JSON.stringify({ results, usage: { total_tokens: 120 } });
  };
  /**
   * Returns a transcript with an error in every tenth word, starting at a different word each time.
   */
  const transcript = () => {
    count += 1;
    const words = wordsOf(300).map((word, at) => ((at + count) % 10 === 0 ? 'wind' : word));
    return JSON.stringify({ text: words.join(' ') });
  };
  const server = createServer((request, response) => {
    request.resume();
    request.on('end', () => {
      setTimeout(() => {
        if (request.url?.includes('speech')) {
          response.writeHead(200, { 'Content-Type': 'audio/wav' }).end(sound);
        } else if (request.url?.includes('rerank')) {
          response.writeHead(200, { 'Content-Type': 'application/json' }).end(ranking());
        } else if (request.url?.includes('transcriptions')) {
          response.writeHead(200, { 'Content-Type': 'application/json' }).end(transcript());
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
