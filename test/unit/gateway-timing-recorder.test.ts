import { expect, it } from 'vitest';
import { recordTimings } from '../../electron/gateway/timing-recorder.ts';
import { timingsSchema } from '../../shared/run.ts';

it('records the phases, the deltas and the gaps between them', () => {
  let nowMs = 5;
  const recorder = recordTimings(() => nowMs);
  recorder.probe.connecting();
  recorder.probe.connect(3);
  nowMs = 10;
  recorder.sent(120);
  nowMs = 50;
  recorder.head();
  recorder.received(30);
  for (const gapMs of [10, 20, 20, 20, 100]) {
    nowMs += gapMs;
    recorder.deltas(1);
  }
  recorder.received(12);
  nowMs = 300;
  const timings = recorder.finish();
  expect(timingsSchema.parse(timings)).toEqual({
    startedAtMs: 5,
    dnsMs: null,
    connectMs: 3,
    tlsMs: null,
    reusedSocket: false,
    sentAtMs: 10,
    headAtMs: 50,
    firstDeltaAtMs: 60,
    endAtMs: 300,
    deltaCount: 5,
    gaps: { medianMs: 20, p95Ms: 100, maxMs: 100 },
    sentBytes: 120,
    receivedBytes: 42,
  });
});

it('records no gaps with one delta, and no phases on a reused socket', () => {
  const recorder = recordTimings(() => 0);
  recorder.sent(0);
  recorder.deltas(1);
  expect(recorder.finish()).toMatchObject({ gaps: null, connectMs: null, reusedSocket: true });
});
