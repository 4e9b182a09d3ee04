/** Implements `POST /v1/responses`, whose requests are read as chat requests. */
import { randomUUID } from 'node:crypto';
import { getNumber } from '../../../shared/exact-number.ts';
import { isJsonObject, type JsonObject } from '../../../shared/json.ts';
import { getChatRequestSchema } from '../../../shared/operations/chat/request.ts';
import type { DemoExchange } from '../exchange.ts';
import { getLastUserText, type LanguageModel } from '../language/answer.ts';
import { countPrompt, getUsage, sendDocument, streamChoices } from '../language/generation.ts';
import { languageModels } from '../language/language-models.ts';
import type { PlannedChoice } from '../language/plan-choice.ts';
import { checkReasoning, readObjects, toChatRequest } from '../language/read-response-input.ts';
import {
  createItemWriter,
  type ItemOptions,
  type ItemWriter,
} from '../language/write-response-items.ts';
import {
  checkRequest,
  createInvalidRequest,
  findModel,
  readJsonObject,
  withoutNulls,
} from '../requests.ts';
import { runSingle } from '../studio/studio.ts';
import { planChat } from './chat.ts';
import { addThinking } from './messages.ts';

export async function answerResponses(exchange: DemoExchange): Promise<void> {
  const body = withoutNulls(await readJsonObject(exchange.request));
  if (body.input === undefined) throw createInvalidRequest('input: Enter text or a list.', 'input');
  const request = checkRequest(getChatRequestSchema(), toChatRequest(body));
  const model = findModel(languageModels, request.model);
  checkReasoning(body, model.signs === true);
  const [planned] = await planChat(exchange, model, request, body);
  if (planned === undefined) return;
  const choice = model.signs ? addThinking(planned) : planned;
  const images = await drawImages(exchange, body, getLastUserText(request.messages));
  const writer = createItemWriter(readOptions(body, model));
  const usage = toUsage(getUsage(countPrompt(request.messages, request.tools), [choice]));
  const opened = { ...echoRequest(body), id: `resp_${randomUUID()}`, model: model.id };
  const end = () => ({ ...opened, ...getEnding(choice), output: writer.output, usage });
  if (!request.stream) {
    addImages(writer, images);
    for (const piece of [...choice.pieces, null]) writer.write(piece);
    return sendDocument(exchange, model, [choice], end());
  }
  let sent = 0;
  const number = (events: JsonObject[]) =>
    events.map(({ type, ...event }) => ({ type, sequence_number: sent++, ...event }));
  const begun = { ...opened, status: 'in_progress', output: [] };
  await streamChoices(exchange, model, [choice], {
    opening: () =>
      number([
        { type: 'response.created', response: begun },
        { type: 'response.in_progress', response: begun },
        ...addImages(writer, images),
      ]),
    piece: (_choice, piece) => number(writer.write(piece)),
    ending: () => number([...writer.write(null)]),
    closing: () => {
      const response = end();
      return number([{ type: `response.${response.status}`, response }]);
    },
    isTyped: true,
  });
}

function readOptions(body: JsonObject, { signs, cites, honest }: LanguageModel): ItemOptions {
  const include = Array.isArray(body.include) ? body.include : [];
  const hasSummary = isJsonObject(body.reasoning) && typeof body.reasoning.summary === 'string';
  const hasLogprobs =
    (cites || honest) === true && include.includes('message.output_text.logprobs');
  return {
    reasoning: signs !== true ? 'text' : hasSummary ? 'summary' : 'hidden',
    isEncrypted: (signs || honest) === true && include.includes('reasoning.encrypted_content'),
    cites: cites === true,
    alternatives: hasLogprobs ? (getNumber(body.top_logprobs) ?? 0) : null,
  };
}

/** Responses repeat the request's parameters. */
function echoRequest(body: JsonObject): JsonObject {
  const { instructions = null, tools = [], tool_choice: choice = 'auto', text } = body;
  const { temperature = 1, top_p: topP = 1, store = true, reasoning, metadata = {} } = body;
  const { max_output_tokens: limit = null, parallel_tool_calls: isParallel = true } = body;
  return {
    object: 'response',
    created_at: Math.floor(Date.now() / 1000),
    error: null,
    incomplete_details: null,
    instructions,
    tools,
    tool_choice: choice,
    temperature,
    store,
    top_p: topP,
    max_output_tokens: limit,
    parallel_tool_calls: isParallel,
    metadata,
    previous_response_id: null,
    truncation: 'disabled',
    text: text ?? { format: { type: 'text' } },
    reasoning: { effort: null, summary: null, ...(isJsonObject(reasoning) && reasoning) },
  };
}

function getEnding({ finishReason }: PlannedChoice) {
  return finishReason === 'length'
    ? { status: 'incomplete', incomplete_details: { reason: 'max_output_tokens' } }
    : { status: 'completed' };
}

function toUsage(usage: ReturnType<typeof getUsage>): JsonObject {
  const { prompt_tokens: input = 0, completion_tokens: output = 0, total_tokens: total } = usage;
  return {
    input_tokens: input,
    input_tokens_details: {
      cached_tokens: usage.prompt_tokens_details?.cached_tokens ?? 0,
      cache_write_tokens: 0,
    },
    output_tokens: output,
    output_tokens_details: {
      reasoning_tokens: usage.completion_tokens_details?.reasoning_tokens ?? 0,
    },
    total_tokens: total ?? 0,
  };
}

const SIDE = 512;

interface DrawnImages {
  prompt: string;
  /** Base64 images, with the final one last. */
  steps: string[];
}

/** Draws if the request offers the built-in tool; returns null otherwise. */
async function drawImages(
  { signal }: Pick<DemoExchange, 'signal'>,
  body: JsonObject,
  prompt: string,
): Promise<DrawnImages | null> {
  const tool = readObjects(body.tools).find(({ type }) => type === 'image_generation');
  if (tool === undefined) return null;
  const styles = Number(tool.partial_images ?? 0) > 0 ? ['sketch', 'painting'] : ['painting'];
  const plan = { prompt, width: SIDE, height: SIDE, seed: JSON.stringify(body.input ?? '') };
  const steps: string[] = [];
  for (const style of styles) {
    const job = { kind: 'image', plan, style: style === 'sketch' ? 'sketch' : 'painting' } as const;
    steps.push(Buffer.from(await runSingle(job, signal)).toString('base64'));
  }
  return { prompt, steps };
}

function addImages(writer: ItemWriter, images: DrawnImages | null): JsonObject[] {
  if (images === null) return [];
  const { prompt, steps } = images;
  const facts = { output_format: 'png', size: `${SIDE}x${SIDE}`, quality: 'low' };
  const item = { type: 'image_generation_call', ...facts, revised_prompt: prompt };
  return writer.add({ ...item, result: steps.at(-1) ?? '' }, (output_index, item_id) => {
    const place = { item_id, output_index };
    const name = 'response.image_generation_call';
    return [
      { type: `${name}.in_progress`, ...place },
      { type: `${name}.generating`, ...place },
      ...steps.slice(0, -1).map((partial_image_b64, partial_image_index) => ({
        type: `${name}.partial_image`,
        ...place,
        ...facts,
        partial_image_index,
        partial_image_b64,
      })),
      { type: `${name}.completed`, ...place },
    ];
  });
}
