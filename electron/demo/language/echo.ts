/** `demo-echo`: says back what arrived, so that a developer can see it. It never sees headers. */
import { isJsonObject, type JsonObject, type JsonValue } from '../../../shared/json.ts';
import type { ContentPart, Message } from '../../../shared/operations/message.ts';
import type { Question } from './answer.ts';

const LONGEST_PARAMETER = 300;

export function echo(question: Question): string {
  return wantsJson(question.parameters) ? echoAsJson(question) : echoAsText(question);
}

function wantsJson({ response_format: format }: JsonObject): boolean {
  return isJsonObject(format) && format.type === 'json_object';
}

function echoAsJson({ messages, parameters }: Question): string {
  const received = messages.map(({ role, content }) => ({
    role,
    content: Array.isArray(content) ? content.map(describePart) : content,
  }));
  return JSON.stringify(
    { model: 'demo-echo', received, parameters: shortened(parameters) },
    null,
    2,
  );
}

function echoAsText({ messages, completion, parameters, choice }: Question): string {
  const count = messages.length;
  const blocks =
    completion === null
      ? [
          `**demo-echo** (simulated) received ${count} ${count === 1 ? 'message' : 'messages'}:`,
          ...messages.map(describeMessage),
        ]
      : [
          '**demo-echo** (simulated) received this prompt:',
          messages.map(({ content }) => content).join(''),
        ];
  if (completion !== null && completion.suffix !== '') {
    blocks.push('and this suffix:', completion.suffix);
  }
  const names = Object.keys(parameters);
  blocks.push(
    names.length === 0
      ? 'No parameters were set.'
      : `Parameters:\n\n\`\`\`json\n${JSON.stringify(shortened(parameters), null, 2)}\n\`\`\``,
  );
  if (isAudioAsked(parameters))
    blocks.push('Audio was asked for; this model answers in text only.');
  if (choice > 0) blocks.push(`This is choice ${choice}.`);
  return blocks.join('\n\n');
}

function describeMessage(message: Message, index: number): string {
  const { role, content, name, tool_calls: calls = [], tool_call_id: callId } = message;
  const heading = [`### ${index + 1}. ${role}`];
  if (name !== undefined) heading.push(`(name: ${name})`);
  if (callId !== undefined) heading.push(`(answers ${callId})`);
  const lines = [heading.join(' '), ''];
  if (message.reasoning_content !== undefined) {
    lines.push(`- reasoning_content: ${message.reasoning_content}`);
  }
  if (typeof content === 'string') lines.push(content);
  else lines.push(...(content ?? []).map((part) => `- ${describePart(part)}`));
  for (const call of calls) {
    lines.push(`- tool call ${call.id}: ${call.function.name}(${call.function.arguments})`);
  }
  return lines.join('\n');
}

function describePart(part: ContentPart): string {
  switch (part.type) {
    case 'text':
      return `text: ${part.text}`;
    case 'image_url': {
      const { url, detail } = part.image_url;
      return `image_url: ${describeMedia(url)}${detail === undefined ? '' : `, detail ${detail}`}`;
    }
    case 'input_audio': {
      const { data, format } = part.input_audio;
      return `input_audio: ${format}, ${formatBytes(base64Bytes(data))}`;
    }
    case 'file': {
      const { filename, file_data: fileData, file_id: fileId } = part.file;
      const facts = [
        filename,
        fileData === undefined ? undefined : describeMedia(fileData),
        fileId === undefined ? undefined : `id ${fileId}`,
      ];
      return `file: ${facts.filter((fact) => fact !== undefined).join(', ') || 'empty'}`;
    }
    case 'video_url':
      return `video_url: ${describeMedia(part.video_url.url)}`;
  }
}

/** A web address as it stands; a data URL or bare base64 by its type and size. */
function describeMedia(source: string): string {
  const comma = source.indexOf(',');
  if (source.startsWith('data:') && comma > 0) {
    const head = source.slice(5, comma);
    const type = head.split(';')[0] || 'text/plain';
    const data = source.slice(comma + 1);
    return `${type}, ${formatBytes(head.endsWith(';base64') ? base64Bytes(data) : Buffer.byteLength(data))}`;
  }
  if (/^[a-z][a-z0-9+.-]*:/i.test(source.slice(0, 32))) return shorten(source);
  return `base64, ${formatBytes(base64Bytes(source))}`;
}

function base64Bytes(data: string): number {
  return Buffer.byteLength(data, 'base64');
}

function formatBytes(count: number): string {
  return `${count.toLocaleString('en-US')} ${count === 1 ? 'byte' : 'bytes'}`;
}

function shorten(text: string): string {
  return text.length <= LONGEST_PARAMETER
    ? text
    : `${text.slice(0, LONGEST_PARAMETER)}… (${text.length.toLocaleString('en-US')} characters)`;
}

function shortened<Value extends JsonValue>(value: Value): JsonValue {
  if (typeof value === 'string') return shorten(value);
  if (Array.isArray(value)) return value.map(shortened);
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, shortened(inner)]));
}

function isAudioAsked({ modalities }: JsonObject): boolean {
  return Array.isArray(modalities) && modalities.includes('audio');
}
