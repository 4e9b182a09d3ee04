import { beforeEach, describe, expect, it } from 'vitest';
import { userEvent } from 'vitest/browser';

import { selectConversation } from '../../renderer/features/chat/chat-store.ts';
import { sendToPanel } from '../../renderer/media/hand-over/hand-over.ts';
import type { Media } from '../../shared/media.ts';
import { medium } from '../fixtures/medium.ts';
import { addConversation, makeMessage, makeRun, sent, storedMedia } from './chat-fake-main.ts';
import { openChat, resetChat, showExchange } from './chat-fixtures.tsx';
import { heicFile, pictureFile, tiffFile } from './media-fixtures.ts';

const ID = 'AAAAAAAAAAAAAAAAAAAAAA';

beforeEach(() => resetChat({ listOpen: false }));

function storeMedium(fields: Partial<Media> = {}): Media {
  const stored = medium({
    ...{ type: 'application/pdf', name: 'paper.pdf', sizeBytes: 3000 },
    ...fields,
  });
  storedMedia.set(stored.id, stored);
  return stored;
}

describe('attachments', () => {
  it('shows encoded sizes and sends attachments after the text', async () => {
    const medium = storeMedium();
    const { screen, button } = await openChat();
    sendToPanel('chat', { kind: 'media', media: medium });
    await expect
      .element(screen.getByRole('group', { name: 'paper.pdf' }))
      .toMatchTextContent(/4\.0 kB encoded/);
    await screen.getByRole('textbox', { name: 'Message', exact: true }).fill('Read it');
    await button('Run').click();
    await expect
      .element(screen.getByRole('article', { name: 'user' }))
      .toMatchTextContent(/paper\.pdf/);
    expect(sent[0]?.message?.content).toEqual([
      { type: 'text', text: 'Read it' },
      { type: 'file', file: { filename: 'paper.pdf', file_data: `media:${ID}` } },
    ]);
    await expect.element(screen.getByRole('list', { name: 'Attachments' })).not.toBeInTheDocument();
    // Neither stays for the next new conversation.
    selectConversation(null);
    await expect.element(screen.getByText('Start a conversation')).toBeVisible();
    await expect
      .element(screen.getByRole('textbox', { name: 'Message', exact: true }))
      .toHaveValue('');
    await expect.element(screen.getByRole('list', { name: 'Attachments' })).not.toBeInTheDocument();
  });

  it('adds each file from another panel once, with Undo', async () => {
    const medium = storeMedium();
    const { screen, button } = await openChat();
    const message = screen.getByRole('textbox', { name: 'Message', exact: true });
    sendToPanel('chat', { kind: 'media', media: medium });
    await expect.element(screen.getByText('paper.pdf attached to your message')).toBeVisible();
    await expect.element(message).toHaveFocus();
    sendToPanel('chat', { kind: 'media', media: medium });
    await expect.element(screen.getByText('paper.pdf is already attached.')).toBeVisible();
    await button('Undo').click();
    await expect.element(screen.getByRole('group', { name: 'paper.pdf' })).not.toBeInTheDocument();
    sendToPanel('chat', { kind: 'media', media: medium });
    await expect.element(screen.getByText('paper.pdf attached to your message')).toBeVisible();
    await button('Dismiss').click();
    sendToPanel('chat', { kind: 'text', text: 'What was said', runId: null });
    await expect.element(message).toHaveValue('What was said');
    await button('Undo').click();
    await expect.element(message).toHaveValue('');
    await expect.element(screen.getByRole('group', { name: 'paper.pdf' })).toBeVisible();
  });

  it('sends image URLs with detail and without text', async () => {
    const { screen, button } = await openChat();
    await button('Add from URL or ID').click();
    await screen.getByRole('menuitem', { name: 'Image URL…' }).click();
    await screen.getByRole('textbox', { name: 'Image URL' }).fill('https://example.com/a.png');
    await userEvent.keyboard('{Enter}');
    await screen.getByRole('combobox', { name: 'Detail' }).selectOptions('low');
    await button('Run').click();
    await expect.poll(() => sent.length).toBe(1);
    expect(sent[0]?.message?.content).toEqual([
      { type: 'image_url', image_url: { url: 'https://example.com/a.png', detail: 'low' } },
    ]);
    await expect.element(button('Load image from example.com')).toBeVisible();
  });
});

