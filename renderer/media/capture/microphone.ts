import { create } from 'zustand';
import { persist } from 'zustand/middleware';
import type { AppError } from '../../../shared/errors.ts';
import { PageError } from '../../lib/page-failure.ts';
import { createMediaError } from '../uploads/media-filter.ts';

export interface Microphone {
  /** An empty ID selects the system's default microphone. */
  id: string;
  name: string;
}

/** Processing is off by default, so that models get the raw microphone signal. */
export interface AudioProcessing {
  echoCancellation: boolean;
  noiseSuppression: boolean;
  autoGainControl: boolean;
}

export const systemMicrophone: Microphone = { id: '', name: 'System default' };

/** Without permission, browsers hide device names, so only the default is offered. */
export async function listMicrophones(): Promise<Microphone[]> {
  const devices = (await navigator.mediaDevices?.enumerateDevices()) ?? [];
  const found = devices.filter(
    ({ kind, deviceId, label }) =>
      // Chromium also lists default devices as separate entries.
      kind === 'audioinput' &&
      label !== '' &&
      !['', 'default', 'communications'].includes(deviceId),
  );
  return [systemMicrophone, ...found.map(({ deviceId, label }) => ({ id: deviceId, name: label }))];
}

/** Rejects with a `PageError`. */
export async function openMicrophone(
  id: string,
  processing: AudioProcessing,
): Promise<MediaStream> {
  if (navigator.mediaDevices === undefined) throw new PageError(insecure);
  try {
    return await navigator.mediaDevices.getUserMedia({
      audio: { ...processing, ...(id !== '' && { deviceId: { exact: id } }) },
    });
  } catch (cause) {
    throw new PageError(toMicrophoneError(cause));
  }
}

/** Returns true if the permission state is unknown. */
export async function willPrompt(): Promise<boolean> {
  try {
    return (await navigator.permissions.query({ name: 'microphone' })).state === 'prompt';
  } catch {
    return true;
  }
}

type MicrophonePlace = keyof typeof whereToAllow;

const whereToAllow = {
  browser: 'Allow it in the browser’s address bar, then record again.',
  macos:
    'Allow Gatehouse in System Settings > Privacy & Security > Microphone, restart it, then record again.',
  windows:
    'In Settings > Privacy & security > Microphone, turn on “Let desktop apps access your microphone”, then record again.',
  system: 'Allow it in your system’s privacy or sound settings, then record again.',
} as const;

function getCurrentPlace(): MicrophonePlace {
  if (location.protocol !== 'app:') return 'browser';
  if (navigator.platform.startsWith('Mac')) return 'macos';
  return navigator.platform.startsWith('Win') ? 'windows' : 'system';
}

/** Explains why `getUserMedia` was rejected. */
export function toMicrophoneError(cause: unknown, place = getCurrentPlace()): AppError {
  const name = cause instanceof Error || cause instanceof DOMException ? cause.name : '';
  const detail = String(cause);
  switch (name) {
    case 'NotAllowedError':
    case 'SecurityError':
      return createMediaError('Microphone access is blocked.', whereToAllow[place], detail);
    case 'NotFoundError':
      return createMediaError(
        'No microphone was found.',
        'Connect one and record again, or choose an audio file.',
        detail,
      );
    case 'OverconstrainedError':
      return createMediaError(
        'The selected microphone is no longer available.',
        'Choose another one and record again.',
        detail,
      );
    case 'NotReadableError':
    case 'AbortError':
      return createMediaError(
        'The microphone couldn’t be opened.',
        'Another app may be using it. Close that app, then record again.',
        detail,
      );
    default:
      return createMediaError(
        'The recording couldn’t be started.',
        'Try another microphone, or choose an audio file.',
        detail,
      );
  }
}

export function createMicrophoneDisconnectedError(name: string): AppError {
  return createMediaError(
    name === '' ? 'The microphone was disconnected.' : `The microphone “${name}” was disconnected.`,
    'Your recording so far is kept. Choose another microphone to continue.',
  );
}

const insecure = createMediaError(
  'Browsers allow microphone access only on secure pages.',
  'Open Gatehouse at the http://127.0.0.1 URL it prints.',
);

interface RecorderSettings {
  /** An empty ID selects the system's default microphone. */
  microphoneId: string;
  processing: AudioProcessing;
}

/** Shared by all recorders. */
export const useRecorderSettings = create<RecorderSettings>()(
  persist<RecorderSettings>(
    () => ({
      microphoneId: '',
      processing: { echoCancellation: false, noiseSuppression: false, autoGainControl: false },
    }),
    { name: 'gatehouse.recorder' },
  ),
);

export function chooseMicrophone(microphoneId: string): void {
  useRecorderSettings.setState({ microphoneId });
}

export function changeProcessing(change: Partial<AudioProcessing>): void {
  useRecorderSettings.setState(({ processing }) => ({ processing: { ...processing, ...change } }));
}
