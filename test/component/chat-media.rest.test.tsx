import { beforeEach, expect, it } from 'vitest';
import { userEvent } from 'vitest/browser';

import { selectConversation } from '../../renderer/features/chat/conversation/chat-store.ts';
import { sendToPanel } from '../../renderer/media/hand-over/hand-over.ts';
import type { Media } from '../../shared/media.ts';
import { medium } from '../fixtures/medium.ts';
import { sent } from './chat-fake-conversations.ts';
import { storedMedia } from './chat-fake-main.ts';
import { makeMessage, makeRun } from './chat-fake-state.ts';
import { openChat, resetChat, showExchange } from './chat-fixtures.tsx';
import { heicFile, pictureFile, tiffFile } from './media-fixtures.ts';

const ID = 'AAAAAAAAAAAAAAAAAAAAAA';

beforeEach(() => resetChat({ listOpen: false }));

function storeMedium(fields: Partial<Media> = {}): Media {
  const stored = medium({
    type: 'application/pdf',
    name: 'paper.pdf',
    sizeBytes: 3000,
    ...fields,
  });
  storedMedia.set(stored.id, stored);
  return stored;
}

it('adds each file from another panel once, with Undo, and sends it after the text', async () => {
  const medium = storeMedium();
  const { screen, button, message } = await openChat();
  const chip = screen.getByRole('group', { name: 'paper.pdf' });
  sendToPanel('chat', { kind: 'media', media: medium });
  await expect.element(screen.getByText('paper.pdf attached to your message')).toBeVisible();
  await expect.element(message).toHaveFocus();
  sendToPanel('chat', { kind: 'media', media: medium });
  await expect.element(screen.getByText('paper.pdf is already attached.')).toBeVisible();
  await button('Undo').click();
  await expect.element(chip).not.toBeInTheDocument();
  sendToPanel('chat', { kind: 'media', media: medium });
  await button('Dismiss').click();
  sendToPanel('chat', { kind: 'text', text: 'What was said', runId: null });
  await expect.element(message).toHaveValue('What was said');
  await button('Undo').click();
  await expect.element(message).toHaveValue('');
  await expect.element(chip).toMatchTextContent(/4\.0 kB encoded/);

  await message.fill('Read it');
  await button('Send').click();
  const user = screen.getByRole('article', { name: 'user' });
  await expect.element(user).toMatchTextContent(/paper\.pdf/);
  expect(sent[0]?.message?.content).toEqual([
    { type: 'text', text: 'Read it' },
    { type: 'file', file: { filename: 'paper.pdf', file_data: `media:${ID}` } },
  ]);
  await expect.element(screen.getByRole('list', { name: 'Attachments' })).not.toBeInTheDocument();
  // The next new conversation must not keep either file.
  selectConversation(null);
  await expect.element(screen.getByText('Start a conversation')).toBeVisible();
  await expect.element(message).toHaveValue('');
  await expect.element(screen.getByRole('list', { name: 'Attachments' })).not.toBeInTheDocument();
});

it('shows an answer’s files without text, and plays only the shown choice’s audio', async () => {
  const spoken = ['one', 'two'].map((name) =>
    storeMedium({ id: `${name}${ID.slice(3)}`, name: `${name}.pcm`, type: 'audio/pcm' }),
  );
  const run = makeRun({ media: [...spoken, storeMedium()] });
  const choices = spoken.map(({ id, name }) => ({
    run,
    audio: { id: null, media: id, transcript: `In ${name}`, expiresAt: null },
  }));
  const { conversation, answers } = showExchange('Say it', ...choices);
  const next = makeMessage({ parentId: answers[0]?.id ?? null, content: 'Go on' });
  conversation.messages.push(next);
  conversation.activeLeafId = next.id;
  run.conversationId = conversation.id;
  const { screen } = await openChat();
  const file = screen.getByRole('group', { name: 'paper.pdf' });
  await expect.element(screen.getByText('In one.pcm')).toBeVisible();
  await expect.element(file).toBeVisible();
  await expect.element(screen.getByRole('group', { name: 'two.pcm' })).not.toBeInTheDocument();

  showExchange('Draw it', { run: makeRun({ media: [storeMedium()], status: 'succeeded' }) });
  await expect.element(screen.getByText('Draw it')).toBeVisible();
  await expect.element(file).toBeVisible();
  await expect.element(screen.getByText('This answer is empty.')).not.toBeInTheDocument();
});

