/** Implements `demo-echo`, which returns the request without its headers, for debugging. */
import { isJsonObject, type JsonObject, type JsonValue } from '../../../shared/json.ts';
import { getCalled, type Message, type SentPart } from '../../../shared/operations/chat/message.ts';
import type { Descriptions } from '../media/inspect-media.ts';
import type { Question } from './answer.ts';

const MAX_PARAMETER = 300;

export function echo(question: Question): string {
  return wantsJson(question.parameters) ? echoAsJson(question) : echoAsText(question);
}

function wantsJson({ response_format: format }: JsonObject): boolean {
  return isJsonObject(format) && format.type === 'json_object';
}

function echoAsJson({ messages, parameters, descriptions }: Question): string {
  const received = messages.map(({ role, content }) => ({
    role,
    content: Array.isArray(content)
      ? content.map((part) => describePart(part, descriptions))
      : content,
  }));
  return JSON.stringify(
    { model: 'demo-echo', received, parameters: shortenValues(parameters) },
    null,
    2,
  );
}

function echoAsText(question: Question): string {
  const { messages, completion, parameters, choice, descriptions } = question;
  const count = messages.length;
  const blocks =
    completion === null
      ? [
          `**demo-echo** (simulated) received ${count} ${count === 1 ? 'message' : 'messages'}:`,
          ...messages.map((message, index) => describeMessage(message, index, descriptions)),
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
      : `Parameters:\n\n\`\`\`json\n${JSON.stringify(shortenValues(parameters), null, 2)}\n\`\`\``,
  );
  if (choice > 0) blocks.push(`This is choice ${choice}.`);
  return blocks.join('\n\n');
}

function describeMessage(message: Message, index: number, descriptions: Descriptions): string {
  const { role, content, name, tool_calls: calls = [], tool_call_id: callId } = message;
  const heading = [`### ${index + 1}. ${role}`];
  if (name !== undefined) heading.push(`(name: ${name})`);
  if (callId !== undefined) heading.push(`(result of ${callId})`);
  const lines = [heading.join(' '), ''];
  if (message.reasoning_content !== undefined) {
    lines.push(`- reasoning_content: ${message.reasoning_content}`);
  }
  if (typeof content === 'string') lines.push(content);
  else lines.push(...(content ?? []).map((part) => `- ${describePart(part, descriptions)}`));
  for (const call of calls) {
    const { name: called, arguments: text } = getCalled(call);
    lines.push(`- tool call ${call.id}: ${called}(${text})`);
  }
  return lines.join('\n');
}

function describePart(part: SentPart, descriptions: Descriptions): string {
  const media = (source: string) => descriptions.get(source) ?? describeUnseen(source);
  switch (part.type) {
    case 'text':
      return `text: ${part.text}`;
    case 'image_url': {
      const { url, detail } = part.image_url;
      return `image_url: ${media(url)}${detail === undefined ? '' : `, detail ${detail}`}`;
    }
    case 'input_audio': {
      const { data, format } = part.input_audio;
      return `input_audio: ${format}, ${media(data)}`;
    }
    case 'file': {
      const { filename, file_data: fileData, file_id: fileId } = part.file;
      const facts = [
        filename,
        fileData === undefined ? undefined : media(fileData),
        fileId === undefined ? undefined : `id ${fileId}`,
      ];
      return `file: ${facts.filter((fact) => fact !== undefined).join(', ') || 'empty'}`;
    }
    case 'video_url':
      return `video_url: ${media(part.video_url.url)}`;
    case 'thinking':
    case 'reasoning':
    case 'redacted_thinking':
      return part.type;
  }
}

function describeUnseen(source: string): string {
  return /^(?!data:)[a-z][a-z0-9+.-]*:/i.test(source.slice(0, 32))
    ? shorten(source)
    : `${source.length.toLocaleString('en-US')} characters`;
}

function shorten(text: string): string {
  return text.length <= MAX_PARAMETER
    ? text
    : `${text.slice(0, MAX_PARAMETER)}… (${text.length.toLocaleString('en-US')} characters)`;
}

function shortenValues<Value extends JsonValue>(value: Value): JsonValue {
  if (typeof value === 'string') return shorten(value);
  if (Array.isArray(value)) return value.map(shortenValues);
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [key, shortenValues(inner)]),
  );
}
