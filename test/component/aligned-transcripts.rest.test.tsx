import { useState } from 'react';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { userEvent } from 'vitest/browser';
import { render } from 'vitest-browser-react';
import { AlignedTranscripts } from '../../renderer/features/transcription/aligned-transcripts.tsx';
import type { ComparedTranscript } from '../../renderer/features/transcription/aligned-words.tsx';
import { ReferenceText } from '../../renderer/features/transcription/reference-text.tsx';
import { useUndo } from '../../renderer/lib/undo.ts';
import { useNormalization } from '../../renderer/run/compare/normalization-switches.tsx';
import '../../renderer/ui/base.css';
import '../../renderer/ui/tokens.css';

beforeEach(() => {
  useNormalization.setState({ ignoreCase: true, ignorePunctuation: true, numbersAsDigits: true });
  useUndo.setState({ offers: [] });
});

const reference = 'They lost their hat. It was 21 miles away.';
const heard = 'They lost there hat. It was um twenty-one miles.';

const wordsOf = (text: string) =>
  text.split(' ').map((word, at) => ({
    text: word,
    startSeconds: at / 2,
    endSeconds: at / 2 + 0.5,
  }));

const transcript = (id: string, text: string, more: Partial<ComparedTranscript> = {}) => ({
  id,
  name: `model-${id}`,
  text,
  words: null,
  segments: null,
  durationSeconds: 10,
  ...more,
});
const one = transcript('one', heard, { words: wordsOf(heard) });
const two = transcript('two', 'they lost their hat it was 21 miles away');

function page(props: Partial<Parameters<typeof AlignedTranscripts>[0]> = {}) {
  return (
    <AlignedTranscripts
      transcripts={[one, two]}
      reference={reference}
      onPlay={() => undefined}
      {...props}
    />
  );
}

describe('transcripts next to a reference text', () => {
  test('shows error rates and names every difference', async () => {
    const screen = await render(page());
    await expect
      .element(screen.getByRole('row', { name: /^model-one/ }))
      .toHaveTextContent('model-one33.3%25.0%1117');
    const best = screen.getByRole('row', { name: /^model-two/ });
    await expect.element(best).toHaveTextContent('model-two0.0% (best)0.0% (best)0009');
    for (const name of ['substituted: their → there', 'inserted: um', 'deleted: away.']) {
      await expect.element(screen.getByRole('button', { name })).toBeVisible();
    }
    expect(screen.container.querySelector('del')?.textContent).toBe('away.');
    expect(screen.container.querySelector('ins')?.textContent).toBe('um');
  });

  test('follows the normalization switches, and compares with another transcript', async () => {
    const screen = await render(page());
    const row = screen.getByRole('row', { name: /^model-two/ });
    const difference = (words: string) =>
      screen.getByRole('button', { name: `substituted: ${words}` });
    await screen.getByRole('switch', { name: 'Ignore case' }).click();
    await expect.element(row).toMatchTextContent(/^model-two22\.2%/);
    await screen.getByRole('switch', { name: 'Numbers as digits' }).click();
    await expect.element(difference('21 → twenty-one')).toBeVisible();
    const base = screen.getByRole('combobox', { name: 'Compare with' });
    await base.selectOptions('model-one');
    await expect.element(screen.getByText('Differences from model-one')).toBeVisible();
    await expect.element(difference('there → their')).toBeVisible();
    await base.selectOptions('Reference text');
    await expect.element(screen.getByText('Errors against the reference text')).toBeVisible();
    await screen.rerender(page({ reference: ' ' }));
    await expect.element(screen.getByText('Differences from model-one')).toBeVisible();
    await expect.element(screen.getByRole('row', { name: /^model-one/ })).not.toBeInTheDocument();
  });
});

