import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../shared/json.ts';
import { readVideoTask } from '../../shared/operations/video/task-response.ts';
import { findVideoLinks } from '../../shared/operations/video/video-links.ts';

const url = 'https://cdn.example/a/1.mp4';
const other = 'https://cdn.example/a/2.mp4';
const cover = 'https://cdn.example/a/cover.png';
const signed = 'https://cdn.example/a/b?sig=1';

describe('findVideoLinks', () => {
  it.each<[string, JsonObject, string[]]>([
    [
      'works[].video.resource',
      { output: { works: [{ cover: { resource: cover }, video: { resource: url } }] } },
      [url],
    ],
    ['works[].resource.resource', { works: [{ resource: { resource: url } }] }, [url]],
    [
      'generatedSamples[].video.uri',
      { response: { generateVideoResponse: { generatedSamples: [{ video: { uri: signed } }] } } },
      [signed],
    ],
    ['unsigned_urls', { unsigned_urls: [signed, url] }, [signed, url]],
    ['video_url in a list in a list', { a: [[{ b: { c: { video_url: signed } } }]] }, [signed]],
    ['creations[].url', { creations: [{ url, cover_url: cover }, { url: other }] }, [url, other]],
    ['assets.video', { assets: { image: 'https://cdn.example/i', video: signed } }, [signed]],
    ['video_result[].url', { video_result: [{ cover_image_url: cover, url }] }, [url]],
    ['video_url', { content: { last_frame_url: 'https://a/f', video_url: signed } }, [signed]],
    ['JSON in a string', { data: { resultJson: `{"resultUrls":["${url}"]}` } }, [url]],
    ['a relative address without a slash', { resource: 'file/v' }, ['file/v']],
    ['gcsUri', { response: { videos: [{ gcsUri: 'gs://b/1.mp4' }] } }, ['gs://b/1.mp4']],
    ['words', { choices: [{ message: { content: `> Done\n[Watch](${url})` } }] }, [url]],
    ['an address with spaces around', { url: ` ${url}\n` }, [url]],
    ['an unknown field', { hd: { '1080p': url } }, [url]],
    ['an unknown field named a video', { finishedVideoUrl: signed }, [signed]],
    [
      'an address of a signed file',
      { file: `${signed}&response-content-type=video/mp4` },
      [`${signed}&response-content-type=video/mp4`],
    ],
  ])('finds %s', (_name, reply, links) => {
    expect(findVideoLinks(reply, 'completed')).toEqual(links);
    expect(findVideoLinks({ code: 200, data: { task_id: 't', ...reply } }, 'completed')).toEqual(
      links,
    );
  });

  it.each<[string, JsonObject, string]>([
    ['no watermark', { resource: url, resource_without_watermark: other }, other],
    ['the watermark if there is nothing else', { resource: '', watermark_url: url }, url],
    ['a plain field', { watermark_url: other, url }, url],
    ['a plain field inside', { watermark: { url: other }, video: { url } }, url],
    ['a plain list', { resultWaterMarkUrls: [other], resultUrls: [url] }, url],
    ['a known field to an unknown one', { demo: other, video_url: url }, url],
    ['a result to a preview', { preview_video_url: other, videoUrl: url }, url],
    ['a video to a picture', { outputs: [{ url: cover }, { url }] }, url],
  ])('prefers %s', (_name, reply, link) => {
    expect(findVideoLinks(reply, 'completed')).toEqual([link]);
    expect(findVideoLinks({ data: { works: [reply] } }, 'completed')).toEqual([link]);
  });

  it('uses the best URL of each video', () => {
    const videos = [
      { url, watermark_url: 'https://a/w1.mp4' },
      { url: '', watermark_url: 'https://a/w2.mp4' },
    ];
    expect(findVideoLinks({ videos }, 'completed')).toEqual([url, 'https://a/w2.mp4']);
  });

  it.each<[string, JsonObject]>([
    ['a cover', { cover_url: url, thumbnail: { url }, poster: url }],
    ['the request', { input: { video_url: url }, request: { url }, params: { url } }],
    ['an address of the task', { polling_url: url, status_url: url, urls: { get: '/v1/t/1' } }],
    ['a part of another type', { parts: [{ type: 'image', url: signed }] }],
    ['a file name', { filename: 'film.mp4' }],
    ['words of the request', { prompt: `Like ${url}` }],
  ])('ignores %s', (_name, reply) => {
    expect(findVideoLinks(reply, 'completed')).toEqual([]);
  });

  it('trusts an unknown field only if the task is completed', () => {
    expect(findVideoLinks({ hd: { '1080p': url } }, 'over')).toEqual([]);
    expect(findVideoLinks({ hd: { uri: url } }, 'over')).toEqual([url]);
  });
});

