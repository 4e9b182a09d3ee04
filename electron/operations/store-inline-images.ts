/** Saves data URL images in the text of a chat answer as media when the answer ends. */

import type { JsonValue } from '../../shared/json.ts';
import { isJsonObject } from '../../shared/json.ts';
import { findDataUrls } from '../../shared/operations/chat/inline-images.ts';
import type { RunContext } from '../runs/run-context.ts';
import { beginOutput } from '../runs/run-media.ts';
import { readDataUrl } from './base64-data.ts';

/** Rejects with a `UserFacingError` on a disk problem. */
export async function storeInlineImages(
  context: RunContext<'chat'>,
  exchange: number,
): Promise<void> {
  for (const { index: choice, message } of context.view().state.choices) {
    for (const { part, text } of getTexts(message.content)) {
      // Replace from the end, so that earlier positions remain valid.
      for (const range of findDataUrls(text).toReversed()) {
        const url = text.slice(range.at, range.at + range.length);
        // A truncated data URL may have an extra character.
        const data = readDataUrl(url) ?? readDataUrl(url.slice(0, -1));
        if (data === null) continue;
        const bytes = Buffer.from(data.base64, 'base64');
        const plan = {
          run: context.view(),
          stem: 'image',
          declaredType: data.type,
          sizeBytes: bytes.byteLength,
        };
        const inText = { choice, part, ...range };
        const output = beginOutput(context.media, plan, bytes, exchange, (event) =>
          context.record(event.kind === 'media' ? { ...event, inText } : event),
        );
        await output.write(bytes);
        await output.finish();
      }
    }
  }
}

function getTexts(content: JsonValue | undefined): { part: number | null; text: string }[] {
  if (typeof content === 'string') return [{ part: null, text: content }];
  if (!Array.isArray(content)) return [];
  return content.flatMap((item, part) =>
    isJsonObject(item) && typeof item.text === 'string' ? [{ part, text: item.text }] : [],
  );
}
