/** Shows a conversation with react-markdown and mounts every message, memoized. */
import { createElement, memo } from 'react';
import { jsx } from 'react/jsx-runtime';
import { createRoot } from 'react-dom/client';
import ReactMarkdown from 'react-markdown';
import remarkGfm from 'remark-gfm';
import '../../../renderer/ui/base.css';

const Message = memo(({ text }) =>
  createElement(
    'article',
    null,
    createElement(ReactMarkdown, { remarkPlugins: [remarkGfm] }, text),
  ),
);

const painted = () => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));

let root = null;
let log = null;
const show = (texts) => root.render(texts.map((text, at) => jsx(Message, { text }, at)));

/** Resolves with the milliseconds until the last message is painted. */
window.openLog = async (texts) => {
  root?.unmount();
  log = document.createElement('main');
  log.style.cssText = 'height: 700px; width: 760px; overflow-y: auto';
  document.body.replaceChildren(log);
  root = createRoot(log);
  const startedAt = performance.now();
  show(texts);
  while (log.querySelectorAll('article').length < texts.length) await painted();
  log.scrollTop = log.scrollHeight;
  await painted();
  return performance.now() - startedAt;
};

window.countNodes = () => {
  const walker = document.createTreeWalker(log);
  let count = 0;
  while (walker.nextNode() !== null) count += 1;
  return count;
};

/** Streams an answer, one word at a time. */
window.streamInto = async (texts, words, perSecond) => {
  const startedAt = performance.now();
  let shown = 0;
  while (shown < words.length) {
    const due = Math.floor(((performance.now() - startedAt) / 1000) * perSecond);
    if (due > shown) {
      shown = Math.min(words.length, due);
      show([...texts, words.slice(0, shown).join('')]);
      log.scrollTop = log.scrollHeight;
    }
    await painted();
  }
  return log.lastElementChild.textContent;
};
