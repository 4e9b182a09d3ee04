import { describe, expect, it } from 'vitest';
import { consoleOperation } from '../../shared/operations/console/console.ts';
import { rerankOperation } from '../../shared/operations/rerank/rerank.ts';
import { speechOperation } from '../../shared/operations/speech/speech.ts';
import { transcriptionOperation } from '../../shared/operations/transcription/transcription.ts';
import type { RunEventBody } from '../../shared/run.ts';
import { createRandom } from '../fixtures/random.ts';
import { body, chunk, comment, finish, foldAll, randomReply } from './support/fold-events.ts';

const response: RunEventBody = { kind: 'response', exchange: 0, status: 200, headers: [] };
const request = (body: string | null): RunEventBody => ({
  ...{ kind: 'request', exchange: 0, method: 'POST', headers: [], body },
  url: 'http://gateway.example/v1',
});

describe('the folds of speech, transcription, rerank and console', () => {
  it('report no format for other responses', () => {
    const form = JSON.stringify({ fields: [['response_format', 'verbose_json']] });
    const warnings = (reply: object) =>
      foldAll(transcriptionOperation, [request(form), response, body(reply)]).warnings;
    expect(warnings({ success: false })).toEqual([]);
    expect(warnings({ text: 'Hi' })).toEqual(['Requested verbose_json, received json.']);
  });

  it.each([
    ['speech', speechOperation],
    ['transcription', transcriptionOperation],
    ['rerank', rerankOperation],
    ['console', consoleOperation],
  ] as const)('survive any reply and change no state in place: %s', (_name, spec) => {
    const random = createRandom(7).next;
    for (let round = 0; round < 300; round += 1) {
      const events = [
        request(JSON.stringify(randomReply(random))),
        response,
        chunk(randomReply(random)),
        comment('PING'),
        body(randomReply(random), round % 2 === 0),
        finish,
      ];
      const fold = () => foldAll<object>(spec as Parameters<typeof foldAll<object>>[0], events);
      expect(fold).not.toThrow();
      expect(JSON.parse(JSON.stringify(fold()))).toEqual(fold());
    }
  });

  it('ranks two thousand results at once', () => {
    const documents = Array.from({ length: 2000 }, (_, at) => `document ${at}`);
    const results = documents.map((_, index) => ({ index, relevance_score: (index * 7) % 2000 }));
    const state = foldAll(rerankOperation, [
      request(JSON.stringify({ documents })),
      response,
      body({ results }),
      finish,
    ]);
    expect(state.results).toHaveLength(2000);
    expect(state.results[0]?.relevanceScore).toBe(1999);
    expect(state.documentCount).toBe(2000);
  });

  it('shows an error page as a response, not as a transcript', () => {
    const state = foldAll(transcriptionOperation, [
      request(null),
      { ...response, status: 502 },
      body('<html>bad gateway</html>'),
    ]);
    expect(state).toMatchObject({ text: '', raw: '<html>bad gateway</html>', format: 'unknown' });
  });
});
