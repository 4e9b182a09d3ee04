import { expect, it } from 'vitest';
import type { JsonObject } from '../../shared/json.ts';
import { findFormatDefault, findUnsentFields } from '../../shared/operations/formats.ts';

it('lists what a remix doesn’t send, besides what its format never sends', () => {
  const unsent = (request: Record<string, string>) => [
    ...findUnsentFields('video', request).fields,
  ];
  expect(unsent({ format: 'videos' })).toEqual(['n', 'response_format']);
  expect(unsent({ format: 'videos', remix_video_id: ' ' })).toEqual(['n', 'response_format']);
  const remix = unsent({ format: 'videos', remix_video_id: 'video_1' });
  expect(remix).toEqual(expect.arrayContaining(['duration', 'width', 'image', 'metadata', 'seed']));
  for (const sent of ['model', 'prompt', 'variants', 'remix_video_id']) {
    expect(remix).not.toContain(sent);
  }
  // The default format ignores the ID.
  expect(unsent({ remix_video_id: 'video_1' })).toEqual(['remix_video_id', 'variants']);
});

it('returns what a format sends for an unset field', () => {
  const sent = (request: JsonObject, field: string) => findFormatDefault('chat', request, field);
  expect(sent({ format: 'messages' }, 'max_tokens')).toBe(4096);
  expect(sent({ format: 'messages', max_completion_tokens: 9 }, 'max_tokens')).toBeUndefined();
  expect(sent({}, 'max_tokens')).toBeUndefined();
  expect(sent({ format: 'responses' }, 'store')).toBe(false);
});
