import { expect, test } from 'vitest';
import {
  type Desktop,
  onlyWindow,
  startApplication,
} from '../fixtures/electron/desktop-under-test.ts';
import { StandInFrame } from '../fixtures/electron/frame.ts';

const page = () => new StandInFrame('app://gatehouse/');
const frames = {
  page,
  'a page of another host': () => new StandInFrame('app://gatehouse.evil/'),
  'a page of the web': () => new StandInFrame('https://gatehouse/'),
  'a frame inside': () => new StandInFrame('app://gatehouse/', page()),
};
type FrameName = keyof typeof frames;
const others: FrameName[] = ['a page of another host', 'a page of the web', 'a frame inside'];

function ask(desktop: Desktop, permission: Parameters<Ask>[0], frame: FrameName): Promise<boolean> {
  const { defaultSession } = desktop.electron.session;
  const contents = onlyWindow(desktop).webContents;
  return defaultSession.requestPermission(permission, frames[frame](), contents);
}
type Session = Desktop['electron']['session']['defaultSession'];
type Ask = Session['requestPermission'];

const silent = ['clipboard-sanitized-write', 'fullscreen'] as const;
const refused = [
  'geolocation',
  'notifications',
  'clipboard-read',
  'display-capture',
  'midi',
  'pointerLock',
  'openExternal',
  'usb',
  'unknown',
] as const;

test('lets only the page write to the clipboard and use full screen', async () => {
  const desktop = await startApplication();
  const { defaultSession } = desktop.electron.session;
  for (const permission of silent) {
    expect(defaultSession.checkPermission(permission, page()), permission).toBe(true);
    expect(await ask(desktop, permission, 'page'), permission).toBe(true);
    for (const other of others) {
      expect(defaultSession.checkPermission(permission, frames[other]()), other).toBe(false);
      expect(await ask(desktop, permission, other), other).toBe(false);
    }
  }
});

test('denies the page any other permission, when checked and when requested', async () => {
  const desktop = await startApplication();
  const { defaultSession } = desktop.electron.session;
  for (const permission of refused) {
    expect(defaultSession.checkPermission(permission, page()), permission).toBe(false);
    expect(await ask(desktop, permission, 'page'), permission).toBe(false);
  }
});

const media: { kinds: ('audio' | 'video')[]; frame: FrameName; granted: boolean }[] = [
  { kinds: ['audio'], frame: 'page', granted: true },
  { kinds: ['video'], frame: 'page', granted: false },
  { kinds: ['audio', 'video'], frame: 'page', granted: false },
  { kinds: [], frame: 'page', granted: false },
  ...others.map((frame) => ({ kinds: ['audio' as const], frame, granted: false })),
];

test('lets only the page use a microphone, and denies the camera', async () => {
  const desktop = await startApplication();
  const { defaultSession } = desktop.electron.session;
  const contents = onlyWindow(desktop).webContents;
  for (const { kinds, frame, granted } of media) {
    const asker = frames[frame]();
    const what = `${kinds} for ${frame}`;
    expect(await defaultSession.requestMedia(asker, contents, kinds), what).toBe(granted);
    // Each of the two handlers must deny it by itself.
    expect(await defaultSession.requestPermission('media', asker, contents, kinds), what).toBe(
      granted,
    );
  }
});

test('shows device labels to the page for microphones only', async () => {
  const { electron } = await startApplication();
  const { defaultSession } = electron.session;
  expect(defaultSession.checkPermission('media', page(), 'audio')).toBe(true);
  expect(defaultSession.checkPermission('media', page(), 'video')).toBe(false);
  expect(defaultSession.checkPermission('media', page())).toBe(false);
});

test.each([true, false])(
  'asks macOS for the microphone and returns its answer: %s',
  async (yes) => {
    const desktop = await startApplication({ platform: 'darwin' });
    const { session, systemPreferences } = desktop.electron;
    systemPreferences.microphone = yes;
    const contents = onlyWindow(desktop).webContents;
    // Checking permissions or listing devices must not trigger the prompt.
    session.defaultSession.checkPermission('media', page(), 'audio');
    expect(systemPreferences.requests).toEqual([]);
    expect(await session.defaultSession.requestMedia(page(), contents, ['audio'])).toBe(yes);
    expect(systemPreferences.requests).toEqual(['microphone']);
    await session.defaultSession.requestMedia(page(), contents, ['video']);
    expect(systemPreferences.requests).toEqual(['microphone']);
  },
);
