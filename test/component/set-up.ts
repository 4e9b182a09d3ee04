/** Before each file. */
import React from 'react';
import { flushSync } from 'react-dom';
import { commands } from 'vitest/browser';

declare module 'vitest/browser' {
  interface BrowserCommands {
    enterFrame(timeOrigin: number): Promise<void>;
  }
}

await commands.enterFrame(performance.timeOrigin);

// Files that share a page share its storage too: each begins with none of what another one left.
localStorage.clear();
sessionStorage.clear();

// React's production build, which is here as in the product, has no `act`.
Object.assign(React, {
  act: async (callback: () => Promise<void>) => {
    await flushSync(callback);
  },
});
