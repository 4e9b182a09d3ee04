import { EventEmitter } from 'node:events';
import type { App, PowerMonitor } from 'electron';
import { expect, test } from 'vitest';
import { logDelays } from '../../electron/desktop/delay-log.ts';
import { manualTimer } from '../fixtures/manual-timer.ts';

function start() {
  const app = new EventEmitter();
  const power = new EventEmitter();
  const timer = manualTimer();
  const lines: string[] = [];
  const delays = {
    max: 0,
    isEnabled: false,
    enable: () => {
      delays.isEnabled = true;
      return true;
    },
    disable: () => {
      delays.isEnabled = false;
      return true;
    },
    reset: () => {
      delays.max = 0;
    },
  };
  logDelays({
    app: app as unknown as App,
    power: power as unknown as PowerMonitor,
    timer,
    log: (line) => lines.push(line),
    delays,
  });
  return { app, delays, lines, power, timer };
}

test('logs a delay that a user notices while the window has the focus', () => {
  const { app, delays, lines, timer } = start();
  expect(delays.isEnabled).toBe(false);
  app.emit('browser-window-focus');
  delays.max = 110e6;
  timer.advance(5_000);
  expect(lines).toEqual([]);
  delays.max = 250e6;
  timer.advance(5_000);
  expect(lines).toEqual(['the main thread was busy for 230 ms']);
  timer.advance(5_000);
  expect(lines).toHaveLength(1);
});

test.each(['browser-window-blur', 'quit'])('measures nothing after %s', (event) => {
  const { app, delays, lines, timer } = start();
  app.emit('browser-window-focus');
  app.emit('browser-window-focus');
  expect(timer.waiting()).toBe(1);
  delays.max = 400e6;
  app.emit(event);
  expect(lines).toEqual(['the main thread was busy for 380 ms']);
  expect([delays.isEnabled, timer.waiting()]).toEqual([false, 0]);
});

test('doesn’t take sleep for a delay, and measures again after it', () => {
  const { app, delays, lines, power, timer } = start();
  power.emit('resume');
  expect(delays.isEnabled).toBe(false);
  app.emit('browser-window-focus');
  power.emit('suspend');
  expect([delays.isEnabled, timer.waiting()]).toEqual([false, 0]);
  delays.max = 8 * 3600e9;
  power.emit('resume');
  expect(delays.isEnabled).toBe(true);
  timer.advance(5_000);
  expect(lines).toEqual([]);
});
