/** Real gateways' responses to the other operations, from user reports. */
import { chunk, reply } from '../fixtures/wire-server.ts';
import { type Fault, type FaultGroup, json, only, whole } from './fault.ts';
import { PNG, SOUND, WORDS } from './targets.ts';

const words = '"note":"Alpha Bravo Charlie"';

/** Builds a fault in the response that creates a task. */
const task = (name: string, body: string) => json(`Task: ${name}`, 'video task', body);
const tasks: Fault[] = [
  task('`task_id` and `status`', `{"task_id":"Alpha-Bravo-Charlie","status":"queued"}`),
  task('`id`, a number beyond 2^53', '{"id":9007199254740993,"status":"queued","model":"Alpha"}'),
  task('`data: "id"`', '{"code":"success","data":"Alpha-Bravo-Charlie"}'),
  task('`success: false`', '{"success":false,"message":"Alpha"}'),
  task('a code and `msg`', '{"code":1102,"msg":"Alpha"}'),
  task('failed at once', '{"task_id":"t","status":"failed","error":{"code":1,"message":"Alpha"}}'),
  task('done at once', '{"task_id":"Alpha","status":"completed","url":"/film.mp4"}'),
];

/** Builds a fault in a status response; `video-reply.test.ts` covers more words and addresses. */
const status = (name: string, body: string) => json(`Status: ${name}`, 'video status', body);
const done = (word: string) =>
  status(`\`${word}\``, `{"task_id":"t","status":"${word}","url":"/film.mp4",${words}}`);
const ended = (word: string) =>
  status(`\`${word}\``, `{"task_id":"t","status":"${word}","fail_reason":"Alpha"}`);
const at = (name: string, fields: string) =>
  status(name, `{"task_id":"t","status":"completed",${fields},${words}}`);
const because = (name: string, fields: string) =>
  status(`reason in ${name}`, `{"task_id":"t","status":"failed",${fields}}`);
const statuses: Fault[] = [
  ...['SUCCESS', 'splendid'].map(done),
  ...['FAILURE', 'cancelled', 'expired'].map(ended),
  ...['IN_PROGRESS', 'UNKNOWN'].map((word) =>
    status(`\`${word}\``, `{"task_id":"t","status":"${word}","progress":"30%"}`),
  ),
  ...['0.3', '"soon"'].map((progress) =>
    status(`progress ${progress}`, `{"task_id":"t","status":"IN_PROGRESS","progress":${progress}}`),
  ),
  status(
    'wrapped, `result_url`',
    `{"code":"success","data":{"task_id":"t","status":"SUCCESS","result_url":"/film.mp4",${words}}}`,
  ),
  status(
    'the URL in `fail_reason`',
    `{"code":"success","data":{"task_id":"t","status":"SUCCESS","fail_reason":"/film.mp4",${words}}}`,
  ),
  at('a path without a slash', '"url":"film.mp4"'),
  at('a data URL', '"url":"data:video/mp4;base64,AAAAGGZ0eXBpc29tAAACAGlzb21tcDQx"'),
  at('`b64_json`', '"b64_json":"AAAAGGZ0eXBpc29tAAACAGlzb21tcDQx"'),
  at('no URL at all', '"url":null'),
  because('`error.message`', '"error":{"code":1,"message":"Alpha"}'),
  because('no field', '"progress":"30%"'),
  status('a task that does not exist', '{"code":"task_not_exist","message":"Alpha","data":null}'),
  whole(
    'Status: a task that does not exist, 400',
    () => ({
      status: '400 Bad Request',
      type: 'application/json',
      body: '{"code":"task_not_exist","message":"Alpha","data":null}',
    }),
    { on: only('video status'), isLasting: true },
  ),
];

const file = (name: string, statusLine: string, headers = {}, more: Partial<Fault> = {}): Fault =>
  whole(`File: ${name}`, () => ({ status: statusLine, type: '', headers, body: '' }), {
    on: only('video file'),
    ...more,
  });
const files: Fault[] = [
  file('not there yet', '404 Not Found'),
  file('never there', '404 Not Found', {}, { isLasting: true }),
  file('a 403 of the storage host', '403 Forbidden', {}, { isLasting: true }),
  file('416 with nothing loaded', '416 Range Not Satisfiable', { 'Content-Range': 'bytes */0' }),
  {
    name: 'File: 416 with all of it loaded',
    on: only('video file'),
    isLasting: true,
    sends: 2,
    async answer({ request, send, end }, { body }) {
      if (/^range:/im.test(request)) {
        const range = { 'Content-Range': `bytes */${body.length}` };
        return send(reply('416 Range Not Satisfiable', range, ''));
      }
      // Send everything except the final chunk.
      const head =
        'HTTP/1.1 200 OK\r\nContent-Type: video/mp4\r\nTransfer-Encoding: chunked\r\n\r\n';
      await send(Buffer.concat([Buffer.from(head), Buffer.from(chunk(body))]));
      end();
    },
  },
  file('gone', '410 Gone', {}, { isLasting: true }),
];

