/** Works in both Python and TypeScript, because they accept JSON's escapes. */
export function writeLiteral(text: string): string {
  return JSON.stringify(text.toWellFormed());
}

/** Everything in single quotes is literal, so a single quote must go outside them. */
export function writeShellLiteral(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

/** Go accepts JSON's escapes, and a byte order mark only at the start of a file. */
export function writeGoLiteral(text: string): string {
  return writeLiteral(text).replaceAll('\ufeff', String.raw`\ufeff`);
}

/** Prefers a raw literal if escapes would hide the text; Go drops `\r` from raw literals. */
export function writeGoRawLiteral(text: string): string {
  const canBeRaw = !/[`\ufeff]|(?![\n\t])\p{Cc}/u.test(text) && text.isWellFormed();
  return canBeRaw ? `\`${text}\`` : writeGoLiteral(text);
}

/** Escapes all but ASCII, because Java 17 reads source files in the system's charset. */
export function writeJavaLiteral(text: string): string {
  return `"${escapeJava(text).replaceAll('"', String.raw`\"`)}"`;
}

/** Writes a text block that joins the lines, which must not start with white space. */
export function writeJavaTextBlock(lines: readonly string[], indent: string): string {
  const content = lines.map((line) =>
    escapeJava(line).replace(/"{3,}|"$/g, (quotes) => quotes.replaceAll('"', String.raw`\"`)),
  );
  return `"""\n${indent}${content.join(`\\\n${indent}`)}"""`;
}

const javaEscapes = new Map([
  ['\\', String.raw`\\`],
  ['\n', String.raw`\n`],
  ['\r', String.raw`\r`],
  ['\t', String.raw`\t`],
]);

function escapeJava(text: string): string {
  return text.toWellFormed().replace(/[^\x20-\x5b\x5d-\x7e]/g, (unit) => {
    const code = unit.charCodeAt(0);
    // Java replaces Unicode escapes before it reads literals, so `\u000a` would break the line.
    return (
      javaEscapes.get(unit) ??
      (code < 0x80
        ? `\\${code.toString(8).padStart(3, '0')}`
        : `\\u${code.toString(16).padStart(4, '0')}`)
    );
  });
}
