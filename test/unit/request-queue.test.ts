import { describe, expect, it } from 'vitest';
import {
  createRequestQueue,
  type QueuedRequest,
  type QueueStage,
} from '../../electron/comparisons/request-queue.ts';
import { manualTimer } from '../fixtures/manual-timer.ts';

const NOON = 1_800_000_000_000;

type Three = [QueuedRequest, QueuedRequest, QueuedRequest];

const unsent: QueuedRequest = { connectionId: 'a', share: '', send: () => expect.fail() };

/** Queues requests by name; `sent` records when each was sent, in milliseconds. */
function queueOf({ atOnce = 3, leavesAtOnce = true } = {}) {
  const timer = manualTimer();
  let time = 0;
  const sent: string[] = [];
  const changed: string[] = [];
  const limits = { atOnce };
  const queue = createRequestQueue({
    atOnce: () => limits.atOnce,
    now: () => NOON + time,
    clock: () => time,
    timer,
    onChange: (connectionId) => changed.push(connectionId),
  });
  const add = (name: string, connectionId = 'a', share = ''): QueuedRequest => {
    const send = () => {
      sent.push(`${name} ${time}`);
      if (leavesAtOnce) queue.left(request);
    };
    const request = { connectionId, share, send };
    queue.add(request);
    return request;
  };
  /** Queues the requests of a stage together; asking for more than there are fails the test. */
  const addStage = (stage: QueueStage, names: string): Three => {
    const requests = names.split(' ').map((name): QueuedRequest => {
      const send = () => void sent.push(`${name} ${time}`);
      return { connectionId: 'a', share: '', stage, send };
    });
    queue.add(...requests);
    const [one = unsent, two = unsent, three = unsent] = requests;
    return [one, two, three];
  };
  const addAll = (names: string, share = '') =>
    names.split(' ').map((name) => add(name, 'a', share));
  const advance = (ms: number) => {
    for (let step = 0; step < ms; step += 1) {
      time += 1;
      timer.advance(1);
    }
  };
  return { queue, add, addAll, addStage, advance, sent, changed, limits, timer };
}

describe('createRequestQueue', () => {
  it('sends a few requests per connection at once, in order, 50 ms apart', () => {
    const { queue, add, addAll, advance, sent } = queueOf({ atOnce: 2 });
    const [first = expect.fail()] = addAll('1 2 3');
    add('other', 'b');
    advance(500);
    expect(sent).toEqual(['1 0', 'other 0', '2 50']);
    const state = { connectionId: 'a', waiting: 1, running: 2, pausedUntil: null };
    expect(queue.state('a')).toEqual(state);
    queue.handleEnd(first, null);
    expect(sent.at(-1)).toBe('3 500');
  });

  it('pauses only the connection whose gateway asks to wait', () => {
    const { queue, add, advance, sent, changed } = queueOf({ atOnce: 1 });
    const first = add('1');
    add('2');
    advance(100);
    queue.handleEnd(first, 2);
    expect(queue.state('a').pausedUntil).toBe(NOON + 2100);
    expect(changed.at(-1)).toBe('a');
    add('other', 'b');
    advance(1999);
    expect(sent).toEqual(['1 0', 'other 100']);
    advance(1);
    expect(sent.at(-1)).toBe('2 2100');
    expect(queue.state('a').pausedUntil).toBeNull();
  });

  it('keeps the longer of two requested waits', () => {
    const { queue, addAll, advance, sent } = queueOf();
    const [one = expect.fail(), two = expect.fail()] = addAll('1 2 3 4');
    advance(100);
    expect(sent).toHaveLength(3);
    queue.handleEnd(one, 5);
    queue.handleEnd(two, 1);
    advance(4999);
    expect(sent).toHaveLength(3);
    advance(1);
    expect(sent.at(-1)).toBe('4 5100');
  });

  it('sends no dropped request, and none after it is closed', () => {
    const { queue, add, advance, sent, timer } = queueOf({ atOnce: 2 });
    add('1');
    const second = add('2');
    add('3');
    queue.drop(second);
    advance(100);
    expect(sent).toEqual(['1 0', '3 50']);
    queue.close();
    add('4', 'b');
    advance(1000);
    expect(sent).toHaveLength(2);
    expect(timer.waiting()).toBe(0);
  });

  it('counts the 50 ms from when a request was sent or failed', () => {
    const { queue, addAll, advance, sent } = queueOf({ leavesAtOnce: false });
    const [first = expect.fail(), second = expect.fail()] = addAll('1 2 3');
    advance(200);
    expect(sent).toEqual(['1 0']);
    queue.left(first);
    advance(100);
    expect(sent).toEqual(['1 0', '2 250']);
    queue.handleEnd(second, null);
    advance(100);
    expect(sent.at(-1)).toBe('3 350');
  });

  it('prefers variants without an active request', () => {
    const { queue, addAll, advance, sent } = queueOf({ atOnce: 2 });
    addAll('slow-1 slow-2 slow-3', 'slow');
    const fast = addAll('fast-1 fast-2 fast-3', 'fast');
    advance(100);
    expect(sent).toEqual(['slow-1 0', 'fast-1 50']);
    for (const request of fast) {
      queue.handleEnd(request, null);
      advance(100);
    }
    expect(sent.slice(2)).toEqual(['fast-2 100', 'fast-3 200', 'slow-2 300']);
  });

  it('sends more requests once the limit is raised', () => {
    const { queue, addAll, advance, sent, limits } = queueOf({ atOnce: 1 });
    addAll('1 2 3');
    advance(200);
    expect(sent).toHaveLength(1);
    limits.atOnce = 3;
    queue.review();
    advance(50);
    expect(sent).toEqual(['1 0', '2 200', '3 250']);
  });
});