const image = (name: string, body: string) => json(name, 'image', body);
const picture = `{"inlineData":{"mimeType":"image/png","data":"${PNG}"}}`;
const candidate = (parts: string, more = '') =>
  `{"candidates":[{"content":{"role":"model","parts":[${parts}]}${more}}]}`;
const abc = '{"text":"Alpha Bravo Charlie"}';
const images: Fault[] = [
  image('A list of objects', `[${candidate(abc)},${candidate(picture)}]`),
  image(
    'Snake case',
    `{"candidates":[{"content":{"parts":[${abc},{"inline_data":{"mime_type":"image/png","data":"${PNG}"}}]},"finish_reason":"STOP"}]}`,
  ),
  image('A data URL', candidate(`${abc},${picture.replace(PNG, `data:image/png;base64,${PNG}`)}`)),
  image(
    'Base64 with line breaks',
    candidate(`${abc},${picture.replace(PNG, PNG.replace(/.{20}/g, '$&\\r\\n'))}`),
  ),
  image('Invalid Base64', candidate(`${abc},${picture.replace(PNG, '%%%')}`)),
  image('An empty image', candidate(`${abc},${picture.replace(PNG, '')}`)),
  image(
    'A thought and its signature',
    candidate(
      `{"text":"Alpha","thought":true},{"text":"Bravo Charlie","thoughtSignature":"c2ln"},${picture}`,
    ),
  ),
  image(
    'No candidates, a block reason',
    '{"promptFeedback":{"blockReason":"SAFETY","note":"Alpha"}}',
  ),
  image('`finishReason` SAFETY', candidate('', ',"finishReason":"SAFETY","finishMessage":"Alpha"')),
  image('`finishReason` MAX_TOKENS', candidate(abc, ',"finishReason":"MAX_TOKENS"')),
  image('An unknown `finishReason`', candidate(`${abc},${picture}`, ',"finishReason":"ODD"')),
  image('Null content', '{"candidates":[{"content":null,"finishReason":"STOP","note":"Alpha"}]}'),
  image('Parts that are an object', `{"candidates":[{"content":{"parts":${abc}}}]}`),
  image(
    'An error in a list',
    '[{"error":{"code":400,"message":"Alpha","status":"INVALID_ARGUMENT"}}]',
  ),
  image('The convention of other image endpoints', `{"data":[{"b64_json":"${PNG}"}],${words}}`),
];

const speech = (name: string, type: string, body: string | Uint8Array, more: Partial<Fault> = {}) =>
  whole(name, () => ({ type, body }), { on: only('speech'), ...more });
const base64 = SOUND.toString('base64');
const half = Math.floor(base64.length / 8) * 4;
const endless = Buffer.from(SOUND);
endless.writeUInt32LE(0xffffffff, 4);
endless.writeUInt32LE(0xffffffff, 40);
const inBase64 = { words: () => WORDS };
const sounds: Fault[] = [
  speech(
    'An event stream of pieces',
    'text/event-stream',
    [base64.slice(0, half), base64.slice(half)]
      .map((piece) => `{"type":"speech.audio.delta","audio":"${piece}"}`)
      .concat('{"type":"speech.audio.done"}')
      .map((data) => `data: ${data}\n\n`)
      .join(''),
    inBase64,
  ),
  speech(
    'An event stream without its end',
    'text/event-stream',
    `data: {"type":"speech.audio.delta","audio":"${base64}"}\n\n`,
    inBase64,
  ),
  speech('Base64 in JSON', 'application/json', `{"audio":"${base64}"}`, inBase64),
  speech('Base64 in `data`', 'application/json', `{"data":{"audio":"${base64}"}}`, inBase64),
  speech('A WAV of endless size', 'audio/wav', endless),
  speech('A WAV that is only its head', 'audio/wav', SOUND.subarray(0, 44)),
  speech(
    'An MP3 that is only its tag',
    'audio/mpeg',
    Buffer.from('ID3\x04\0\0\0\0\0\x0bTIT2\0\0\0\x01\0\0\0', 'latin1'),
  ),
  speech('A WAV labeled as MP3', 'audio/mpeg', SOUND),
  speech('Raw samples', 'audio/pcm', SOUND.subarray(44)),
  speech('Raw samples without a type', '', SOUND.subarray(44)),
  speech('A sound of no bytes', 'audio/wav', ''),
];

