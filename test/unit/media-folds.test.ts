import { describe, expect, it } from 'vitest';
import { rerankOperation } from '../../shared/operations/rerank/rerank.ts';
import { transcriptionOperation } from '../../shared/operations/transcription/transcription.ts';
import type { RunEventBody } from '../../shared/run.ts';
import { body, finish, foldAll } from './support/fold-events.ts';

const response: RunEventBody = { kind: 'response', exchange: 0, status: 200, headers: [] };
const request = (body: string | null): RunEventBody => ({
  kind: 'request',
  exchange: 0,
  method: 'POST',
  headers: [],
  body,
  url: 'http://gateway.example/v1',
});

describe('the folds of transcription and rerank', () => {
  it('warns about the format only of transcripts', () => {
    const form = JSON.stringify({ fields: [['response_format', 'verbose_json']] });
    const warnings = (reply: object) =>
      foldAll(transcriptionOperation, [request(form), response, body(reply)]).warnings;
    expect(warnings({ success: false })).toEqual([]);
    expect(warnings({ text: 'Hi' })).toEqual(['Requested verbose_json, received json.']);
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