it('shows files of an answer without text', async () => {
  const run = makeRun({ media: [storeMedium()], status: 'succeeded' });
  showExchange('Draw it', { run });
  const { screen } = await openChat();
  await expect.element(screen.getByRole('group', { name: 'paper.pdf' })).toBeVisible();
  await expect.element(screen.getByText('This answer is empty.')).not.toBeInTheDocument();
});

it('plays the audio of each choice and shows other media', async () => {
  const spoken = ['one', 'two'].map((name) =>
    storeMedium({ id: `${name}${ID.slice(3)}`, name: `${name}.pcm`, type: 'audio/pcm' }),
  );
  const run = makeRun({ media: [...spoken, storeMedium()], conversationId: 'talk' });
  const asked = makeMessage({ content: 'Say it' });
  const answers = spoken.map(({ id, name }, choiceIndex) =>
    makeMessage({
      parentId: asked.id,
      role: 'assistant',
      run,
      choiceIndex,
      audio: { id: null, media: id, transcript: `In ${name}`, expiresAt: null },
    }),
  );
  const next = makeMessage({ parentId: answers[0]?.id ?? null, content: 'Go on' });
  selectConversation(addConversation([asked, ...answers, next], { id: 'talk' }).id);
  const { screen } = await openChat();
  await expect.element(screen.getByRole('group', { name: 'paper.pdf' })).toBeVisible();
  await expect.element(screen.getByText('In one.pcm')).toBeVisible();
  await expect.element(screen.getByRole('group', { name: 'two.pcm' })).not.toBeInTheDocument();
});

describe('a text file', () => {
  const source = 'export const answer = 42;\n';
  const drop = (screen: Awaited<ReturnType<typeof openChat>>['screen']) =>
    userEvent.upload(
      screen.getByLabelText('Attach files'),
      new File([source], 'answer.ts', { type: 'video/mp2t' }),
    );

  it('goes in as fenced text and is folded in the sent message', async () => {
    const { screen, button } = await openChat();
    await drop(screen);
    const chip = screen.getByRole('group', { name: 'answer.ts' });
    await expect.element(chip).toMatchTextContent(/26 characters/);
    await screen.getByRole('textbox', { name: 'Message', exact: true }).fill('Explain');
    await button('Run').click();
    await expect.poll(() => sent.length).toBe(1);
    expect(sent[0]?.message?.content).toEqual([
      { type: 'text', text: 'Explain' },
      { type: 'text', text: `answer.ts\n\`\`\`ts\n${source}\`\`\`` },
    ]);
    const article = screen.getByRole('article', { name: 'user' });
    await expect.element(article.getByText('export const')).not.toBeInTheDocument();
    await article.getByText('answer.ts').click();
    await expect.element(article.getByRole('code')).toMatchTextContent(/export const answer = 42/);
  });

  it('can go in as a file and as text again, by keyboard', async () => {
    const { screen, button } = await openChat();
    await drop(screen);
    const choice = screen.getByRole('combobox', { name: 'Send as' });
    await expect.element(choice).toHaveValue('text');
    choice.element().focus();
    await userEvent.keyboard('{ArrowDown}');
    await expect.element(choice).toHaveValue('file');
    await expect.element(choice).toHaveFocus();
    await userEvent.keyboard('{ArrowUp}');
    await expect.element(choice).toHaveValue('text');
    await expect.element(choice).toHaveFocus();
    await choice.selectOptions('file');
    await expect
      .element(screen.getByRole('group', { name: 'answer.ts' }))
      .toMatchTextContent(/encoded/);
    await button('Run').click();
    await expect
      .poll(() => sent[0]?.message?.content)
      .toMatchObject([
        {
          type: 'file',
          file: { filename: 'answer.ts', file_data: expect.stringMatching(/^media:/) },
        },
      ]);
  });
});

