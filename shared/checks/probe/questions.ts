/** Makes the requests, tools, schemas and small files of a probe, whose answers show whether a field works. */
import type { JsonObject, JsonValue } from '../../json.ts';
import { once } from '../../once.ts';

/** The answer has about 80 tokens and is the same from every model. */
export const COUNT =
  'Count from 1 to 40 in English words, separated by commas. Write nothing else.';

export function ask(content: JsonValue, fields: JsonObject = {}): JsonObject {
  return { messages: [{ role: 'user', content }], ...fields };
}

const location: JsonObject = {
  type: 'object',
  properties: { city: { type: 'string' } },
  required: ['city'],
  additionalProperties: false,
};

function createTool(name: string, description: string, parameters: JsonObject): JsonObject {
  return { type: 'function', function: { name, description, parameters } };
}

export const weatherTool = createTool('get_weather', 'Get the weather in a city', location);
export const bellTool = createTool('ring_bell', 'Ring the bell of the harbor', {
  type: 'object',
  properties: {},
});

/** Four squares, in reading order. */
export const COLORS = ['red', 'yellow', 'blue', 'green'];
export const SQUARES =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAEAAAABAAgMAAADXB5lNAAAADFBMVEXcHh763CgePNweoDyh3zKYAAAAIElEQVR42mNggIJQKGAYFRgVQBJYBQX/oWBUYFQASQAABnD+ECYayaQAAAAASUVORK5CYII=';
export const BEEPS = ['long', 'short', 'short', 'long', 'short'];
/** Node and browsers have it, but the types of neither are loaded here. */
declare function btoa(text: string): string;

const SAMPLE_RATE = 8000;
const SHORT_SECONDS = 0.1;
const LONG_SECONDS = 0.4;
const PAUSE_SECONDS = 0.15;
const TONE_HZ = 880;

/** Returns the base64 of a WAV file of beeps with equal pauses. */
export const getBeeps = once(() => {
  const samples = BEEPS.flatMap((duration) => [
    ...createTone(duration === 'long' ? LONG_SECONDS : SHORT_SECONDS),
    ...Array<number>(Math.round(SAMPLE_RATE * PAUSE_SECONDS)).fill(SILENCE),
  ]);
  const rate = toLittleEndian(SAMPLE_RATE, 4);
  const one = toLittleEndian(1, 2);
  const format = [toLittleEndian(16, 4), one, one, rate, rate, one, toLittleEndian(8, 2)].join('');
  const data = `data${toLittleEndian(samples.length, 4)}${String.fromCharCode(...samples)}`;
  return btoa(`RIFF${toLittleEndian(36 + samples.length, 4)}WAVEfmt ${format}${data}`);
});

/** The middle of 8-bit samples. */
const SILENCE = 128;

function createTone(seconds: number): number[] {
  return Array.from({ length: Math.round(SAMPLE_RATE * seconds) }, (_, at) =>
    Math.round(SILENCE + 100 * Math.sin((2 * Math.PI * TONE_HZ * at) / SAMPLE_RATE)),
  );
}

function toLittleEndian(value: number, size: number): string {
  const bytes = Array.from({ length: size }, (_, at) => (value >> (8 * at)) & 0xff);
  return String.fromCharCode(...bytes);
}

export const CODE_WORD = 'walnut7341';

/** Returns a data URL of a PDF with one line of text. */
export const getCodeFile = once(() => {
  const text = `BT /F1 24 Tf 20 40 Td (The code word is ${CODE_WORD}) Tj ET`;
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 420 100] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>',
    `<< /Length ${text.length} >>\nstream\n${text}\nendstream`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
  ];
  let file = '%PDF-1.4\n';
  const places = objects.map((object, at) => {
    const place = file.length;
    file += `${at + 1} 0 obj\n${object}\nendobj\n`;
    return `${String(place).padStart(10, '0')} 00000 n \n`;
  });
  const size = objects.length + 1;
  const table = `xref\n0 ${size}\n0000000000 65535 f \n${places.join('')}`;
  const end = `trailer\n<< /Size ${size} /Root 1 0 R >>\nstartxref\n${file.length}\n%%EOF\n`;
  return `data:application/pdf;base64,${btoa(file + table + end)}`;
});

/** Has combined characters, joined emoji, both directions, and characters beyond 16 bits. */
export const UNICODE_LINE = 'Zażółć 日本語 العربية नमस्ते 👩‍👩‍👧 𝄞 ė̃ ﷽ end';

function createFormat(name: string, schema: JsonObject, isStrict: boolean): JsonObject {
  const strict = isStrict ? { strict: true } : {};
  return { type: 'json_schema', json_schema: { name, schema, ...strict } };
}

function createObject(properties: JsonObject): JsonObject {
  const required = Object.keys(properties);
  return { type: 'object', properties, required, additionalProperties: false };
}

const nested = createObject({
  outer_zq: createObject({
    list_zq: { type: 'array', items: createObject({ deep_zq: { type: 'integer' } }) },
  }),
});

/** The names are unusual, so that no model uses them by chance. */
export const schemaFormats = {
  plain: createFormat('note', createObject({ note_zq: { type: 'string' } }), false),
  strict: createFormat('strict_note', createObject({ note_zq: { type: 'string' } }), true),
  nested: createFormat('nested_note', nested, true),
  enum: createFormat(
    'chosen_note',
    createObject({ choice_zq: { type: 'string', enum: ['zq-left', 'zq-right'] } }),
    true,
  ),
};