const transcript = (name: string, body: string, type = 'application/json') =>
  whole(name, () => ({ type, body }), { on: only('transcription') });
const segment = (start: string, end: string, text: string) =>
  `{"id":0,"start":${start},"end":${end},"text":"${text}"}`;
const verbose = (segments: string) => `{"task":"transcribe","segments":[${segments}]}`;
const transcripts: Fault[] = [
  transcript('Plain text', 'Alpha Bravo Charlie\n', 'text/plain'),
  transcript(
    'SRT',
    '1\n00:00:00,000 --> 00:00:01,000\nAlpha Bravo\n\n2\n00:00:01,000 --> 00:00:02,000\nCharlie\n',
    'text/plain',
  ),
  transcript('WebVTT', 'WEBVTT\n\n00:00.000 --> 00:01.000\nAlpha Bravo Charlie\n', 'text/vtt'),
  transcript('Plain text, labeled as JSON', 'Alpha Bravo Charlie'),
  transcript('JSON, labeled as text', '{"text":"Alpha Bravo Charlie"}', 'text/plain'),
  transcript(
    'Segments out of order',
    verbose(
      [segment('1', '2', 'Bravo'), segment('0', '1', 'Alpha'), segment('2', '3', 'Charlie')].join(),
    ),
  ),
  transcript(
    'Segments that overlap',
    verbose([segment('0', '2', 'Alpha'), segment('1', '3', 'Bravo Charlie')].join()),
  ),
  transcript('Times as text', verbose(segment('"0.5"', '"1.5"', 'Alpha Bravo Charlie'))),
  transcript('Times in milliseconds', verbose(segment('0', '1500', 'Alpha Bravo Charlie'))),
  transcript(
    'Invalid times',
    verbose(segment('null', '{"length":{"toString":1}}', 'Alpha Bravo Charlie')),
  ),
  transcript(
    'Segments one level down',
    `{"data":${verbose(segment('0', '1', 'Alpha Bravo Charlie'))}}`,
  ),
  transcript(
    'Words alone',
    '{"words":[{"word":"Alpha","start":0,"end":1},{"word":"Bravo","start":1,"end":2},{"word":"Charlie","start":2,"end":3}]}',
  ),
  transcript(
    'An event stream of deltas',
    'data: {"type":"transcript.text.delta","delta":"Alpha Bravo"}\n\ndata: {"type":"transcript.text.done","text":"Alpha Bravo Charlie"}\n\n',
    'text/event-stream',
  ),
  transcript('Silence', '{"text":""}'),
];

const ranking = (name: string, body: string) => json(name, 'rerank', body);
const result = (index: number, text: string, score = '0.5') =>
  `{"index":${index},"relevance_score":${score},"document":${text}}`;
const three = (make: (word: string) => string, score?: string) =>
  `{"results":[${['Alpha', 'Bravo', 'Charlie'].map((word, at) => result(at, make(word), score)).join()}]}`;
const rankings: Fault[] = [
  ranking(
    'Documents as text',
    three((word) => `"${word}"`),
  ),
  ranking(
    'No documents',
    three(() => 'null'),
  ),
  ranking('A bare list', three((word) => `{"text":"${word}"}`).slice('{"results":'.length, -1)),
  ranking(
    'Scores as text',
    three((word) => `"${word}"`, '"0.75"'),
  ),
  ranking(
    'Invalid scores',
    three((word) => `"${word}"`, '{"length":{"toString":1}}'),
  ),
  ranking(
    '`usage` in place of `meta`',
    three((word) => `"${word}"`).replace('{', '{"usage":{"total_tokens":3},'),
  ),
  ranking(
    'Unsorted',
    `{"results":[${result(2, '"Charlie"', '0.1')},${result(0, '"Alpha"', '0.9')},${result(1, '"Bravo"')}]}`,
  ),
  ranking('An index beyond the documents', `{"results":[${result(7, '"Alpha"')}]}`),
  ranking('The same index twice', `{"results":[${result(0, '"Alpha"')},${result(0, '"Bravo"')}]}`),
  ranking('Results under `data`', three((word) => `"${word}"`).replace('results', 'data')),
  ranking('Results that are an object', '{"results":{"0":"Alpha"}}'),
];

export const practiceInMedia: FaultGroup[] = [
  { title: 'Videos', faults: [...tasks, ...statuses, ...files] },
  { title: 'Images', faults: images },
  { title: 'Speech', faults: sounds },
  { title: 'Transcripts', faults: transcripts },
  { title: 'Rankings', faults: rankings },
];
