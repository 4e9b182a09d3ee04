import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../shared/json.ts';
import { pixel } from '../fixtures/pixel.ts';
import { shareBench } from '../fixtures/run-operation.ts';
import { notedPauses } from '../fixtures/video-run.ts';
import { always, jsonReply, type Script } from '../fixtures/wire-server.ts';

const serveWith = await shareBench({ polling: notedPauses().polling });

const answer = (body: unknown): Script => always(jsonReply(body));

describe('a response with media', () => {
  const image: JsonObject = { model: 'img', contents: [{ parts: [{ text: 'a dot' }] }] };

  it('extracts media before it truncates the recorded body', async () => {
    const large = Buffer.concat([pixel, Buffer.alloc(26 * 1024 * 1024)]);
    const parts = [{ inlineData: { mimeType: 'image/png', data: large.toString('base64') } }];
    const bench = serveWith(answer({ candidates: [{ content: { parts } }] }));
    const view = await bench.run('image', image);
    expect(view.state.media[0]).toMatchObject({ sizeBytes: large.length, complete: true });
    const [body] = bench.events(view.id, 'body');
    expect(body?.truncated).toBe(false);
    expect(body?.text.length).toBeLessThan(1000);
  });

  it('reads large text in full, and fails beyond 32 Mi characters', async () => {
    const long = 'x'.repeat(9_000_000);
    const whole = serveWith(answer({ candidates: [{ content: { parts: [{ text: long }] } }] }));
    const { status, state } = await whole.run('image', image);
    expect(status).toBe('succeeded');
    expect(state.candidates[0]?.parts[0]).toEqual({ type: 'text', text: long, thought: false });

    const text = 'x'.repeat(34_000_000);
    const bench = serveWith(answer({ candidates: [{ content: { parts: [{ text }] } }] }));
    const view = await bench.run('image', image);
    const [body] = bench.events(view.id, 'body');
    expect(view).toMatchObject({ status: 'failed', error: { kind: 'malformed-response' } });
    expect(body).toMatchObject({ truncated: true });
    expect(body?.text.length).toBe(32 * 1024 * 1024);
  });
});
