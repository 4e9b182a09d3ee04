import { describe, expect, it } from 'vitest';
import { createChanges } from '../../electron/changes.ts';

describe('changes', () => {
  it('notifies each subscriber, and joins equal changes that wait', async () => {
    const changes = createChanges();
    const abort = new AbortController();
    const seen = changes.subscribe(abort.signal);
    const first = seen.next();
    changes.announce('runs', 'a');
    expect((await first).value).toEqual({ topic: 'runs', id: 'a' });
    changes.announce('runs', 'b');
    changes.announce('runs', 'b');
    changes.announce('settings');
    expect((await seen.next()).value).toEqual({ topic: 'runs', id: 'b' });
    expect((await seen.next()).value).toEqual({ topic: 'settings', id: null });
    const last = seen.next();
    abort.abort();
    expect((await last).done).toBe(true);
  });
});
