import { afterEach, beforeEach, expect, it, vi } from 'vitest';

/** What two windows of one browser share. */
class SharedStorage {
  [key: string]: unknown;
  getItem(key: string): string | null {
    const value = this[key];
    return typeof value === 'string' ? value : null;
  }
  setItem(key: string, value: string): void {
    this[key] = value;
  }
  removeItem(key: string): void {
    delete this[key];
  }
}

async function openWindow() {
  vi.resetModules();
  return import('../../renderer/features/chat/edit-drafts.ts');
}

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal('localStorage', new SharedStorage());
  vi.stubGlobal('addEventListener', () => undefined);
});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

it('keeps the drafts of two windows side by side', async () => {
  const first = await openWindow();
  const second = await openWindow();
  first.keepDraft('message a', { text: 'In the first' });
  vi.runAllTimers();
  second.keepDraft('message b', { text: 'In the second' });
  vi.runAllTimers();
  const reloaded = await openWindow();
  expect(reloaded.draftOf('message a')?.text).toBe('In the first');
  expect(reloaded.draftOf('message b')?.text).toBe('In the second');
});

it('drops a draft that was saved, and no other', async () => {
  const first = await openWindow();
  first.keepDraft('message a', { text: 'A' });
  first.keepDraft('message b', { text: 'B' });
  vi.runAllTimers();
  first.dropDraft('message a');
  vi.runAllTimers();
  const reloaded = await openWindow();
  expect(reloaded.draftOf('message a')).toBeNull();
  expect(reloaded.draftOf('message b')?.text).toBe('B');
});
