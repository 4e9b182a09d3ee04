/** Checks the electron-builder settings of platforms that can't be packaged here. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';

const settings = z
  .object({
    mac: z.object({
      target: z.array(z.object({ target: z.string(), arch: z.string() })),
      hardenedRuntime: z.boolean(),
      identity: z.string().optional(),
    }),
    win: z.object({ target: z.array(z.string()) }),
    nsis: z.object({ oneClick: z.boolean(), perMachine: z.boolean() }),
    toolsets: z.object({ appimage: z.string() }),
  })
  .parse(parse(readFileSync(join(import.meta.dirname, '../../electron-builder.yml'), 'utf8')));

test('builds one universal file for macOS, and the zip that updates need', () => {
  expect(settings.mac.target).toEqual([
    { target: 'dmg', arch: 'universal' },
    { target: 'zip', arch: 'universal' },
  ]);
});

test('hardens the runtime on macOS and leaves the identity to mac-signing.ts', () => {
  expect(settings.mac).toMatchObject({ hardenedRuntime: true });
  expect(settings.mac).not.toHaveProperty('identity');
});

test('installs on Windows for the current user only, without an administrator', () => {
  expect(settings.win.target).toEqual(['nsis']);
  // With `oneClick: false`, the installer would ask about it, whatever `perMachine` says.
  expect(settings.nsis).toEqual({ oneClick: true, perMachine: false });
});

test('builds the AppImage with the static runtime', () => {
  expect(Number(settings.toolsets.appimage.split('.')[0])).toBeGreaterThanOrEqual(1);
});
