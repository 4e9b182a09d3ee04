/** Finds why a gateway withheld the video of a task that it reports as complete. */
import { getNumber } from '../../exact-number.ts';
import { isJsonObject, type JsonValue } from '../../json.ts';

/** Matches names such as `raiMediaFilteredReasons`, `block_reason` and `moderation_message`. */
const REASON =
  /^(?:rai)?(?:media)?(?:filter(?:ed)?|block(?:ed)?|reject(?:ed|ion)?|moderation|safety|refus(?:al|ed)|violation)(?:reason|message|msg|detail)s?$|^refusals?$/;
const COUNT = /^raimediafilteredcount$/;
/** Matches values that mean nothing was withheld. */
const NOTHING = /^(?:|none|null|ok|pass(?:ed)?|safe|\S*unspecified)$/i;
const MAX_DEPTH = 8;

/** Returns null if the response gives no such reason. */
export function findWithheld(response: JsonValue): string | null {
  const reasons = new Set<string>();
  let count = 0;

  function search(value: JsonValue, name: string, depth: number): void {
    if (depth > MAX_DEPTH) return;
    if (typeof value === 'string') {
      if (REASON.test(name) && !NOTHING.test(value.trim())) reasons.add(value.trim());
    } else if (Array.isArray(value)) {
      for (const item of value) search(item, name, depth + 1);
    } else if (isJsonObject(value)) {
      for (const [field, item] of Object.entries(value)) {
        search(item, field.toLowerCase().replace(/[^a-z]/g, ''), depth + 1);
      }
    } else if (COUNT.test(name)) count = getNumber(value) ?? 0;
  }

  search(response, '', 0);
  if (reasons.size > 0) return [...reasons].join(' ');
  if (count === 0) return null;
  return `The safety filter withheld ${count === 1 ? 'a video' : `${count} videos`}.`;
}
