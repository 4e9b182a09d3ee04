import { isJsonObject, type JsonObject, type JsonValue } from '../../../shared/json.ts';

/** What the reply says about itself, by wire name; unknown states give nothing. */
export function replyFacts(state: JsonValue): [string, string][] {
  if (!isJsonObject(state)) return [];
  const choices = choicesOf(state);
  const reasons = choices.map((choice) => choice.finishReason).filter(isText);
  const facts: [string, JsonValue | undefined][] = [
    ['id', state.id],
    ['model', state.model],
    ['created', typeof state.created === 'number' ? dateOf(state.created) : null],
    ['system_fingerprint', state.systemFingerprint],
    ['finish_reason', reasons.join(', ')],
    ['usage', isJsonObject(state.usage) ? JSON.stringify(state.usage) : null],
    ['ended with [DONE]', state.done === true ? 'yes' : 'no'],
  ];
  return facts.flatMap(([name, value]) => (isText(value) ? [[name, value]] : []));
}

export function replyWarnings(state: JsonValue): string[] {
  return isJsonObject(state) && Array.isArray(state.warnings) ? state.warnings.filter(isText) : [];
}

/** The pieces of a stream put together again, each with a heading. */
export function joinedReply(state: JsonValue): { title: string; text: string }[] {
  if (!isJsonObject(state)) return [];
  const choices = choicesOf(state);
  return choices.flatMap((choice) => {
    const where = choices.length > 1 ? ` of choice ${String(choice.index)}` : '';
    const parts: [string, JsonValue | undefined][] = [
      ['Reasoning', choice.reasoning],
      ['Text', choice.content ?? choice.text],
      ['Refusal', choice.refusal],
      ['Tool calls', toolCalls(choice.toolCalls)],
    ];
    return parts.flatMap(([title, text]) => (isText(text) ? [{ title: title + where, text }] : []));
  });
}

function toolCalls(calls: JsonValue | undefined): string {
  if (!Array.isArray(calls)) return '';
  return calls
    .filter(isJsonObject)
    .map((call) => `${String(call.name)}(${String(call.arguments)})`)
    .join('\n');
}

function choicesOf(state: JsonObject): JsonObject[] {
  return Array.isArray(state.choices) ? state.choices.filter(isJsonObject) : [];
}

function isText(value: JsonValue | undefined): value is string {
  return typeof value === 'string' && value !== '';
}

/** Some gateways send milliseconds; a number that is no date is shown as it is. */
function dateOf(created: number): string {
  const date = new Date(created * 1000);
  return Number.isNaN(date.getTime()) ? String(created) : `${created} (${date.toISOString()})`;
}
