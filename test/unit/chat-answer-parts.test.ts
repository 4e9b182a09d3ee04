import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../shared/json.ts';
import { createMediaReference } from '../../shared/media.ts';
import { toAnswerContent } from '../../shared/operations/chat/answer-parts.ts';
import { chatOperation } from '../../shared/operations/chat/chat.ts';
import { delta, done, fold, last, type ViewedState } from './support/chat-events.ts';
import { body, finish } from './support/fold-events.ts';

const ref = createMediaReference('A'.repeat(22));
const image = { type: 'image_url', image_url: { url: ref } };
const text = (words: string) => ({ type: 'text', text: words });

function whole(content: unknown, more: JsonObject = {}): ViewedState {
  const message = { role: 'assistant', content, ...more };
  return fold(body({ choices: [{ index: 0, message, finish_reason: 'stop' }] }), finish);
}
/** Streams each content in a separate chunk. */
function stream(...contents: (string | object[])[]): ViewedState {
  return fold(...contents.map((content) => delta({ content })), last('stop'), done, finish);
}
function contentOf({ choices: [choice] }: ViewedState) {
  return choice && toAnswerContent(choice.content, choice.parts);
}

describe('an answer whose content is a list of parts', () => {
  const remote = { type: 'image_url', image_url: { url: 'https://x.example/a.png' } };
  const named = file({ filename: 'a.csv', file_data: ref, file_id: 'f-1' });
  it.each([
    ['an image', image, image],
    ['an image, its address alone', { type: 'image_url', image_url: ref }, image],
    ['an image of another name', { type: 'output_image', image_url: { url: ref } }, image],
    ['an image with its data beside', { type: 'image', data: ref, mime_type: 'image/png' }, image],
    ['an image in a source', { type: 'image', source: { type: 'base64', data: ref } }, image],
    ['an image without a type', { image_url: { url: ref, detail: 'low' } }, lowDetail()],
    ['an image to fetch', remote, remote],
    ['audio', audio('mp3'), audio('mp3')],
    ['audio of a longer name', audio('audio/mpeg'), audio('mp3')],
    ['audio named as an answer', { type: 'audio', audio: { data: ref, format: 'wav' } }, audio()],
    ['audio that cannot go back as audio', audio('opus'), file({ file_data: ref })],
    ['a video', video({ url: ref }), video({ url: ref })],
    ['a video, its address alone', { type: 'video_url', video_url: ref }, video({ url: ref })],
    ['a file with name and ID', named, named],
    ['a file by its ID', file({ file_id: 'f-1' }), file({ file_id: 'f-1' })],
  ])('keeps %s in the form that is sent back', (_name, received, kept) => {
    const state = whole([text('See '), received, text(' there.')]);
    expect(state.warnings).toEqual([]);
    expect(state.choices[0]?.content).toBe('See  there.');
    expect(contentOf(state)).toEqual([text('See '), kept, text(' there.')]);
  });

  it('joins streamed parts, with text cut anywhere', () => {
    const state = stream([text('Se')], [text('e '), image, text(' th')], 'ere', [text('.')]);
    expect(contentOf(state)).toEqual([text('See '), image, text(' there.')]);
  });

  it('counts content parts without text as an answer', () => {
    const state = whole([image]);
    expect(state.choices[0]).toMatchObject({ content: '', parts: [{ part: image, at: 0 }] });
    expect(chatOperation.noResult(state, [])).toBeNull();
    const before = fold(delta({ role: 'assistant' }));
    expect(chatOperation.hasNewOutput(before, fold(delta({ content: [image] })))).toBe(true);
  });

  it('appends images from beside the content to the text', () => {
    expect(contentOf(whole('Here:', { images: [image] }))).toEqual([text('Here:'), image]);
    expect(contentOf(whole('Here:', { images: [ref] }))).toEqual([text('Here:'), image]);
  });

  it('keeps a part in place when tags turn the text before it into reasoning', () => {
    const between = stream('I see.\n</thi', 'nk>\n\nOne: ', [image], ' and two.');
    expect(between.choices[0]).toMatchObject({ reasoning: 'I see.', content: 'One:  and two.' });
    expect(contentOf(between)).toEqual([text('One: '), image, text(' and two.')]);
    const first = stream('A dog.\n', [image], '</think>\nA cat.');
    expect(first.choices[0]).toMatchObject({ reasoning: 'A dog.', content: 'A cat.' });
    expect(contentOf(first)).toEqual([image, text('A cat.')]);
  });

  it.each([
    [
      'an unknown type',
      { type: 'citation', source: {} },
      'The answer contains a part of type “citation” that Gatehouse can’t show. Open the inspector to see it.',
    ],
    [
      'invalid base64',
      { type: 'image_url', image_url: { url: 'data:image/png;base64,%%' } },
      'The image in the answer couldn’t be read.',
    ],
    ['no content', { type: 'file', file: {} }, 'The file in the answer couldn’t be read.'],
    [
      'an address that could run a script',
      video({ url: 'javascript:alert(1)' }),
      'The video in the answer couldn’t be read.',
    ],
  ])('warns about %s and keeps the rest', (_name, part, warning) => {
    const state = whole([text('A'), part, text('B')]);
    expect(state.warnings).toEqual([warning]);
    expect(contentOf(state)).toBe('AB');
  });

  it('lists parts that the gateway sent by address or ID', () => {
    const state = whole([image, file({ file_id: 'f-1' }), video({ url: 'https://x.example/v' })]);
    expect(chatOperation.response(state).sections).toEqual([
      { title: 'Attachments', text: 'f-1\nhttps://x.example/v', format: 'plain' },
    ]);
  });

  it('treats a refusal among the parts as a refusal', () => {
    const state = whole([{ type: 'refusal', refusal: 'No.' }]);
    expect(state.choices[0]).toMatchObject({ content: '', refusal: 'No.' });
    expect(state.warnings).toEqual([]);
  });
});

describe('the name of an answer', () => {
  it('reads it from a document or from the first chunk that has one', () => {
    expect(whole('Hi', { name: 'Ada' }).choices[0]?.name).toBe('Ada');
    const named = [delta({ name: 'Ada', content: 'H' }), delta({ name: 'Bob', content: 'i' })];
    expect(fold(...named).choices[0]).toMatchObject({ name: 'Ada', content: 'Hi' });
  });

  it('returns null if the gateway sends none', () => {
    const state = fold(delta({ content: 'a', name: null }));
    expect(state.choices[0]?.name).toBeNull();
  });
});

function lowDetail() {
  return { type: 'image_url', image_url: { url: ref, detail: 'low' } };
}
function audio(format = 'wav') {
  return { type: 'input_audio', input_audio: { data: ref, format } };
}
function video(inside: object) {
  return { type: 'video_url', video_url: inside };
}
function file(inside: object) {
  return { type: 'file', file: inside };
}
