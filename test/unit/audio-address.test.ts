import { describe, expect, it } from 'vitest';
import { findAudioAddress } from '../../electron/operations/audio-address.ts';
import type { JsonValue } from '../../shared/json.ts';

const url = 'https://cdn.example/v/8c1f?sig=a%2Fb';
const file = 'https://cdn.example/talk.mp3?sig=1';

describe('the address of audio in a response', () => {
  it.each<[JsonValue, string]>([
    [{ url }, url],
    [{ audio_url: url, url: 'https://gateway.example/tasks/1' }, url],
    [{ audioUrl: url }, url],
    [{ data: { audio: url }, extra_info: { audio_format: 'mp3' } }, url],
    [{ output: { audio: { data: '', url, expires_at: 9 } } }, url],
    [{ audio: { url, content_type: 'audio/mpeg' } }, url],
    [{ output: url, urls: { get: 'https://gateway.example/p/1', cancel: url } }, url],
    [{ output: [url] }, url],
    [{ data: [{ url }] }, url],
    [{ result: { anything: file } }, file],
    [{ image_url: 'https://cdn.example/cover', url: file }, file],
    [{ audio: { path: 'files/talk.wav' } }, 'files/talk.wav'],
    [{ audio_url: '/files/8c1f' }, '/files/8c1f'],
    [{ subtitle_url: 'https://cdn.example/talk.srt', audio_url: url }, url],
  ])('finds it in %j', (response, address) => {
    expect(findAudioAddress(response)).toBe(address);
  });

  it.each<JsonValue>([
    { text: 'Listen at https://cdn.example/talk.mp3 today' },
    { audio: 'task_9f3a24c1' },
    { status_url: 'https://gateway.example/p/1', docs_url: 'https://gateway.example/docs' },
    { image_url: 'https://cdn.example/cover.png', audio_url: '' },
    { audio: { cover: 'https://cdn.example/cover.jpg' } },
    { audio: 'media:AAAAAAAAAAAAAAAAAAAAAA' },
    { model: 'tts-1', id: 'speech-1' },
  ])('returns null for %j', (response) => {
    expect(findAudioAddress(response)).toBeNull();
  });
});