it('sends a text file as fenced text or as a file, as chosen by keyboard', async () => {
  const { screen, button, message } = await openChat();
  const source = 'export const answer = 42;\n';
  const attach = (name: string) =>
    userEvent.upload(
      screen.getByLabelText('Attach files'),
      new File([source], name, { type: 'video/mp2t' }),
    );
  await attach('answer.ts');
  const chip = screen.getByRole('group', { name: 'answer.ts' });
  await expect.element(chip).toMatchTextContent(/26 characters/);
  await attach('other.ts');
  const other = screen.getByRole('group', { name: 'other.ts' });
  const choice = other.getByRole('combobox', { name: 'Send as' });
  await expect.element(choice).toHaveValue('text');
  choice.element().focus();
  for (const [key, value] of [
    ['{ArrowDown}', 'file'],
    ['{ArrowUp}', 'text'],
    ['{ArrowDown}', 'file'],
  ] as const) {
    await userEvent.keyboard(key);
    await expect.element(choice).toHaveValue(value);
    await expect.element(choice).toHaveFocus();
  }
  await expect.element(other).toMatchTextContent(/encoded/);
  await message.fill('Explain');
  await button('Send').click();
  const data = expect.stringMatching(/^media:/);
  await expect
    .poll(() => sent[0]?.message?.content)
    .toEqual([
      { type: 'text', text: 'Explain' },
      { type: 'text', text: `answer.ts\n\`\`\`ts\n${source}\`\`\`` },
      { type: 'file', file: { filename: 'other.ts', file_data: data } },
    ]);
  const article = screen.getByRole('article', { name: 'user' });
  await expect.element(article.getByText('export const')).not.toBeInTheDocument();
  await article.getByText('answer.ts').click();
  await expect.element(article.getByRole('code')).toMatchTextContent(/export const answer = 42/);
});

it('scales or converts an image that models may reject, and sends it', async () => {
  const { screen, button } = await openChat();
  const attach = (file: File) => userEvent.upload(screen.getByLabelText('Attach files'), file);
  await attach(await pictureFile(8192, 16, 'wide.png'));
  const wide = screen.getByRole('group', { name: 'wide.png' });
  await expect.element(wide).toMatchTextContent(/8192 × 16 · .* encoded · over 8,000 pixels/);
  button('Scale to 2,048 px').element().focus();
  await userEvent.keyboard('{Enter}');
  await expect.element(wide).toMatchTextContent(/2048 × 4 · .* encoded · original: 8192 × 16/);
  await expect.element(button('Use original')).toHaveFocus();
  await userEvent.keyboard('{Enter}');
  await expect.element(wide).toMatchTextContent(/8192 × 16/);
  await expect.element(button('Scale to 2,048 px')).toHaveFocus();

  await attach(tiffFile(6, 4, 'scan.tif'));
  await expect.element(screen.getByRole('group', { name: 'scan.tif' })).toMatchTextContent(/6 × 4/);
  await button('Convert to JPEG').click();
  const scan = screen.getByRole('group', { name: 'scan.jpg' });
  await expect.element(scan).toMatchTextContent(/6 × 4 · .* encoded · original: 6 × 4/);
  await expect.element(scan.getByRole('img', { name: 'scan.jpg' })).toBeVisible();

  await attach(heicFile('phone.heic'));
  await button('Convert to JPEG').click();
  const shown = screen.getByRole('img', { name: 'phone.jpg' });
  await expect.element(shown).toBeVisible();
  const [left, right] = await readColors(shown.element(), [0.25, 0.75]);
  expect(left?.[0]).toBeGreaterThan(150);
  expect(right?.[2]).toBeGreaterThan(150);
  await button('Send').click();
  await expect
    .poll(() => sent[0]?.message?.content)
    .toMatchObject([{ type: 'image_url' }, { type: 'image_url' }, { type: 'image_url' }]);
});

it('explains why a damaged image can’t be decoded, and still sends it on request', async () => {
  const { screen, button } = await openChat();
  for (const file of [
    new File([heicFile('').slice(0, 300)], 'broken.heic', { type: 'image/heic' }),
    new File([tiffFile(6, 4, '').slice(0, 60)], 'broken.tif', { type: 'image/tiff' }),
  ]) {
    await userEvent.upload(screen.getByLabelText('Attach files'), file);
    const chip = screen.getByRole('group', { name: file.name });
    await chip.getByRole('button', { name: 'Convert to JPEG' }).click();
    const why = screen.getByText(new RegExp(`“${file.name}” couldn’t be decoded`));
    await expect.element(why).toBeVisible();
    await expect.element(chip).toBeVisible();
  }
  await button('Send').click();
  await expect.poll(() => sent[0]?.message?.content).toHaveLength(2);
});

/** Reads the colors at these fractions of the image's width. */
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
