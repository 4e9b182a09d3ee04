/** Recognizes the format of an imported file. */
import { isJsonObject, type JsonValue } from '../../../shared/json.ts';
import { parseJson } from '../../../shared/parse-json.ts';
import { checkConversations } from './check-conversations.ts';
import { type ConversationFile, importError } from './conversation-file.ts';
import {
  checkValues,
  createImportBudget,
  type ImportBudget,
  type ImportLimits,
  importLimits,
} from './import-limits.ts';
import { isChatGptFile, readChatGptFile } from './read-chatgpt.ts';
import { isCherryStudioFile, readCherryStudioFile } from './read-cherry-studio.ts';
import { isGatehouseFile, readGatehouseFile } from './read-gatehouse.ts';
import { isMarkdownFile, readMarkdownFile } from './read-markdown.ts';
import { isOpenAiFile, readOpenAiFile } from './read-openai.ts';

/** Throws a `UserFacingError` if the format is unknown or the content is invalid. */
export function readConversationFile(
  bytes: Uint8Array,
  limits: ImportLimits = importLimits,
): ConversationFile {
  const text = decode(bytes);
  if (isMarkdownFile(text)) return checkConversations(readMarkdownFile(text), limits);
  checkValues(bytes, limits);
  const whole = parseJson(text);
  const values = whole === undefined ? parseLines(text) : listValues(whole);
  const budget = createImportBudget(bytes.length, limits);
  return checkConversations(readValues(values, budget), limits);
}

function decode(bytes: Uint8Array): string {
  // The signature of a ZIP archive: https://pkware.cachefly.net/webdocs/casestudies/APPNOTE.TXT
  if (bytes[0] === 0x50 && bytes[1] === 0x4b && bytes[2] === 0x03 && bytes[3] === 0x04) {
    throw importError('The file is a ZIP archive.', UNZIP);
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw importError('The file isn’t text.', KNOWN_FORMATS);
  }
}

/** Returns the objects of a JSON Lines file; throws a `UserFacingError` that names a bad line. */
function parseLines(text: string): JsonValue[] {
  const lines = text.split('\n');
  return lines.flatMap((line, index): JsonValue[] => {
    if (line.trim() === '') return [];
    const value = parseJson(line);
    if (value !== undefined) return [value];
    if (index === 0) throw importError('The file isn’t valid JSON or JSONL.', KNOWN_FORMATS);
    throw importError(`Line ${index + 1} isn’t valid JSON.`);
  });
}

/** Returns the conversations of a ChatGPT file, which is a list or an object with the list. */
function listValues(value: JsonValue): JsonValue[] {
  if (Array.isArray(value)) return value;
  if (!isJsonObject(value) || isGatehouseFile(value)) return [value];
  return Array.isArray(value.conversations) ? value.conversations : [value];
}

function readValues(values: readonly JsonValue[], budget: ImportBudget): ConversationFile {
  const objects = values.filter(isJsonObject);
  const [first] = objects;
  if (first === undefined || objects.length < values.length) {
    throw importError('The file has no conversations.', KNOWN_FORMATS);
  }
  if (isGatehouseFile(first)) return readGatehouseFile(first);
  if (isCherryStudioFile(first)) return readCherryStudioFile(first, budget);
  if (isChatGptFile(first)) return readChatGptFile(objects, budget);
  if (isOpenAiFile(first)) return readOpenAiFile(objects);
  throw importError('Gatehouse doesn’t know the format of this file.', KNOWN_FORMATS);
}

const UNZIP =
  'Nothing was imported. Unzip it, then choose conversations.json (ChatGPT) or data.json (Cherry Studio).';
const KNOWN_FORMATS =
  'Nothing was imported. Choose a file exported from Gatehouse, ChatGPT, OpenAI (JSONL) or Cherry Studio.';
