/**
 * Converts a generateContent request to chat completions fields, because Chat lacks that format:
 * https://ai.google.dev/api/generate-content.
 */
import { isJsonObject, type JsonObject, type JsonValue } from '../json.ts';
import { getCamelOrSnake } from '../operations/response/values.ts';

export interface ConvertedChat {
  body: JsonObject;
  /** Fields that were omitted because they have no counterpart. */
  left: string[];
}

const settings: readonly [gemini: string, field: string][] = [
  ['temperature', 'temperature'],
  ['topP', 'top_p'],
  ['maxOutputTokens', 'max_tokens'],
  ['candidateCount', 'n'],
  ['stopSequences', 'stop'],
  ['seed', 'seed'],
  ['presencePenalty', 'presence_penalty'],
  ['frequencyPenalty', 'frequency_penalty'],
  ['responseLogprobs', 'logprobs'],
  ['logprobs', 'top_logprobs'],
];

const CONVERTED_CONFIG = [
  'responseMimeType',
  'responseSchema',
  'responseJsonSchema',
  'topK',
  'thinkingConfig',
];
const CONVERTED = [
  'contents',
  'systemInstruction',
  'tools',
  'toolConfig',
  'generationConfig',
  'model',
];

/** `streams` is true for `streamGenerateContent`; `model` is null if the path names none. */
export function convertGeminiChat(
  body: JsonObject,
  model: string | null,
  streams: boolean,
): ConvertedChat {
  const left: string[] = [];
  const system = getText(getCamelOrSnake(body, 'systemInstruction'));
  const config = getObject(getCamelOrSnake(body, 'generationConfig'));
  const messages = [
    ...(system === '' ? [] : [{ role: 'system', content: system }]),
    ...convertContents(listObjects(body.contents), left),
  ];
  const name =
    model ?? (typeof body.model === 'string' ? body.model.replace(/^models\//, '') : null);
  left.push(
    ...listOthers(body, CONVERTED),
    ...listOthers(config, [...settings.map(([known]) => known), ...CONVERTED_CONFIG]),
  );
  return {
    body: {
      ...(name !== null && { model: name }),
      messages,
      ...(streams && { stream: true }),
      ...convertConfig(config),
      ...convertTools(body, left),
    },
    left: [...new Set(left)],
  };
}

function convertConfig(config: JsonObject): JsonObject {
  const topK = getCamelOrSnake(config, 'topK');
  const format = convertResponseFormat(config);
  const effort = getCamelOrSnake(
    getObject(getCamelOrSnake(config, 'thinkingConfig')),
    'thinkingLevel',
  );
  return {
    ...Object.fromEntries(
      settings.flatMap(([gemini, field]) => {
        const value = getCamelOrSnake(config, gemini);
        return value === undefined ? [] : [[field, value]];
      }),
    ),
    ...(topK !== undefined && { top_k: topK }),
    ...(format !== null && { response_format: format }),
    ...(typeof effort === 'string' && { reasoning_effort: effort.toLowerCase() }),
  };
}

function convertResponseFormat(config: JsonObject): JsonObject | null {
  const schema =
    getCamelOrSnake(config, 'responseJsonSchema') ?? getCamelOrSnake(config, 'responseSchema');
  if (isJsonObject(schema)) {
    return {
      type: 'json_schema',
      json_schema: { name: 'response', schema: convertSchema(schema) },
    };
  }
  const isJson = getCamelOrSnake(config, 'responseMimeType') === 'application/json';
  return isJson ? { type: 'json_object' } : null;
}

/** Gemini writes the types of a schema in capitals. */
function convertSchema(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(convertSchema);
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [
      name,
      name === 'type' && typeof item === 'string' ? item.toLowerCase() : convertSchema(item),
    ]),
  );
}

function convertTools(body: JsonObject, left: string[]): JsonObject {
  const tools = listObjects(body.tools).flatMap((tool) => {
    const declared = listObjects(getCamelOrSnake(tool, 'functionDeclarations'));
    left.push(...listOthers(tool, ['functionDeclarations']));
    return declared.map((declaration) => convertFunction(declaration));
  });
  const config = getObject(getCamelOrSnake(body, 'toolConfig'));
  const calling = getObject(getCamelOrSnake(config, 'functionCallingConfig'));
  const allowed = getCamelOrSnake(calling, 'allowedFunctionNames');
  const only = Array.isArray(allowed) && allowed.length === 1 ? allowed[0] : undefined;
  const choices: Readonly<Record<string, JsonValue>> = {
    AUTO: 'auto',
    NONE: 'none',
    ANY: only === undefined ? 'required' : { type: 'function', function: { name: only } },
  };
  const mode = typeof calling.mode === 'string' ? choices[calling.mode.toUpperCase()] : undefined;
  return {
    ...(tools.length > 0 && { tools }),
    ...(mode !== undefined && { tool_choice: mode }),
  };
}

