import './ui/fonts.css';
import './ui/tokens.css';
import './ui/base.css';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './app/app.tsx';

const root = document.getElementById('root');
if (root === null) throw new Error('index.html has no #root');

// Otherwise they are fetched once there is text in them, which is then laid out again.
for (const family of ['Inter', 'JetBrains Mono']) {
  // Without one the text is in the next font of its list.
  document.fonts.load(`1em "${family} Variable"`).catch(() => undefined);
}

createRoot(root).render(
  <StrictMode>
    <App />
  </StrictMode>,
);
