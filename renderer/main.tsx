import './ui/fonts.css';
import './ui/tokens.css';
import './ui/base.css';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './app/app.tsx';
import { guardRepeatedPresses, guardUndo } from './ui/press-guard.ts';

const root = document.getElementById('root');
if (root === null) throw new Error('index.html has no #root');

// Load the fonts before the first text renders, to avoid a second layout.
for (const family of ['Inter', 'JetBrains Mono']) {
  // The browser falls back to the next font.
  document.fonts.load(`1em "${family} Variable"`).catch(() => undefined);
}

guardRepeatedPresses();
guardUndo();
createRoot(root).render(
  <StrictMode>
    <App />
  </StrictMode>,
);
