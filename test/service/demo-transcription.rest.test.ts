import { randomFillSync } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { request as httpRequest } from 'node:http';
import { tmpdir } from 'node:os';
import { describe, expect, it, onTestFinished } from 'vitest';
import { heldBytes } from '../fixtures/held-bytes.ts';
import { wav } from '../fixtures/sounds.ts';
import { KEY, readJson, shareClient } from './demo-gateway-client.ts';

const client = await shareClient();

type Fields = [string, string][];
const authorization = `Bearer ${KEY}`;
const transcribe = (
  fields: Fields,
  file: Blob | null,
  name = 'note.wav',
  model = 'demo-transcribe',
) => {
  const form = new FormData();
  for (const [field, value] of [['model', model], ...fields] as Fields) {
    form.append(field, value);
  }
  if (file) form.append('file', file, name);
  return fetch(`${client.gateway.baseUrl}/v1/audio/transcriptions`, {
    method: 'POST',
    headers: { authorization },
    body: form,
  });
};

const tone = (seconds: number) => new Blob([new Uint8Array(wav({ seconds }))]);

describe('demo-transcribe-N', () => {
  const timed: Fields = [
    ['response_format', 'verbose_json'],
    ['timestamp_granularities', 'word'],
  ];
  const hear = async (model: string, file: Blob, fields: Fields = timed) =>
    readJson(await transcribe(fields, file, 'note.wav', model));

  it('recognizes a streamed WAV once its length is set, but not a truncated one', async () => {
    const input = 'One sentence is short. '.repeat(12).trim();
    const spoken = await client.post('/v1/audio/speech', {
      model: 'demo-speech',
      input,
      response_format: 'wav',
    });
    const wav = Buffer.from(await spoken.arrayBuffer());
    expect(wav.readUInt32LE(40)).toBe(0xffff_ffff);
    wav.writeUInt32LE(wav.length - 8, 4);
    wav.writeUInt32LE(wav.length - 44, 40);
    expect((await hear('demo-transcribe-0', new Blob([wav]))).text).toBe(input);
    const cut = new Blob([wav.subarray(0, wav.length - 1000)]);
    expect((await hear('demo-transcribe-0', cut)).text).toContain('simulated transcription');
  });
});

describe('a form', () => {
  it('accepts content that contains part of the boundary, however it is chunked', async () => {
    const wav = Buffer.from(await tone(1).arrayBuffer());
    const file = Buffer.concat([wav, Buffer.from('\r\n--boundar\r\n--boundaryX')]);
    const body = Buffer.concat([
      Buffer.from(
        '--boundaryY\r\nContent-Disposition: form-data; name="model"\r\n\r\ndemo-transcribe',
      ),
      Buffer.from(
        '\r\n--boundaryY\r\nContent-Disposition: form-data; name="file"; filename="a \\"b\\".wav"\r\nContent-Type: audio/wav\r\n\r\n',
      ),
      file,
      Buffer.from('\r\n--boundaryY--\r\nepilogue'),
    ]);
    const text = await sendInChunks(body, 7, 'boundaryY');
    expect(JSON.parse(text).text).toContain('a "b".wav, 1.0 seconds');
  });

  it('keeps a large file on disk until the response', async () => {
    const noise = randomFillSync(Buffer.alloc(1024 * 1024));
    const head = Buffer.from(await tone(1).arrayBuffer()).subarray(0, 44);
    head.writeUInt32LE(0xffffffff, 40);
    const others = scratchFiles();
    const before = heldBytes();
    let most = 0;
    const look = () => {
      most = Math.max(most, heldBytes() - before);
    };
    // The server may also check while it rereads the file, but not all the time on a slow machine.
    let timer: NodeJS.Timeout | undefined;
    const watch = () => {
      const startedAt = performance.now();
      look();
      timer = setTimeout(watch, 4 * (performance.now() - startedAt));
    };
    watch();
    onTestFinished(() => clearTimeout(timer));
    const text = await new Promise<string>((resolve, reject) => {
      const request = openRequest('b', resolve, reject);
      request.write(
        '--b\r\nContent-Disposition: form-data; name="model"\r\n\r\ndemo-transcribe\r\n',
      );
      request.write('--b\r\nContent-Disposition: form-data; name="file"; filename="l.wav"\r\n\r\n');
      request.write(head);
      let left = 60;
      const next = () => {
        while (left > 0) {
          left -= 1;
          if (left % 25 === 0) look();
          if (!request.write(noise)) return void request.once('drain', next);
        }
        request.end('\r\n--b--\r\n');
      };
      next();
    });
    clearTimeout(timer);
    expect(JSON.parse(text).text).toContain('62,914,604 bytes');
    expect(most).toBeLessThan(40 * 1024 * 1024);
    await expect.poll(() => scratchFiles().filter((name) => !others.includes(name))).toEqual([]);
  });
});

function scratchFiles(): string[] {
  return readdirSync(tmpdir()).filter((name) => name.startsWith('gatehouse-demo-'));
}

function openRequest(
  boundary: string,
  resolve: (text: string) => void,
  reject: (error: Error) => void,
) {
  const request = httpRequest(`${client.gateway.baseUrl}/v1/audio/transcriptions`, {
    method: 'POST',
    headers: { authorization, 'content-type': `multipart/form-data; boundary="${boundary}"` },
  });
  request.on('error', reject);
  request.on('response', (response) => {
    let text = '';
    response.setEncoding('utf8');
    response.on('data', (part: string) => {
      text += part;
    });
    response.on('end', () => resolve(text));
  });
  return request;
}

async function sendInChunks(body: Buffer, size: number, boundary: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const request = openRequest(boundary, resolve, reject);
    for (let at = 0; at < body.length; at += size) request.write(body.subarray(at, at + size));
    request.end();
  });
}
