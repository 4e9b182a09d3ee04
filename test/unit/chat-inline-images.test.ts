import { describe, expect, it } from 'vitest';
import { toAnswerContent } from '../../shared/operations/chat/answer-parts.ts';
import { viewAnswer } from '../../shared/operations/chat/answer-view.ts';
import { chatOperation } from '../../shared/operations/chat/chat.ts';
import { createChatChoice } from '../../shared/operations/chat/delta.ts';
import {
  findDataUrls,
  hideDataUrls,
  replaceImages,
  splitAtImages,
} from '../../shared/operations/chat/inline-images.ts';
import { medium } from '../fixtures/medium.ts';

const id = 'Ab3_-Ab3_-Ab3_-Ab3_-Ab';
const png = `iVBORw0KGgo${'A'.repeat(301)}`;
const url = `data:image/png;base64,${png}`;
const stored = { url: `media:${id}` };

/** Replaces every data URL with the same media ID. */
function store(text: string): string {
  const ranges = findDataUrls(text).toReversed();
  return replaceImages(
    text,
    ranges.map((range) => ({ ...range, mediaId: id })),
  );
}

describe('a data URL in the text of an answer', () => {
  it.each<[string, string, ReturnType<typeof splitAtImages>]>([
    ['alone', `![x](${url})`, [stored]],
    ['between words', `Here: ![A gate](${url}) Done.`, ['Here: ', stored, ' Done.']],
    ['with a title', `![x](${url} "A gate")`, [stored]],
    ['in angle brackets', `![x](<${url}>)`, [stored]],
    ['as a link', `[Download](${url})`, [stored]],
    ['in HTML', `<img alt="x" src="${url}" width="9"> Done`, [stored, ' Done']],
    ['bare', `Here:\n${url}\nDone`, ['Here:\n', stored, '\nDone']],
    ['twice', `![a](${url})\n\n![b](${url})`, [stored, stored]],
    ['in wrapped lines', `![x](${url.replace(/.{76}/g, '$&\n')})`, [stored]],
    ['without its end', `Here: ![x](${url}`, ['Here: ', stored]],
    ['of another type', '![x](data:image/jpeg;base64,/9j/4AAQSkZJRgABAQ==)', [stored]],
    ['beside code', `\`a\` ![x](${url}) \`b\``, ['`a` ', stored, ' `b`']],
    ['beside a stray backtick', `Don\`t.\n\n![x](${url})`, ['Don`t.\n\n', stored]],
    ['after a code block', `\`\`\`\n1\n\`\`\`\n![x](${url})`, ['```\n1\n```\n', stored]],
  ])('becomes an image %s', (_, text, expected) => {
    expect(splitAtImages(store(text), [id])).toEqual(expected);
    expect(splitAtImages(text, []).filter((piece) => typeof piece === 'string')).toEqual(
      expected.filter((piece) => typeof piece === 'string'),
    );
    expect(hideDataUrls(text)).not.toContain(png.slice(0, 100));
  });

  it.each([
    ['in a code block', `\`\`\`md\n![x](${url})\n\`\`\``],
    ['in an open code block', `~~~\n![x](${url})`],
    ['in a code block of a list', `1. \`\`\`\n   ![x](${url})\n   \`\`\``],
    ['in inline code', `Write \`![x](${url})\`.`],
    ['in inline code with two backticks', `Write \`\` ![x](${url}) \`\`.`],
    ['that is an example', 'Use data:image/png;base64,iVBORw0KGgo= in src.'],
    ['that is made up', `![x](data:image/png;base64,${'abcd'.repeat(99)})`],
    ['of another kind', `[x](data:text/plain;base64,${png})`],
    ['that is a reference of the model', `![x](media:${id})`],
  ])('stays text %s', (_, text) => {
    expect(store(text)).toBe(text);
    expect(splitAtImages(text, [])).toEqual([text]);
    expect(hideDataUrls(text)).toBe(text);
  });

  it('hides it while the answer streams, and shows an image afterwards', () => {
    const text = `Here:\n\n![x](${url})\n\nDone.`;
    const choice = { ...createChatChoice(0), message: { content: text.slice(0, -30) } };
    expect(viewAnswer(choice).content).toBe('Here:\n\n*Receiving image…*');
    const message = { content: store(text) };
    const view = viewAnswer({ ...choice, message, storedImages: [id], ended: true });
    expect(toAnswerContent(view.content, view.parts)).toEqual([
      { type: 'text', text: 'Here:\n\n' },
      { type: 'image_url', image_url: stored },
      { type: 'text', text: '\n\nDone.' },
    ]);
  });

  it('becomes an image whether the fold reads one event at a time or all together', () => {
    const first = `![a](${url})\n${url}`;
    const second = `${url} ![x](${url})`;
    const parts = [second, url].map((text) => ({ type: 'text', text }));
    const choices = [first, parts, 'No image'].map((content, index) => ({
      ...createChatChoice(index),
      message: { content },
    }));
    const state = { ...chatOperation.initialState, choices };
    const places: [choice: number, part: number | null, text: string][] = [
      [0, null, first],
      [1, 0, second],
      [1, 1, url],
    ];
    const events = places
      .flatMap(([choice, part, text]) =>
        findDataUrls(text)
          .toReversed()
          .map((range) => ({ choice, part, ...range })),
      )
      .map((inText, at) => ({
        kind: 'media' as const,
        exchange: 0,
        media: medium({ id: `image-${at}-0123456789`, kind: 'image' }),
        inText,
        seq: at + 1,
        atMs: 0,
      }));
    const together = chatOperation.foldMedia?.(state, events);
    expect(together).toEqual(events.reduce(chatOperation.fold, state));
    expect(together?.choices.map((choice) => choice.storedImages?.length)).toEqual([
      2,
      3,
      undefined,
    ]);
    expect(JSON.stringify(together)).not.toContain('iVBOR');
  });

  it('finds it in megabytes of text without a stack overflow', () => {
    const large = `![x](data:image/png;base64,iVBORw0KGgo${'A'.repeat(20_000_000)})`;
    expect(findDataUrls(large)).toHaveLength(1);
  });
});
