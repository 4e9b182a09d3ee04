/** Prepares the page before each test file. */
import React from 'react';
import { flushSync } from 'react-dom';
import { commands } from 'vitest/browser';

declare module 'vitest/browser' {
  interface BrowserCommands {
    enterFrame(timeOrigin: number): Promise<void>;
  }
}

await commands.enterFrame(performance.timeOrigin);

// Test files may share a page and its storage, so clear what an earlier file left.
localStorage.clear();
sessionStorage.clear();

// React's production build, which the product uses too, has no `act`.
Object.assign(React, {
  act: async (callback: () => Promise<void>) => {
    await flushSync(callback);
  },
});
