import { describe, expect, it } from 'vitest';
import { createChanges } from '../../electron/base/changes.ts';

describe('changes', () => {
  function subscribe() {
    const changes = createChanges();
    const abort = new AbortController();
    return { changes, abort, seen: changes.subscribe(abort.signal) };
  }

  it('notifies each subscriber and merges equal pending changes', async () => {
    const { changes, abort, seen } = subscribe();
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

  it('merges many changes of a topic while a reader doesn’t read', async () => {
    const { changes, abort, seen } = subscribe();
    const first = seen.next();
    changes.announce('settings');
    await first;
    changes.announce('media', 'one');
    for (let run = 0; run < 100_000; run += 1) changes.announce('runs', `run ${run}`);
    changes.announce('runs');
    const rest = [];
    do rest.push((await seen.next()).value);
    while (rest.at(-1)?.id !== null);
    expect(rest[0]).toEqual({ topic: 'media', id: 'one' });
    expect(rest.at(-1)).toEqual({ topic: 'runs', id: null });
    expect(rest.length).toBeLessThan(1002);
    abort.abort();
  });
});