describe('an operation', () => {
  const name = 'models/veo-3/operations/x1';
  const response = { generateVideoResponse: { generatedSamples: [{ video: { uri: signed } }] } };
  const reasons = ['Blocked by the safety filter.', 'Support code 15236754.'];
  const filtered = { generateVideoResponse: { raiMediaFilteredReasons: reasons } };

  it.each<[string, JsonObject, object]>([
    ['is followed by its name', { name }, { taskId: name, status: 'unknown' }],
    ['is in progress', { name, done: false }, { taskId: name, status: 'in_progress' }],
    ['has a plain name', { name: 't-1', done: false }, { taskId: 't-1', status: 'in_progress' }],
    [
      'has metadata',
      { name, metadata: { '@type': 't' }, done: true, response },
      { status: 'completed', word: 'done', addresses: [signed] },
    ],
    ['is done without a video', { name, done: true, response: {} }, { status: 'completed' }],
    ['says so otherwise', { id: 't', is_finished: true }, { status: 'completed' }],
    ['is done after all', { name, done: true, status: 'running' }, { status: 'completed' }],
    [
      'failed',
      { name, done: true, error: { code: 3, message: 'Bad prompt', details: [] } },
      { status: 'failed', word: 'failed', error: { code: '3', message: 'Bad prompt' } },
    ],
    [
      'was filtered',
      { name, done: true, response: filtered },
      { status: 'failed', error: { code: null, message: reasons.join(' ') } },
    ],
    [
      'was filtered without a reason',
      { name, done: true, response: { raiMediaFilteredCount: 2 } },
      { status: 'failed', error: { message: 'The safety filter withheld 2 videos.' } },
    ],
    [
      'was filtered in part',
      { name, done: true, response: { ...response, rai_media_filtered_reasons: reasons } },
      { status: 'completed', withheld: reasons.join(' ') },
    ],
    [
      'was not filtered',
      { name, done: true, response: { ...response, raiMediaFilteredCount: 0 } },
      { status: 'completed', withheld: null },
    ],
  ])('%s', (_title, reply, expected) => {
    expect(readVideoTask(reply)).toMatchObject(expected);
  });
});

describe('a task', () => {
  it.each<[JsonObject, string]>([
    [{ status: 'completed', output: { status: 99 } }, 'completed'],
    [{ status: 99, task_status: 'processing' }, 'processing'],
    [{ status: 'running', data: { status: '5', id: 't' } }, 'running'],
    [{ status: 99 }, '99'],
  ])('prefers the words in %j to its numbers', (reply, word) => {
    expect(readVideoTask({ task_id: 't', ...reply })?.word).toBe(word);
    expect(readVideoTask({ code: 200, data: { task_id: 't', ...reply } })?.word).toBe(word);
  });

  it.each<[JsonObject, string | null, string | null]>([
    [{ id: 't', polling_url: '/api/v1/videos/t' }, 't', '/api/v1/videos/t'],
    [
      { polling_url: 'https://g/v1/videos/t', status: 'queued' },
      'https://g/v1/videos/t',
      'https://g/v1/videos/t',
    ],
    [{ id: 't', urls: { get: 'https://g/p/t', cancel: 'https://g/c' } }, 't', 'https://g/p/t'],
    [{ id: 't', polling_url: '' }, 't', null],
  ])('reads the polling URL of %j', (reply, taskId, pollingUrl) => {
    expect(readVideoTask(reply)).toMatchObject({ taskId, pollingUrl, addresses: [] });
  });

  it.each<[JsonObject, string]>([
    [{ block_reason: 'PROHIBITED' }, 'PROHIBITED'],
    [{ result: { moderation_message: 'Not here.' } }, 'Not here.'],
    [{ refusal: 'I can’t.' }, 'I can’t.'],
  ])('fails with the reason in %j if the task completes without a video', (more, message) => {
    const task = readVideoTask({ task_id: 't', status: 'completed', ...more });
    expect(task).toMatchObject({ status: 'failed', error: { message } });
  });
});
