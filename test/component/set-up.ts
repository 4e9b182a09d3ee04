/** Prepares the page before each test file. */
import React from 'react';
import { flushSync } from 'react-dom';
import { commands } from 'vitest/browser';
import { TEST_MS } from '../fixtures/patience.ts';

declare module 'vitest/browser' {
  interface BrowserCommands {
    enterFrame(timeOrigin: number): Promise<void>;
  }
}

await commands.enterFrame(performance.timeOrigin);

// Test files may share a page and its storage, so clear what an earlier file left.
localStorage.clear();
sessionStorage.clear();

// On a busy machine, a test can reach an Undo offer, a note or a worker's result only after the time that the page
// gives a person or a worker. Fake timers replace this one.
const LONG_MS = 4000;
const { setTimeout: startTimer } = window;
Object.assign(window, {
  setTimeout: (handler: TimerHandler, ms = 0, ...args: unknown[]) =>
    startTimer(handler, ms < LONG_MS ? ms : ms + TEST_MS, ...args),
});

// React's production build, which the product uses too, has no `act`.
Object.assign(React, {
  act: async (callback: () => Promise<void>) => {
    await flushSync(callback);
  },
});
