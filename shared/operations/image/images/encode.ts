/**
 * Writes an image request for the Images API, which has one prompt instead of turns:
 * https://platform.openai.com/docs/api-reference/images
 */
import { isJsonObject, type JsonObject, type JsonValue } from '../../../json.ts';
import { findReferencedMedia } from '../../../media.ts';
import type { FormRequest } from '../../operation.ts';
import { getCamelOrSnake } from '../../response/values.ts';

/** Only an edit has these fields. */
const EDIT_ONLY = ['input_fidelity', 'mask'];
/** Only a generation has these fields. */
const GENERATION_ONLY = ['style', 'moderation'];

export function encodeGeneration(request: JsonObject): JsonObject {
  return writeFields(request, EDIT_ONLY);
}

/** Sends the attached images as files; null if there are none. */
export function encodeEdit(request: JsonObject): FormRequest | null {
  const images = findImages(request.contents);
  if (images.length === 0) return null;
  const name = images.length === 1 ? 'image' : 'image[]';
  const { mask, ...fields } = writeFields(request, GENERATION_ONLY);
  return {
    path: '/v1/images/edits',
    fields,
    files: [
      ...images.map((reference) => ({ name, reference })),
      ...(typeof mask === 'string' ? [{ name: 'mask', reference: mask }] : []),
    ],
  };
}

function writeFields(
  { model, contents, generationConfig: _config, ...fields }: JsonObject,
  left: readonly string[],
): JsonObject {
  const sent = Object.entries(fields).filter(([name]) => !left.includes(name));
  return {
    ...(model !== undefined && { model }),
    prompt: getPrompt(contents),
    ...Object.fromEntries(sent),
  };
}

/** Returns the text of the last turn that the user sent. */
function getPrompt(contents: JsonValue | undefined): string {
  const turn = listTurns(contents).findLast(isUser);
  return listParts(turn)
    .flatMap(({ text }) => (typeof text === 'string' ? [text] : []))
    .join('\n');
}

/**
 * Returns the images of the last answer and those of the last turn, because a prompt may continue
 * an answer.
 */
function findImages(contents: JsonValue | undefined): string[] {
  const turns = listTurns(contents);
  const last = turns.findLastIndex(isUser);
  const before = turns[last - 1];
  const answered = before === undefined || isUser(before) ? [] : listImages(before);
  return [...answered, ...listImages(turns[last])];
}

function listImages(turn: JsonObject | undefined): string[] {
  return listParts(turn).flatMap((part) => {
    const inline = part.thought === true ? undefined : getCamelOrSnake(part, 'inlineData');
    const data = isJsonObject(inline) ? inline.data : undefined;
    return typeof data === 'string' && findReferencedMedia(data) !== null ? [data] : [];
  });
}

function listTurns(contents: JsonValue | undefined): JsonObject[] {
  return Array.isArray(contents) ? contents.filter(isJsonObject) : [];
}

function listParts(turn: JsonObject | undefined): JsonObject[] {
  return Array.isArray(turn?.parts) ? turn.parts.filter(isJsonObject) : [];
}

function isUser({ role = 'user' }: JsonObject): boolean {
  return role === 'user';
}
