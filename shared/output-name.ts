/** Names output files after the prompt and time. */

const MAX_CHARACTERS = 48;

/** Returns a file name in local time, without an extension; `fallback` replaces an empty prompt. */
export function createOutputStem(prompt: string, at: Date, fallback: string): string {
  const words =
    prompt
      .normalize('NFC')
      .toLowerCase()
      .match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
  return `${joinFitting(words) || fallback}-${timeStem(at)}`;
}

/** Joins as many words as fit; if the first word is too long, truncates it. */
function joinFitting(words: readonly string[]): string {
  let name = '';
  for (const word of words) {
    const longer = name === '' ? word : `${name}-${word}`;
    if (longer.length > MAX_CHARACTERS) break;
    name = longer;
  }
  return name || [...(words[0] ?? '')].slice(0, MAX_CHARACTERS).join('');
}

function timeStem(at: Date): string {
  const two = (value: number) => String(value).padStart(2, '0');
  const day = [at.getFullYear(), two(at.getMonth() + 1), two(at.getDate())].join('-');
  return `${day}-${two(at.getHours())}${two(at.getMinutes())}${two(at.getSeconds())}`;
}
