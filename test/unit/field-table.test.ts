import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { JsonObject } from '../../shared/json.ts';
import { completionsFields } from '../../shared/operations/chat/completions-fields.ts';
import { messagesFields } from '../../shared/operations/chat/messages/fields.ts';
import { getChatRequestSchema } from '../../shared/operations/chat/request.ts';
import { responsesFields } from '../../shared/operations/chat/responses/fields.ts';
import {
  type BodyKind,
  type BodyStep,
  decodeFields,
  encodeFields,
  type FieldTable,
  listBodyFields,
  listUnsentFields,
} from '../../shared/operations/field-table.ts';
import { geminiFields } from '../../shared/operations/image/gemini-fields.ts';
import { imagesFields } from '../../shared/operations/image/images/fields.ts';
import { getImageRequestSchema } from '../../shared/operations/image/request.ts';
import { generationsFields } from '../../shared/operations/video/generations-fields.ts';
import { getVideoRequestSchema } from '../../shared/operations/video/request.ts';
import { videosFields } from '../../shared/operations/video/videos-format.ts';

const added = { min_p: z.number().optional() };
const chatSchema = getChatRequestSchema().extend(added);
const imageSchema = getImageRequestSchema().extend(added);
const videoSchema = z.object({ ...getVideoRequestSchema().shape, ...added });

type Chat = z.infer<typeof chatSchema>;
type Image = z.infer<typeof imageSchema>;
type Video = z.infer<typeof videoSchema>;

describe('a new parameter', () => {
  it('doesn’t compile until every format maps it', () => {
    const incomplete: [FieldTable<Chat>[], FieldTable<Image>[], FieldTable<Video>[]] = [
      [
        // @ts-expect-error: `min_p` is missing.
        completionsFields,
        // @ts-expect-error: `min_p` is missing.
        messagesFields,
        // @ts-expect-error: `min_p` is missing.
        responsesFields,
      ],
      [
        // @ts-expect-error: `min_p` is missing.
        geminiFields,
        // @ts-expect-error: `min_p` is missing.
        imagesFields,
      ],
      [
        // @ts-expect-error: `min_p` is missing.
        generationsFields,
        // @ts-expect-error: `min_p` is missing.
        videosFields,
      ],
    ];
    expect(incomplete.flat().map(encodeAdded)).toEqual([{}, {}, {}, {}, {}, {}, {}]);

    const complete: FieldTable<Chat>[] = [
      { ...completionsFields, min_p: 'same' },
      { ...messagesFields, min_p: 'unsent' },
      { ...responsesFields, min_p: { at: ['sampling', 'min_p'] } },
    ];
    const sampling = { min_p: 0.1 };
    expect(complete.map(encodeAdded)).toEqual([sampling, {}, { sampling }]);
  });

  it('can only share the path of a field that exists', () => {
    const table: FieldTable<Chat> = {
      ...completionsFields,
      // @ts-expect-error: The field doesn’t exist.
      min_p: { with: 'min_q' },
    };
    expect(listBodyFields(table)).not.toContain('min_p');
  });
});

/** Returns the fields that are sent only because the request has the new parameter. */
function encodeAdded(table: FieldTable<object>): JsonObject {
  const context = { wireNames: {}, kind: 'json' } as const;
  const without = encodeFields(table, { ...context, request: {} });
  const sent = encodeFields(table, { ...context, request: { min_p: 0.1 } });
  return Object.fromEntries(Object.entries(sent).filter(([name]) => !(name in without)));
}

interface Request {
  format?: string;
  name?: string;
  limit?: number;
  newer?: number;
  size?: number;
  tone?: string;
  secret?: string;
  mask?: string;
  wide?: number;
  high?: number;
}

const square: BodyStep = {
  writes: ['area'],
  encode: (body, { request: { wide = null, high = null } }) => ({ ...body, area: [wide, high] }),
  decode: ({ area, ...body }) => {
    const [wide = null, high = null] = Array.isArray(area) ? area : [];
    return { fields: { wide, high }, body };
  },
  note: '',
};

const table: FieldTable<Request> = {
  limit: { default: 5 },
  newer: { with: 'limit' },
  name: 'same',
  size: { at: ['output', 'size'], encode: String, decode: Number },
  tone: { at: ['output', 'tone'] },
  secret: 'unsent',
  mask: { only: 'form' },
  wide: { step: square },
  high: { step: square },
};

function encode(request: JsonObject, wireNames = {}, kind: BodyKind = 'json') {
  return encodeFields(table, { request, wireNames, kind });
}

function decode(body: JsonObject, current: JsonObject = {}) {
  return decodeFields(table, body, { wireNames: {}, current }).request;
}

describe('a field table', () => {
  it.each<[string, JsonObject, JsonObject]>([
    ['a default', {}, { limit: 5 }],
    ['the later of two fields in one place', { newer: 7, limit: 6 }, { limit: 7 }],
    ['nested fields', { size: 1, tone: 'a' }, { output: { size: '1', tone: 'a' }, limit: 5 }],
    ['no field without a counterpart', { secret: 's' }, { limit: 5 }],
    ['no field of a form', { mask: 'm' }, { limit: 5 }],
    ['no unknown field', { other: 1 }, { limit: 5 }],
  ])('sends %s', (_name, request, sent) => {
    expect(encode(request)).toEqual({ ...sent, area: [null, null] });
  });

  it('sends fields under their other names, and those of a form', () => {
    expect(encode({ name: 'n', mask: 'm' }, { name: 'title' }, 'form')).toMatchObject({
      title: 'n',
      mask: 'm',
    });
  });

  it('reads a body back', () => {
    const request = { size: 1, tone: 'a', name: 'n', limit: 6, wide: 2, high: 3 };
    expect(decode(encode(request))).toEqual(request);
    expect(decode(encode(request), { newer: 1 })).toEqual({
      size: 1,
      tone: 'a',
      name: 'n',
      newer: 6,
      wide: 2,
      high: 3,
    });
  });

  it('leaves a field unset if the body has its default', () => {
    expect(decode({ limit: 5 })).toEqual({ wide: null, high: null });
  });

  it('lists what it sends and doesn’t send', () => {
    expect(listBodyFields(table)).toEqual(['limit', 'name', 'output', 'mask', 'area']);
    expect(listBodyFields(table, 'json')).not.toContain('mask');
    expect([...listUnsentFields(table, {})]).toEqual(['secret']);
  });
});
