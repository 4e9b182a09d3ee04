/** Saves data URL images in the text of a chat answer as media when the answer ends. */

import type { JsonValue } from '../../shared/json.ts';
import { isJsonObject } from '../../shared/json.ts';
import type { Media } from '../../shared/media.ts';
import { findDataUrls } from '../../shared/operations/chat/inline-images.ts';
import { type Base64Data, readDataUrl } from './base64-data.ts';
import type { RunContext } from './run-context.ts';
import { beginOutput } from './run-media.ts';

/** Rejects with a `UserFacingError` on a disk problem. */
export async function storeInlineImages(
  context: RunContext<'chat'>,
  exchange: number,
): Promise<void> {
  const storing = context.view().state.choices.flatMap(({ index: choice, message }) =>
    getTexts(message.content).flatMap(({ part, text }) =>
      // Replace from the end, so that earlier positions remain valid.
      findDataUrls(text)
        .toReversed()
        .map(async (range) => {
          const media = await store(
            context,
            exchange,
            text.slice(range.at, range.at + range.length),
          );
          const inText = { choice, part, ...range };
          return media === null ? [] : [{ kind: 'media' as const, exchange, media, inText }];
        }),
    ),
  );
  const results = await Promise.allSettled(storing);
  // Record them together, because each change of the answer copies its whole text.
  context.recordAll(results.flatMap((one) => (one.status === 'fulfilled' ? one.value : [])));
  for (const one of results) if (one.status === 'rejected') throw one.reason;
}

/** Returns null if the URL has no base64. */
function store(context: RunContext<'chat'>, exchange: number, url: string): Promise<Media | null> {
  return context.media.saveInTurn(async () => {
    const data = readImage(url);
    if (data === null) return null;
    const bytes = Buffer.from(data.base64, 'base64');
    const plan = {
      run: context.view(),
      stem: 'image',
      declaredType: data.type,
      sizeBytes: bytes.byteLength,
    };
    const output = beginOutput(context.media, plan, bytes, exchange, () => undefined);
    await output.write(bytes);
    return output.finish();
  });
}

/** A truncated data URL may have an extra character. */
function readImage(url: string): Base64Data | null {
  return readDataUrl(url) ?? readDataUrl(url.slice(0, -1));
}

function getTexts(content: JsonValue | undefined): { part: number | null; text: string }[] {
  if (typeof content === 'string') return [{ part: null, text: content }];
  if (!Array.isArray(content)) return [];
  return content.flatMap((item, part) =>
    isJsonObject(item) && typeof item.text === 'string' ? [{ part, text: item.text }] : [],
  );
}
