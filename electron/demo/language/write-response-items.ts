/** Writes pieces of an answer as the output items and typed events of the Responses format. */
import { randomUUID } from 'node:crypto';
import { isJsonObject, type JsonObject, type JsonValue } from '../../../shared/json.ts';
import { annotate, getLogprobs } from './citations.ts';
import type { Piece } from './plan-choice.ts';
import { sealReasoning } from './signatures.ts';

export interface ItemOptions {
  /** Reasoning comes as text, or encrypted with or without a summary. */
  reasoning: 'text' | 'summary' | 'hidden';
  isEncrypted: boolean;
  cites: boolean;
  /** The number of alternatives per token; null for no log probabilities. */
  alternatives: number | null;
}

export interface ItemWriter {
  /** The items so far; the last one may be unfinished. */
  output: JsonObject[];
  /** Returns the events of a piece; null ends the last item. */
  write(piece: Piece | null): JsonObject[];
  /** Adds an item that is complete, after events that show its progress. */
  add(item: JsonObject, progress: (index: number, id: string) => JsonObject[]): JsonObject[];
}

const newId = (prefix: string) => `${prefix}_${randomUUID().replaceAll('-', '')}`;

export function createItemWriter(options: ItemOptions): ItemWriter {
  const output: JsonObject[] = [];
  let kind = '';
  let text = '';
  let logprobs: JsonValue[] = [];
  const index = () => output.length - 1;
  const at = (fields: JsonObject = {}) => ({
    item_id: output.at(-1)?.id ?? '',
    output_index: index(),
    ...fields,
  });

  function begin(next: string, item: JsonObject, part: JsonObject[]): JsonObject[] {
    if (kind === next) return [];
    const ended = end();
    kind = next;
    output.push(item);
    const added = { type: 'response.output_item.added', output_index: index(), item: { ...item } };
    return [...ended, added, ...part.map((fields) => ({ ...fields, ...at(fields) }))];
  }

  /** Replaces the last item with its final form. */
  function finish(fields: JsonObject, events: JsonObject[]): JsonObject[] {
    const item = { ...output.pop(), ...fields };
    const done = events.map((event) => ({
      ...event,
      item_id: item.id ?? '',
      output_index: output.length,
    }));
    output.push(item);
    [kind, text, logprobs] = ['', '', []];
    return [...done, { type: 'response.output_item.done', output_index: index(), item }];
  }

  function end(): JsonObject[] {
    switch (kind) {
      case 'reasoning':
        return endReasoning();
      case 'content':
        return endMessage();
      case 'call':
        return finish({ status: 'completed', arguments: text }, [
          { type: 'response.function_call_arguments.done', arguments: text },
        ]);
      default:
        return [];
    }
  }

  function endReasoning(): JsonObject[] {
    const secret = options.isEncrypted ? { encrypted_content: sealReasoning(text) } : {};
    if (options.reasoning === 'hidden') return finish(secret, []);
    const isSummary = options.reasoning === 'summary';
    const part = { type: isSummary ? 'summary_text' : 'reasoning_text', text };
    const place = isSummary ? { summary_index: 0 } : { content_index: 0 };
    const name = isSummary ? 'reasoning_summary_part' : 'content_part';
    const textName = isSummary ? 'reasoning_summary_text' : 'reasoning_text';
    return finish({ ...secret, ...(isSummary ? { summary: [part] } : { content: [part] }) }, [
      { type: `response.${textName}.done`, ...place, text },
      { type: `response.${name}.done`, ...place, part },
    ]);
  }

  function endMessage(): JsonObject[] {
    const annotations = options.cites ? flatten(annotate(text).annotations) : [];
    const part = {
      type: 'output_text',
      text,
      annotations,
      ...(options.alternatives !== null && { logprobs }),
    };
    return finish({ status: 'completed', content: [part] }, [
      ...annotations.map((annotation, annotation_index) => ({
        type: 'response.output_text.annotation.added',
        content_index: 0,
        annotation_index,
        annotation,
      })),
      { type: 'response.output_text.done', content_index: 0, text, logprobs },
      { type: 'response.content_part.done', content_index: 0, part },
    ]);
  }

  function beginReasoning(): JsonObject[] {
    const item = { id: newId('rs'), type: 'reasoning', summary: [] };
    if (options.reasoning === 'hidden') return begin('reasoning', item, []);
    const part =
      options.reasoning === 'summary'
        ? {
            type: 'response.reasoning_summary_part.added',
            summary_index: 0,
            part: { type: 'summary_text', text: '' },
          }
        : {
            type: 'response.content_part.added',
            content_index: 0,
            part: { type: 'reasoning_text', text: '' },
          };
    const content = options.reasoning === 'text' ? { content: [] } : {};
    return begin('reasoning', { ...item, ...content }, [part]);
  }

  function beginMessage(): JsonObject[] {
    const item = { id: newId('msg'), type: 'message', status: 'in_progress', role: 'assistant' };
    const part = { type: 'output_text', text: '', annotations: [] };
    return begin('content', { ...item, content: [] }, [
      { type: 'response.content_part.added', content_index: 0, part },
    ]);
  }

  function write(piece: Piece | null): JsonObject[] {
    switch (piece?.kind) {
      case 'reasoning': {
        const begun = beginReasoning();
        text += piece.text;
        if (options.reasoning === 'hidden') return begun;
        const delta =
          options.reasoning === 'summary'
            ? { type: 'response.reasoning_summary_text.delta', summary_index: 0 }
            : { type: 'response.reasoning_text.delta', content_index: 0 };
        return [...begun, at({ ...delta, delta: piece.text })];
      }
      case 'content': {
        const begun = beginMessage();
        const chances = getChances(piece.text, options);
        text += piece.text;
        logprobs.push(...chances);
        const delta = { content_index: 0, delta: piece.text, logprobs: chances };
        return [...begun, at({ type: 'response.output_text.delta', ...delta })];
      }
      case 'call': {
        const ended = end();
        const { id, name } = piece;
        const item = { id: newId('fc'), type: 'function_call', status: 'in_progress' };
        return [...ended, ...begin('call', { ...item, call_id: id, name, arguments: '' }, [])];
      }
      case 'arguments':
        text += piece.text;
        return [at({ type: 'response.function_call_arguments.delta', delta: piece.text })];
      case 'spoken':
        return [];
      default:
        return end();
    }
  }

  return {
    output,
    write,
    add(item, progress) {
      const ended = end();
      const id = newId('ig');
      const begun = begin('image', { id, ...item, status: 'in_progress', result: null }, []);
      const steps = progress(index(), id);
      return [...ended, ...begun, ...steps, ...finish({ ...item, status: 'completed' }, [])];
    },
  };
}

function getChances(token: string, { alternatives }: ItemOptions): JsonValue[] {
  if (alternatives === null) return [];
  const { content } = getLogprobs([token], alternatives);
  return Array.isArray(content) ? content : [];
}

/** Moves the fields of a citation next to its `type`, as this format requires. */
function flatten(annotations: JsonValue | undefined): JsonObject[] {
  const list = Array.isArray(annotations) ? annotations : [];
  return list.filter(isJsonObject).map(({ url_citation: inner, ...annotation }) => ({
    ...annotation,
    ...(isJsonObject(inner) && inner),
  }));
}
