import { expect, it, onTestFinished, vi } from 'vitest';
import { removeStaleStorage } from '../../renderer/app/stale-storage.ts';

/** As browsers have it: its own keys are those that are stored. */
function stubStorage(stored: Record<string, string>): Record<string, string> {
  const removeItem = (key: string) => Reflect.deleteProperty(stored, key);
  Object.defineProperty(stored, 'removeItem', { value: removeItem });
  vi.stubGlobal('localStorage', stored);
  onTestFinished(() => void vi.unstubAllGlobals());
  return stored;
}

it('removes what nothing reads any more, and leaves what the page keeps', () => {
  const kept = [
    'gatehouse:appearance',
    'gatehouse:chat',
    'gatehouse:completion-choice',
    'gatehouse:rerank-views',
    'gatehouse:transcript-view',
    'of another program',
  ];
  const stale = [
    'gatehouse:edit-draft chat message-1',
    'gatehouse:edit-drafts',
    'gatehouse:chat-draft:conversation-1',
    'gatehouse:completion',
  ];
  const stored = stubStorage(Object.fromEntries([...kept, ...stale].map((key) => [key, 'x'])));
  removeStaleStorage();
  expect(Object.keys(stored)).toEqual(kept);
});

it('says nothing where storage is blocked', () => {
  vi.stubGlobal('localStorage', undefined);
  onTestFinished(() => void vi.unstubAllGlobals());
  expect(removeStaleStorage).not.toThrow();
});