describe('an image that models may reject', () => {
  it('is scaled on request, says what is sent, and goes back by keyboard', async () => {
    const { screen, button } = await openChat();
    await userEvent.upload(
      screen.getByLabelText('Attach files'),
      await pictureFile(8192, 16, 'wide.png'),
    );
    const wide = screen.getByRole('group', { name: 'wide.png' });
    await expect.element(wide).toMatchTextContent(/8192 × 16 · .* encoded · over 8,000 pixels/);
    button('Scale to 2,048 px').element().focus();
    await userEvent.keyboard('{Enter}');
    await expect.element(wide).toMatchTextContent(/2048 × 4 · .* encoded · original: 8192 × 16/);
    await expect.element(button('Use original')).toHaveFocus();
    await userEvent.keyboard('{Enter}');
    await expect.element(wide).toMatchTextContent(/8192 × 16/);
    await expect.element(button('Scale to 2,048 px')).toHaveFocus();
  });

  it('is converted from TIFF to JPEG and sent', async () => {
    const { screen, button } = await openChat();
    await userEvent.upload(screen.getByLabelText('Attach files'), tiffFile(6, 4, 'scan.tif'));
    const scan = screen.getByRole('group', { name: 'scan.tif' });
    await expect.element(scan).toMatchTextContent(/6 × 4/);
    await button('Convert to JPEG').click();
    const jpeg = screen.getByRole('group', { name: 'scan.jpg' });
    await expect.element(jpeg).toMatchTextContent(/6 × 4 · .* encoded · original: 6 × 4/);
    await expect.element(jpeg.getByRole('img', { name: 'scan.jpg' })).toBeVisible();
    await button('Run').click();
    await expect.poll(() => sent.length).toBe(1);
    expect(sent[0]?.message?.content).toMatchObject([{ type: 'image_url' }]);
  });

  it('is converted from HEIC to JPEG and sent', async () => {
    const { screen, button } = await openChat();
    await userEvent.upload(screen.getByLabelText('Attach files'), heicFile('phone.heic'));
    await expect.element(screen.getByRole('group', { name: 'phone.heic' })).toBeVisible();
    await button('Convert to JPEG').click();
    const jpeg = screen.getByRole('group', { name: 'phone.jpg' });
    const shown = jpeg.getByRole('img', { name: 'phone.jpg' });
    await expect.element(shown).toBeVisible();
    const [left, right] = await readColors(shown.element(), [0.25, 0.75]);
    expect(left?.[0]).toBeGreaterThan(150);
    expect(right?.[2]).toBeGreaterThan(150);
    await button('Run').click();
    await expect.poll(() => sent.length).toBe(1);
    expect(sent[0]?.message?.content).toMatchObject([{ type: 'image_url' }]);
  });

  it('keeps a damaged HEIC file and shows the reason', async () => {
    const { screen, button } = await openChat();
    const damaged = heicFile('broken.heic').slice(0, 300);
    await userEvent.upload(
      screen.getByLabelText('Attach files'),
      new File([damaged], 'broken.heic', { type: 'image/heic' }),
    );
    await button('Convert to JPEG').click();
    await expect
      .element(screen.getByRole('alert'))
      .toMatchTextContent(/“broken.heic” couldn’t be decoded/);
    await expect.element(screen.getByRole('group', { name: 'broken.heic' })).toBeVisible();
  });

  it('shows the reason if it can’t be decoded, and can still be sent', async () => {
    const { screen, button } = await openChat();
    const broken = tiffFile(6, 4, 'broken.tif').slice(0, 60);
    await userEvent.upload(
      screen.getByLabelText('Attach files'),
      new File([broken], 'broken.tif', { type: 'image/tiff' }),
    );
    await button('Convert to JPEG').click();
    await expect
      .element(screen.getByRole('alert'))
      .toMatchTextContent(/“broken.tif” couldn’t be decoded/);
    await button('Run').click();
    await expect.poll(() => sent.length).toBe(1);
  });
});

/** Reads the colors at these parts of the image's width. */
async function readColors(element: Element, parts: number[]): Promise<Uint8ClampedArray[]> {
  if (!(element instanceof HTMLImageElement)) throw new Error('That is no image.');
  await element.decode();
  const canvas = new OffscreenCanvas(element.naturalWidth, element.naturalHeight);
  const context = canvas.getContext('2d');
  if (context === null) throw new Error('There is no canvas.');
  context.drawImage(element, 0, 0);
  return parts.map((part) => {
    const x = Math.floor(canvas.width * part);
    return context.getImageData(x, canvas.height / 2, 1, 1).data;
  });
}
