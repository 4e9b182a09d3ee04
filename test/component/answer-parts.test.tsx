import { beforeEach, describe, expect, it } from 'vitest';

import { uploadMedia } from '../../renderer/media/uploads/upload-media.ts';
import type { TreeMessage } from '../../shared/conversation.ts';
import type { Media } from '../../shared/media.ts';
import type { Content } from '../../shared/operations/chat/message.ts';
import type { Figures, RunSummary } from '../../shared/run.ts';
import { medium } from '../fixtures/medium.ts';
import { makeRun, moveRun, requests, storedMedia } from './chat-fake-main.ts';
import { choice, openChat, openReadyChat, resetChat, showExchange } from './chat-fixtures.tsx';

const [audioId = '', fileId = ''] = ['S', 'F'].map((letter) => letter.repeat(22));
const sound = medium({ id: audioId, kind: 'audio', type: 'audio/wav', name: 'gate.wav' });
const file = medium({
  id: fileId,
  kind: 'file',
  type: 'text/csv',
  name: 'a-long-prompt.csv',
});
const contentWith = (imageId: string): Content => [
  { type: 'text', text: 'Here is **the gate**:' },
  { type: 'image_url', image_url: { url: `media:${imageId}` } },
  { type: 'text', text: 'and how it sounds.' },
  { type: 'input_audio', input_audio: { data: `media:${audioId}`, format: 'wav' } },
  { type: 'file', file: { filename: 'counts.csv', file_data: `media:${fileId}` } },
  { type: 'video_url', video_url: { url: 'https://x.example/film.mp4' } },
];
const figures: Figures = { model: 'm', usage: null, finishReasons: ['stop'], noResult: null };

beforeEach(() => {
  resetChat({ listOpen: false });
  for (const each of [sound, file]) storedMedia.set(each.id, each);
});

async function storeImage(): Promise<Media> {
  const canvas = new OffscreenCanvas(40, 20);
  canvas.getContext('2d')?.fillRect(0, 0, 40, 20);
  const image = await uploadMedia(new File([await canvas.convertToBlob()], 'gate.png'));
  storedMedia.set(image.id, image);
  return image;
}

function settled(answer: Partial<TreeMessage>, fields: Partial<RunSummary> = {}): void {
  showExchange('Show me', { run: makeRun({ figures, ...fields }), ...answer });
}

describe('an answer with other parts than text', () => {
  it('shows each part once and in order', async () => {
    const image = await storeImage();
    settled({ content: contentWith(image.id) }, { media: [image, sound, file] });
    const { answer } = await openChat();
    await expect.element(answer.getByRole('img', { name: 'gate.png' })).toBeInTheDocument();
    await expect.element(answer.getByText('counts.csv')).toBeVisible();
    const shown = answer.element().textContent;
    const places = ['the gate', 'and how it sounds.', 'counts.csv', 'https://x.example/film.mp4'];
    expect(places.map((words) => shown.indexOf(words))).toEqual(
      places.map((words) => shown.indexOf(words)).toSorted((one, other) => one - other),
    );
    expect(answer.getByRole('img', { name: 'gate.png' }).elements()).toHaveLength(1);
    expect(shown).not.toContain('a-long-prompt.csv');
    expect(answer.getByRole('group', { name: /gate\.wav/ }).elements().length).toBeLessThan(2);
  });

  it('shows parts while it streams', async () => {
    const image = await storeImage();
    const { message, button, answer } = await openReadyChat();
    await message.fill('Show me');
    await button('Run').click();
    await expect.poll(() => requests.size).toBe(1);
    const [runId = ''] = requests.keys();
    const part = { type: 'image_url' as const, image_url: { url: `media:${image.id}` } };
    moveRun(
      runId,
      choice([{ type: 'text', text: 'Here: ' }, part, { type: 'text', text: ' and' }]),
      { media: [image] },
    );
    await expect.element(answer.getByRole('img', { name: 'gate.png' })).toBeInTheDocument();
    expect(answer.getByRole('img', { name: 'gate.png' }).elements()).toHaveLength(1);
    await expect.element(answer).toMatchTextContent(/Here:.*and/s);
  });

  it('hides the data of an image in the text until the image is stored', async () => {
    const image = await storeImage();
    const { message, button, answer } = await openReadyChat();
    await message.fill('Show me');
    await button('Run').click();
    await expect.poll(() => requests.size).toBe(1);
    const [runId = ''] = requests.keys();
    moveRun(runId, choice(`Here: ![x](data:image/png;base64,iVBORw0KGgo${'A'.repeat(999)}`));
    await expect.element(answer.getByText('Receiving image…')).toBeVisible();
    expect(answer.element().textContent).not.toContain('iVBOR');
    const [stored = expect.fail()] = choice(`Here: ![x](media:${image.id})`).choices;
    moveRun(runId, { choices: [{ ...stored, storedImages: [image.id] }] }, { media: [image] });
    await expect.element(answer.getByRole('img', { name: 'gate.png' })).toBeInTheDocument();
    expect(answer.element().textContent).not.toContain('media:');
  });

  it('shows the name that the gateway returned', async () => {
    settled({ content: 'Hi', name: 'Ada' });
    const { answer } = await openChat();
    await expect.element(answer.getByText('Ada')).toBeVisible();
  });
});

describe('warnings', () => {
  const warnings = ['The usage isn’t a JSON object.'];

  it('shows warnings once for several choices', async () => {
    const run = makeRun({ figures: { ...figures, warnings } });
    showExchange('Two', { run, content: 'Hi' }, { run, content: 'Hi' });
    const { answer } = await openChat();
    await expect.element(answer.getByRole('list', { name: 'Warnings' })).toBeVisible();
    expect(answer.getByRole('list', { name: 'Warnings' }).elements()).toHaveLength(1);
  });
});

describe('the details of an answer', () => {
  const usage = {
    prompt_tokens: 12,
    completion_tokens: 30,
    total_tokens: 42,
    prompt_tokens_details: { cached_tokens: 8 },
  };

  it('shows what the figures leave out on demand', async () => {
    const id = 'details';
    const state = { id: 'chatcmpl-1', created: 1_700_000_000, systemFingerprint: 'fp_1', usage };
    moveRun(id, state, { status: 'succeeded' });
    settled({ content: 'Hi' }, { id, figures: { ...figures, usage }, media: [] });
    const { button, screen } = await openChat();
    await expect.element(button('Details')).toBeVisible();
    const table = screen.getByRole('table', { name: 'Response details' });
    await expect.element(table).not.toBeInTheDocument();
    await button('Details').click();
    await expect.element(button('Details')).toHaveAttribute('aria-expanded', 'true');
    for (const [name, value] of [
      ['id', 'chatcmpl-1'],
      ['created', /^1700000000/],
      ['system_fingerprint', 'fp_1'],
      ['total_tokens', '42'],
      ['prompt_tokens_details.cached_tokens', '8'],
    ] as const) {
      await expect
        .element(table.getByRole('row', { name: new RegExp(`^${name} `) }).getByRole('cell'))
        .toMatchTextContent(value);
    }
    expect(table.getByText('ended with [DONE]').elements()).toHaveLength(0);
    await button('Details').click();
    await expect.element(table).not.toBeInTheDocument();
  });
});