export function convertFunction({
  name,
  description,
  parameters,
  ...others
}: JsonObject): JsonObject {
  const schema = getCamelOrSnake(others, 'parametersJsonSchema') ?? parameters;
  return {
    type: 'function',
    function: {
      name: name ?? '',
      ...(description !== undefined && { description }),
      ...(schema !== undefined && { parameters: convertSchema(schema) }),
    },
  };
}

/** Calls have no IDs, so their results are matched in order. */
function convertContents(contents: readonly JsonObject[], left: string[]): JsonObject[] {
  let count = 0;
  const open: { id: string; name: JsonValue }[] = [];
  return contents.flatMap(({ role, parts }) => {
    const all = listObjects(parts);
    const content = all.flatMap((part) => convertPart(part, left));
    if (role === 'model') {
      const calls = all.flatMap((part) => {
        const call = getCamelOrSnake(part, 'functionCall');
        if (!isJsonObject(call)) return [];
        count += 1;
        const id = typeof call.id === 'string' ? call.id : `call_${count}`;
        open.push({ id, name: call.name ?? '' });
        const called = { name: call.name ?? '', arguments: JSON.stringify(call.args ?? {}) };
        return [{ id, type: 'function', function: called }];
      });
      const tool_calls = calls.length > 0 && { tool_calls: calls };
      return [{ role: 'assistant', content: simplify(content), ...tool_calls }];
    }
    const results = all.flatMap((part) => {
      const result = getCamelOrSnake(part, 'functionResponse');
      if (!isJsonObject(result)) return [];
      const index = open.findIndex(({ id, name }) => id === result.id || name === result.name);
      const [call] = index === -1 ? [] : open.splice(index, 1);
      const text = JSON.stringify(result.response ?? {});
      return [{ role: 'tool', tool_call_id: call?.id ?? 'call_1', content: text }];
    });
    const isOnlyResults = results.length > 0 && content.length === 0;
    return [...results, ...(isOnlyResults ? [] : [{ role: 'user', content: simplify(content) }])];
  });
}

function simplify(parts: readonly JsonObject[]): JsonValue {
  const texts = parts.flatMap(({ type, text }) =>
    type === 'text' && typeof text === 'string' ? [text] : [],
  );
  if (parts.length === 0) return '';
  return texts.length === parts.length && parts.length === 1 ? (texts[0] ?? '') : [...parts];
}

function convertPart(part: JsonObject, left: string[]): JsonObject[] {
  if (part.thought === true) return [];
  if (typeof part.text === 'string') return [{ type: 'text', text: part.text }];
  const inline = getCamelOrSnake(part, 'inlineData');
  if (isJsonObject(inline) && typeof inline.data === 'string') {
    return [convertData(String(getCamelOrSnake(inline, 'mimeType') ?? ''), inline.data)];
  }
  const file = getCamelOrSnake(part, 'fileData');
  if (isJsonObject(file)) {
    const url = String(getCamelOrSnake(file, 'fileUri') ?? '');
    return [convertUrl(String(getCamelOrSnake(file, 'mimeType') ?? ''), url)];
  }
  left.push(...listOthers(part, ['functionCall', 'functionResponse', 'thoughtSignature']));
  return [];
}

function convertData(type: string, data: string): JsonObject {
  const audio = /^audio\/(?:x-)?(wav|wave|mpeg|mp3)$/.exec(type)?.[1];
  if (audio !== undefined) {
    const format = audio.startsWith('wav') ? 'wav' : 'mp3';
    return { type: 'input_audio', input_audio: { data, format } };
  }
  return convertUrl(type, `data:${type};base64,${data}`);
}

function convertUrl(type: string, url: string): JsonObject {
  if (type.startsWith('video/')) return { type: 'video_url', video_url: { url } };
  if (type.startsWith('image/') || type === '') return { type: 'image_url', image_url: { url } };
  return { type: 'file', file: { file_data: url } };
}

function getText(value: JsonValue | undefined): string {
  if (typeof value === 'string') return value;
  return listObjects(getObject(value).parts)
    .flatMap(({ text }) => (typeof text === 'string' ? [text] : []))
    .join('\n');
}

function listOthers(holder: JsonObject, known: readonly string[]): string[] {
  const names = new Set(known);
  const toCamel = (name: string) =>
    name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
  return Object.keys(holder).filter((name) => !names.has(toCamel(name)));
}

function getObject(value: JsonValue | undefined): JsonObject {
  return isJsonObject(value) ? value : {};
}

export function listObjects(value: JsonValue | undefined): JsonObject[] {
  return Array.isArray(value) ? value.filter(isJsonObject) : [];
}
