import { describe, expect, it } from 'vitest';
import type { z } from 'zod';
import { inlineMedia } from '../../electron/operations/inline-media.ts';
import type { JsonObject } from '../../shared/json.ts';
import { createMediaReference, type Media } from '../../shared/media.ts';
import { getChatRequestSchema } from '../../shared/operations/chat/request.ts';
import { getCompletionRequestSchema } from '../../shared/operations/completion/request.ts';
import { getImageRequestSchema } from '../../shared/operations/image/request.ts';
import { getRerankRequestSchema } from '../../shared/operations/rerank/request.ts';
import { getSpeechRequestSchema } from '../../shared/operations/speech/request.ts';
import { getVideoRequestSchema } from '../../shared/operations/video/request.ts';
import { medium } from '../fixtures/medium.ts';

const id = 'A'.repeat(22);
const ref = createMediaReference(id);

function stored(fields: Partial<Media> = {}) {
  const media = medium({
    id,
    kind: 'image',
    type: 'image/png',
    name: 'dot.png',
    sizeBytes: 1_234_567,
    ...fields,
  });
  return {
    get: (requested: string) => (requested === id ? media : null),
    readBytes: async () => Buffer.from('dot'),
    isOutput: () => false,
  };
}

describe('inlineMedia', () => {
  const sentOf = async (schema: z.ZodObject, request: JsonObject) =>
    (await inlineMedia(schema, request, stored())).sent;
  const dataUrl = 'data:image/png;base64,ZG90';
  const user = (...content: JsonObject[]) => ({
    model: 'm',
    messages: [{ role: 'user', content }],
  });

  it('sends the image of a video as a data URL and leaves its other fields unchanged', async () => {
    const request = { model: 'm', prompt: ref, image: ref, user: ref, metadata: { image: ref } };
    expect(await sentOf(getVideoRequestSchema(), request)).toEqual({ ...request, image: dataUrl });
  });

  it.each([
    ['an image', { type: 'image_url', image_url: { url: ref } }, { image_url: { url: dataUrl } }],
    ['a video', { type: 'video_url', video_url: { url: ref } }, { video_url: { url: dataUrl } }],
    [
      'a recording',
      { type: 'input_audio', input_audio: { data: ref, format: 'wav' } },
      { input_audio: { data: 'ZG90', format: 'wav' } },
    ],
    [
      'a file',
      { type: 'file', file: { filename: ref, file_data: ref } },
      { file: { filename: ref, file_data: dataUrl } },
    ],
  ])('puts %s into a message part', async (_name, part, filled) => {
    const text = { type: 'text', text: 'See' };
    expect(await sentOf(getChatRequestSchema(), user(text, part))).toEqual(
      user(text, { ...part, ...filled }),
    );
  });

  it.each(['inlineData', 'inline_data'])('puts bare base64 into %s', async (name) => {
    const type = name === 'inlineData' ? { mimeType: 'image/png' } : { mime_type: 'image/png' };
    const image = (data: string) => ({
      model: 'm',
      contents: [{ parts: [{ text: ref }, { [name]: { ...type, data } }] }],
    });
    expect(await sentOf(getImageRequestSchema(), image(ref))).toEqual(image('ZG90'));
  });

  const call = { id: 'a', type: 'function', function: { name: 'f', arguments: ref } };
  it.each<[string, z.ZodObject, JsonObject]>([
    ['a message', getChatRequestSchema(), { messages: [{ role: 'user', content: ref }] }],
    ['a text part', getChatRequestSchema(), user({ type: 'text', text: ref })],
    [
      'a field of another part',
      getChatRequestSchema(),
      user({ type: 'text', image_url: { url: ref } }),
    ],
    [
      'an argument',
      getChatRequestSchema(),
      { messages: [{ role: 'assistant', tool_calls: [call] }] },
    ],
    ['a prompt', getCompletionRequestSchema(), { prompt: ref }],
    ['a document', getRerankRequestSchema(), { documents: [ref, { text: ref }] }],
    ['a speech', getSpeechRequestSchema(), { input: ref }],
  ])('leaves text unchanged in %s', async (_name, schema, request) => {
    expect(await inlineMedia(schema, request, stored())).toEqual({ sent: request, shown: null });
  });

  it('shows name, size and reference instead of the bytes', async () => {
    const { shown } = await inlineMedia(getVideoRequestSchema(), { image: ref }, stored());
    expect(shown).toEqual({ image: `data:image/png;base64,<base64 of dot.png, 1.2 MB, ${ref}>` });
  });

  it('uses the declared type if the bytes show none', async () => {
    const declaredType = 'audio/pcm; rate=8000';
    const store = stored({ type: 'application/octet-stream', declaredType });
    const { sent } = await inlineMedia(getVideoRequestSchema(), { image: ref }, store);
    expect(sent).toEqual({ image: 'data:audio/pcm;base64,ZG90' });
  });

  it.each([
    ['unknown', { ...stored(), get: () => null }, id],
    ['not complete', stored({ complete: false }), 'dot.png'],
    ['too large', stored({ sizeBytes: 400_000_000 }), '400.0 MB'],
  ])('rejects a file that is %s and names it', async (_name, store, words) => {
    await expect(inlineMedia(getVideoRequestSchema(), { image: ref }, store)).rejects.toMatchObject(
      {
        error: { kind: 'file', message: expect.stringContaining(words) },
      },
    );
  });
});
