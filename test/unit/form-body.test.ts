import { describe, expect, it } from 'vitest';
import { comparedImage } from '../../renderer/features/image/compared-image.ts';
import { comparedRerank } from '../../renderer/features/rerank/rerank-request.ts';
import { comparedVideo } from '../../renderer/features/video/video-form-values.ts';
import type { ComparedInput } from '../../renderer/run/compare/compared-input.ts';
import { collectInput, editForm, writeShownBody } from '../../renderer/run/views/form-body.ts';
import type { FormValues } from '../../shared/form.ts';
import type { JsonObject } from '../../shared/json.ts';
import { emptyInputs } from '../../shared/operations/empty-inputs.ts';
import { describeOperation } from '../../shared/operations/form/describe.ts';
import type { OperationName } from '../../shared/operations/operation-name.ts';
import { medium } from '../fixtures/medium.ts';

type Values = FormValues<OperationName>;
type Own = NonNullable<ComparedInput['own']>;

const noOwn: Own = { write: () => ({}), read: () => ({}) };

/** Creates an operation's form with the mapping that its panel uses. */
function formOf(name: OperationName, own: Own, changes: Partial<Values> = {}) {
  const values = { input: emptyInputs[name], params: {}, extraBody: '', ...changes };
  const described = describeOperation(name);
  const state = { values, model: 'm', own: own.write(values.input) };
  const media = new Map([photo].map((item) => [item.id, item]));
  const input = collectInput(described, state);
  const body = writeShownBody(name, input, media);
  const hold = (request: JsonObject) => ({
    ...request,
    ...own.write({ ...values.input, ...own.read(request) }),
  });
  return {
    body,
    edit: (after: JsonObject, before = body) => editForm(described, state, { before, after, hold }),
  };
}

const photo = medium({ id: 'p'.repeat(22), name: 'photo.png', type: 'image/png', sizeBytes: 1234 });
const nothing = {
  fields: { params: {} },
  model: null,
  own: null,
};

describe('the JSON of a form', () => {
  it('changes nothing unless the user edits it', () => {
    const { body, edit } = formOf('chat', noOwn, {
      params: { format: { value: 'messages' }, seed: { value: 1 } },
    });
    expect(body).toEqual({ model: 'm', messages: [], max_tokens: 4096, stream: true });
    expect(edit(body)).toEqual(nothing);
  });

  it('sets and clears fields, and keeps fields that the body lacks', () => {
    const { body, edit } = formOf('chat', noOwn, {
      params: {
        format: { value: 'messages' },
        seed: { value: 1 },
        temperature: { value: 0.5, text: '.5' },
        max_completion_tokens: { value: 9 },
      },
    });
    const { temperature: _, ...rest } = body;
    expect(edit({ ...rest, max_tokens: 10, model: 'other' })).toEqual({
      fields: { params: { max_completion_tokens: { value: 10 }, temperature: { off: true } } },
      model: 'other',
      own: null,
    });
  });

  it('moves unknown fields and invalid values to the extra body fields and back', () => {
    const { body, edit } = formOf('chat', noOwn, { extraBody: '{"top_k":3,"user":"u"}' });
    expect(body).toMatchObject({ top_k: 3, user: 'u' });
    const added = edit({ ...body, min_p: 0.1, temperature: 5 }).fields.extraBody ?? '';
    expect(JSON.parse(added)).toEqual({ top_k: 3, user: 'u', min_p: 0.1, temperature: 5 });
    const { top_k: _, ...less } = body;
    const taken = edit({ ...less, user: 'v' }).fields;
    expect(taken).toMatchObject({ params: { user: { value: 'v' } }, extraBody: '' });
  });

  it('writes the panel’s own fields, and sends exactly those', () => {
    const { own = noOwn } = comparedRerank;
    const { body, edit } = formOf('rerank', own, {
      input: { query: 'q', documents: 'a\nb', columns: {}, labels: {} },
    });
    const asked = { query: 'Q', documents: ['a', 'b'] };
    expect(edit({ ...body, query: 'Q' })).toEqual({ ...nothing, own: asked });
    const documents = [{ text: 'a', id: 7 }];
    const changed = edit({ ...body, documents });
    expect(changed.own).toEqual({ query: 'q', documents });
    expect(JSON.parse(changed.fields.extraBody ?? '')).toEqual({ documents });
  });

  it('shows files by name, and keeps them as references', () => {
    const { own = noOwn } = comparedImage;
    const images = [{ mediaId: photo.id, mimeType: 'image/png' }];
    const input = { ...emptyInputs.image, prompt: 'Night', images };
    const { body, edit } = formOf('image', own, { input });
    const text = JSON.stringify(body);
    expect(text).toContain(`"<base64 of photo.png, 1.2 kB, media:${photo.id}>"`);
    const after: JsonObject = JSON.parse(text.replace('Night', 'Day'));
    expect(own.read(edit(after).own ?? {})).toMatchObject({ prompt: 'Day', images });
  });

  it('shows the files of a form as references', () => {
    const { own = noOwn } = comparedVideo;
    const image = `media:${photo.id}`;
    const { body, edit } = formOf('video', own, {
      params: { format: { value: 'videos' } },
      input: { ...emptyInputs.video, prompt: 'Sea', image },
    });
    expect(body).toEqual({ model: 'm', prompt: 'Sea', input_reference: image });
    expect(edit({ model: 'm', prompt: 'Sea', seconds: '4' })).toMatchObject({
      fields: { params: { duration: { value: 4 } } },
      own: { prompt: 'Sea' },
    });
  });

  it('marks a file that moves to an extra body field', () => {
    const { own = noOwn } = comparedVideo;
    const { body, edit } = formOf('video', own, {
      input: { ...emptyInputs.video, image: `media:${photo.id}` },
    });
    const { image = null, ...rest } = body;
    const { extraBody = '' } = edit({ ...rest, mask: image }).fields;
    expect(JSON.parse(extraBody)).toEqual({ mask: { $file: `media:${photo.id}`, as: 'data-url' } });
  });

  it('keeps changes made to the form while its JSON was edited', () => {
    const { body, edit } = formOf('completion', noOwn, { params: { n: { value: 2 } } });
    const { n: _, ...before } = body;
    expect(edit({ ...before, top_p: 0.5 }, before).fields).toEqual({
      params: { top_p: { value: 0.5 } },
    });
  });
});