describe('a differing word', () => {
  test('plays its word, its segment or its estimated position', async () => {
    const onPlay = vi.fn();
    const text = 'They lost there hat';
    const segments = [{ text, startSeconds: 2, endSeconds: 4 }];
    const transcripts = [
      one,
      transcript('segments', text, { segments }),
      transcript('plain', text, { durationSeconds: 19 }),
    ];
    const screen = await render(page({ transcripts, reference: 'They lost their hat', onPlay }));
    const buttons = screen.getByRole('button', { name: 'substituted: their → there' });
    await buttons.nth(0).click();
    expect(onPlay).toHaveBeenLastCalledWith('one', 0.85, 1.65);
    await buttons.nth(1).click();
    expect(onPlay).toHaveBeenLastCalledWith('segments', 2, 4);
    await expect
      .element(buttons.nth(1))
      .toHaveAttribute(
        'aria-description',
        'Play 0:02.0 – 0:04.0. Plays the whole segment (no word timestamps).',
      );
    await buttons.nth(2).click();
    expect(onPlay).toHaveBeenLastCalledWith('plain', 9, 16);
    await expect
      .element(buttons.nth(2))
      .toHaveAttribute(
        'aria-description',
        'Play 0:09.0 – 0:16.0. Estimated position (no timestamps).',
      );
  });

  test('is reached by one Tab stop and arrow keys, and plays on Enter', async () => {
    const onPlay = vi.fn();
    const screen = await render(page({ transcripts: [one], onPlay }));
    const first = screen.getByRole('button', { name: 'substituted: their → there' });
    await expect.element(first).toBeVisible();
    expect(screen.container.querySelectorAll('button[data-row][tabindex="0"]').length).toBe(1);
    await screen.getByRole('region', { name: 'Differences' }).element().focus();
    await userEvent.tab();
    await expect.element(first).toHaveFocus();
    await userEvent.keyboard('{ArrowRight}');
    await expect.element(screen.getByRole('button', { name: 'inserted: um' })).toHaveFocus();
    await userEvent.keyboard('{Enter}');
    expect(onPlay).toHaveBeenLastCalledWith('one', 2.85, 3.65);
    await userEvent.keyboard('{End}');
    await expect.element(screen.getByRole('button', { name: 'deleted: away.' })).toHaveFocus();
  });

  test('focuses a word of a long transcript that is not rendered yet', async () => {
    const words = Array.from({ length: 2000 }, (_, at) => `word${at}`).join(' ');
    const screen = await render(
      page({ transcripts: [transcript('long', `odd ${words} last`)], reference: words }),
    );
    await screen.getByRole('button', { name: 'inserted: odd' }).click();
    await userEvent.keyboard('{End}');
    await expect.element(screen.getByRole('button', { name: 'inserted: last' })).toHaveFocus();
    await expect.element(screen.getByRole('button', { name: 'inserted: last' })).toBeInViewport();
  });
});

function Reference() {
  const [text, setText] = useState('one two');
  return <ReferenceText problem={null} place="reference" value={text} onValueChange={setText} />;
}

describe('the reference text', () => {
  test('loads from a file, or explains why it can’t', async () => {
    const screen = await render(<Reference />);
    const box = screen.getByRole('textbox', { name: 'Reference text' });
    const files = screen.getByLabelText('Reference text file');
    await files.upload(new File(['\uFEFFThree more words'], 'said.txt', { type: 'text/plain' }));
    await expect.element(box).toHaveValue('Three more words');
    const drop = (file: File) => {
      const dataTransfer = new DataTransfer();
      dataTransfer.items.add(file);
      box.element().dispatchEvent(new DragEvent('drop', { bubbles: true, dataTransfer }));
    };
    drop(new File([new Uint8Array([0x80, 0, 1])], 'sound.txt'));
    await expect
      .element(screen.getByRole('alert'))
      .toHaveTextContent('sound.txt isn’t a UTF-8 text file.');
    drop(new File(['word '.repeat(1_020_000)], 'long.txt'));
    await expect
      .element(screen.getByRole('alert'))
      .toHaveTextContent('long.txt is 5.1 MB. The limit is 1,000,000 characters.');
    await expect.element(box).toHaveValue('Three more words');
    await screen.getByRole('button', { name: 'Undo' }).click();
    await expect.element(box).toHaveValue('one two');
  });
});
