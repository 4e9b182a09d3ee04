/** Writes the shown branch of a conversation as Markdown, but omits the bytes of media. */
import { type ContentPart, getSource, type Role } from '../../../shared/operations/chat/message.ts';
import type { FileConversation, FileMessage } from './conversation-file.ts';
import {
  CONVERSATION_MARK,
  escapeMarks,
  MESSAGE_MARK,
  REASONING_CLOSING,
  REASONING_OPENING,
  writeMark,
} from './markdown-file.ts';

/** `getName` returns the name of a stored file, by its reference. */
export function writeMarkdown(
  conversation: FileConversation,
  branch: readonly FileMessage[],
  getName: (reference: string) => string | null,
): string {
  const { title, titled, createdAt, updatedAt, systemMessage } = conversation;
  const system = systemMessage !== '';
  const mark = { version: 1 as const, title, titled, createdAt, updatedAt, system };
  return [
    writeMark(CONVERSATION_MARK, mark),
    `# ${title.replaceAll(/\s+/g, ' ')}\n\n`,
    ...(system
      ? [
          writeMark(MESSAGE_MARK, { role: 'system', createdAt }),
          `## System message\n\n${escapeMarks(systemMessage)}\n\n`,
        ]
      : []),
    ...branch.map((message) => writeMessage(message, getName)),
  ].join('');
}

const headings: Readonly<Record<Role, string>> = {
  system: 'System',
  developer: 'Developer',
  user: 'User',
  assistant: 'Assistant',
  tool: 'Tool',
};

function writeMessage(message: FileMessage, getName: (reference: string) => string | null): string {
  const { role, name, reasoning, toolCalls, toolCallId, createdAt, run, content } = message;
  const mark = writeMark(MESSAGE_MARK, {
    role,
    ...(name !== null && { name }),
    ...(run !== null && { model: run.model, connection: run.connectionName }),
    ...(toolCalls.length > 0 && { toolCalls }),
    ...(toolCallId !== null && { toolCallId }),
    createdAt,
    ...(reasoning !== null && { reasoning: true }),
  });
  const model = run === null ? '' : ` (${run.model.replaceAll(/\s+/g, ' ')})`;
  const text =
    typeof content === 'string'
      ? content
      : content.map((part) => writePart(part, getName)).join('\n\n');
  const calls = toolCalls.map(
    ({ function: called }) =>
      `\n\n**Calls** \`${called.name}\`\n\n\`\`\`json\n${called.arguments}\n\`\`\``,
  );
  return [
    mark,
    `## ${headings[role]}${model}\n\n`,
    ...(reasoning === null ? [] : [REASONING_OPENING, escapeMarks(reasoning), REASONING_CLOSING]),
    escapeMarks(text),
    ...(calls.length === 0 ? [] : [`\n\n${CALLS_FOLLOW}`, ...calls.map(escapeMarks)]),
    '\n\n',
  ].join('');
}

/** Separates the text from tool calls, which the import reads from the preceding comment. */
export const CALLS_FOLLOW = '<!-- gatehouse-calls -->';

function writePart(part: ContentPart, getName: (reference: string) => string | null): string {
  if (part.type === 'text') return part.text;
  const source = getSource(part) ?? '';
  if (part.type === 'image_url' && /^https?:/i.test(source)) return `![Image](${source})`;
  if (/^https?:/i.test(source)) return `<${source}>`;
  const own = part.type === 'file' ? part.file.filename : undefined;
  return `*Attached: ${own ?? getName(source) ?? nouns[part.type]}*`;
}

const nouns: Readonly<Record<Exclude<ContentPart['type'], 'text'>, string>> = {
  image_url: 'image',
  input_audio: 'audio',
  file: 'file',
  video_url: 'video',
};
