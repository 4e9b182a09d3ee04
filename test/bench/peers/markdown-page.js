/** Streams text into one of several Markdown renderers and measures each update. */
import { createElement, memo } from 'react';
import { jsx } from 'react/jsx-runtime';
import { flushSync } from 'react-dom';
import { createRoot } from 'react-dom/client';
import ReactMarkdown from 'react-markdown';
import remarkGfm from 'remark-gfm';
import { unstable_IdlePriority, unstable_scheduleCallback } from 'scheduler';
import { Streamdown } from 'streamdown';
import { Markdown } from '../../../renderer/ui/markdown/markdown.tsx';
import '../../../renderer/ui/base.css';

const Paragraph = memo(({ text }) => createElement('p', null, text));

const renderers = {
  /** The minimum possible work: plain text in which only the last paragraph changes. */
  paragraphs: (text) => text.split('\n\n').map((part, at) => jsx(Paragraph, { text: part }, at)),
  gatehouse: (text, streaming) => createElement(Markdown, { text, streaming }),
  streamdown: (text, streaming) =>
    createElement(Streamdown, { mode: streaming ? 'streaming' : 'static' }, text),
  reactMarkdown: (text) => createElement(ReactMarkdown, { remarkPlugins: [remarkGfm] }, text),
};

const WINDOWS = 8;
const CHARACTERS = 5;
/**
 * The number of characters to add at once between windows, because React would mount more in steps.
 */
const STRIDE = 2000;

const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
/** Waits until React has finished deferred work, such as transitions. */
const settled = () =>
  new Promise((resolve) => unstable_scheduleCallback(unstable_IdlePriority, resolve));

/**
 * Streams text and measures it. `isWhole` marks renderers that render all of the text on every
 * update, so the text between windows is added at once. `ms` is the time for all updates of the
 * text at 5 characters each, estimated from `updates` of them in each of eight windows.
 * `isComplete` is true if every word, such as w12, is shown at the end.
 */
window.streamText = async (name, text, { updates, isWhole }) => {
  const scroller = document.createElement('main');
  scroller.style.cssText = 'height: 860px; width: 760px; overflow-y: auto';
  document.body.replaceChildren(scroller);
  const root = createRoot(scroller);
  const show = async (length, streaming = true) => {
    flushSync(() => root.render(renderers[name](text.slice(0, length), streaming)));
    await settled();
    // Scroll to the end, which also forces layout.
    scroller.scrollTop = scroller.scrollHeight;
  };
  let ms = 0;
  let shown = 0;
  for (let window = 0; window < WINDOWS; window += 1) {
    const start = Math.floor((text.length * (window + 0.5)) / WINDOWS);
    while (shown < start) {
      shown = isWhole ? start : Math.min(start, shown + STRIDE);
      await show(shown);
    }
    await frame();
    await frame();
    const startedAt = performance.now();
    for (let update = 0; update < updates; update += 1) {
      shown += CHARACTERS;
      await show(shown);
    }
    ms += ((performance.now() - startedAt) / updates) * (text.length / CHARACTERS / WINDOWS);
  }
  await show(text.length, false);
  let marks = [];
  const expected = text.match(/\bw\d+\b/g) ?? [];
  for (let count = 0; count < 300 && marks.length !== expected.length; count += 1) {
    await frame();
    marks = scroller.textContent.match(/w\d+/g) ?? [];
  }
  root.unmount();
  return { ms, isComplete: marks.join() === expected.join() };
};