describe('createRequestQueue with stages', () => {
  it('keeps a stage’s number at once running, without spacing, and drains it before the next', () => {
    const { queue, addStage, sent } = queueOf();
    const [first, second, third] = addStage({ atOnce: 2 }, '1 2 3');
    const [fourth, fifth] = addStage({ atOnce: 3 }, '4 5');
    expect(sent).toEqual(['1 0', '2 0']);
    queue.handleEnd(second, null);
    expect(sent).toEqual(['1 0', '2 0', '3 0']);
    queue.handleEnd(first, null);
    expect(sent).toHaveLength(3);
    queue.handleEnd(third, null);
    expect(sent.slice(3)).toEqual(['4 0', '5 0']);
    queue.handleEnd(fourth, null);
    queue.handleEnd(fifth, null);
    expect(queue.state('a')).toMatchObject({ waiting: 0, running: 0 });
  });

  it('starts many requests over several turns, so that the first don’t wait for the last', () => {
    const { queue, addStage, advance, sent } = queueOf();
    addStage({ atOnce: 10 }, '1 2 3 4 5 6 7 8 9 10 11');
    expect(sent).toEqual([1, 2, 3, 4, 5, 6, 7, 8].map((name) => `${name} 0`));
    expect(queue.state('a')).toMatchObject({ waiting: 3, running: 8 });
    advance(1);
    expect(sent.slice(8)).toEqual(['9 1', '10 1']);
    advance(100);
    expect(queue.state('a')).toMatchObject({ waiting: 1, running: 10 });
  });

  it('waits for the connection’s running requests, and lets others wait until it has ended', () => {
    const { queue, add, addStage, advance, sent } = queueOf();
    const before = add('before');
    const [staged] = addStage({ atOnce: 5 }, 'staged');
    add('after');
    add('elsewhere', 'b');
    advance(500);
    expect(sent).toEqual(['before 0', 'elsewhere 0']);
    expect(queue.state('a')).toMatchObject({ waiting: 2, running: 1 });
    queue.handleEnd(before, null);
    expect(sent.at(-1)).toBe('staged 500');
    queue.handleEnd(staged, null);
    expect(sent.at(-1)).toBe('after 500');
  });

  it('doesn’t pause when a gateway asks to wait, because that is a result', () => {
    const { queue, addStage, sent } = queueOf();
    const [first] = addStage({ atOnce: 1 }, '1 2');
    queue.handleEnd(first, 20);
    expect(sent).toEqual(['1 0', '2 0']);
  });

  it('ends a stage whose waiting requests are dropped', () => {
    const { queue, add, addStage, sent } = queueOf();
    const [first, second, third] = addStage({ atOnce: 1 }, '1 2 3');
    add('after');
    queue.drop(second);
    queue.drop(third);
    queue.handleEnd(first, null);
    expect(sent).toEqual(['1 0', 'after 0']);
  });
});
