import { describe, expect, it, vi } from 'vitest';
import { userEvent } from 'vitest/browser';
import { render } from 'vitest-browser-react';

import { SegmentList } from '../../renderer/features/transcription/segment-list.tsx';
import { SpokenWords } from '../../renderer/features/transcription/spoken-words.tsx';
import { Transcript } from '../../renderer/features/transcription/transcript.tsx';
import { showView } from '../../renderer/features/transcription/transcription-store.ts';
import { emptyTranscriptionState } from '../../shared/operations/transcription/state.ts';
import '../../renderer/ui/base.css';
import '../../renderer/ui/tokens.css';
import './panel-fake-main.ts';

const words = Array.from({ length: 900 }, (_, index) => ({
  word: `word${index}`,
  start: index * 0.4,
  end: index * 0.4 + 0.4,
}));
const segments = Array.from({ length: 200 }, (_, id) => ({
  id,
  start: id * 6,
  end: id * 6 + 6,
  text: `Sentence ${id}.`,
}));

const frame = { display: 'flex', flexDirection: 'column', height: 300, width: 600 } as const;

function tabStops(container: Element): number {
  return container.querySelectorAll('button[tabindex="0"]').length;
}

function isInView(container: Element, name: string): boolean {
  const button = [...container.querySelectorAll('button')].find(
    ({ textContent }) => textContent === name,
  );
  const box = button?.getBoundingClientRect();
  const outer = container.firstElementChild?.getBoundingClientRect();
  return (
    box !== undefined && outer !== undefined && box.top >= outer.top && box.bottom <= outer.bottom
  );
}

describe('the words of a long transcript', () => {
  const shown = (active: number, onWord = vi.fn()) => (
    <div style={frame}>
      <SpokenWords words={words} active={active} onWord={onWord} />
    </div>
  );

  it('follows playback until the user scrolls, and again after Back to current', async () => {
    const screen = await render(shown(0));
    await screen.rerender(shown(500));
    await expect.poll(() => isInView(screen.container, 'word500')).toBe(true);
    const scroller = screen.container.querySelector('p')?.parentElement;
    scroller?.dispatchEvent(new WheelEvent('wheel', { bubbles: true, deltaY: -500 }));
    const back = screen.getByRole('button', { name: 'Back to current' });
    await expect.element(back).toBeVisible();
    const left = scroller?.scrollTop;
    await screen.rerender(shown(800));
    expect(scroller?.scrollTop).toBe(left);
    await back.click();
    await expect.poll(() => isInView(screen.container, 'word800')).toBe(true);
    await expect.element(back).not.toBeInTheDocument();
  });
});

it('gives segments one Tab stop, follows playback, and continues from the focused one', async () => {
  const onSegment = vi.fn();
  const shown = (active: number) => (
    <div style={frame}>
      <SegmentList segments={segments} active={active} onSegment={onSegment} />
    </div>
  );
  const screen = await render(shown(-1));
  const segment = (at: number) =>
    screen.getByRole('button', { name: new RegExp(`Sentence ${at}\\.`) });
  expect(tabStops(screen.container)).toBe(1);
  await screen.rerender(shown(150));
  await expect.element(segment(150)).toBeInViewport();
  await segment(151).click();
  expect(onSegment).toHaveBeenLastCalledWith(151);
  await userEvent.keyboard('{ArrowDown}');
  await expect.element(segment(152)).toHaveFocus();
  await screen.rerender(shown(0));
  await userEvent.keyboard('{ArrowDown}');
  await expect.element(segment(153)).toHaveFocus();
});

it('shows speakers, and renames them in the view', async () => {
  const spoken = [
    { id: 'seg_1', start: 0, end: 4, text: 'Good morning, and welcome to the gate.', speaker: 'A' },
    { id: 'seg_2', start: 4, end: 9, text: 'Thank you. Is it open today?', speaker: 'B' },
    { id: 'seg_3', start: 9, end: 12, text: 'It is. Mind the step.', speaker: 'A' },
  ];
  // Reset the view, because a new user hasn't chosen one.
  showView(null);
  const state = {
    ...emptyTranscriptionState,
    text: spoken.map(({ text }) => text).join(' '),
    segments: spoken,
    raw: '{}',
  };
  const screen = await render(
    <div style={frame}>
      <Transcript
        runId="run"
        state={state}
        fileStem="talk"
        active={{ word: -1, segment: 1 }}
        onPlayFrom={undefined}
      />
    </div>,
  );
  const speaker = screen.getByRole('button', { name: 'Rename A' });
  const row = (name: RegExp) => screen.getByRole('button', { name }).element();
  await expect.element(screen.getByRole('button', { name: /Thank you/ })).toBeVisible();
  const backgroundOf = (name: RegExp) => getComputedStyle(row(name)).backgroundColor;
  expect(backgroundOf(/Thank you/)).not.toBe(backgroundOf(/Good morning/));
  const colorOf = (name: string) => {
    const element = screen.getByText(name, { exact: true }).first().element();
    return getComputedStyle(element).color;
  };
  expect(colorOf('A')).not.toBe(colorOf('B'));
  await speaker.click();
  await screen.getByRole('textbox', { name: 'Speaker name' }).fill('Ada');
  await userEvent.keyboard('{Enter}');
  await expect.element(screen.getByRole('button', { name: 'Rename Ada' })).toHaveFocus();
  await expect.element(screen.getByRole('button', { name: /Ada Good morning/ })).toBeVisible();
});
