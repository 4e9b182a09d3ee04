import type { CodeResponse } from '../../../shared/operations/operation.ts';
import type { SentRequest } from '../../../shared/run.ts';
import {
  type BodyPiece,
  type CodeBody,
  type CodeText,
  type FilePart,
  getPlainText,
  splitFiles,
  toCodeRequest,
  writeTemplate,
} from './code-request.ts';
import { writeShellLiteral } from './literals.ts';

/** Returns a POSIX shell command that reads the key from an environment variable. */
export function getCurl(sent: SentRequest, response: CodeResponse = { kind: 'text' }): string {
  const request = toCodeRequest(sent);
  const { body } = request;
  const pieces = getPieces(body);
  const readsFiles = pieces.some((piece) => typeof piece !== 'string');

  const lines = [`curl ${quoteText(request.url)}`];
  const assumed = body.kind === 'none' ? 'GET' : 'POST';
  if (request.method === 'HEAD') lines.push('--head');
  else if (request.method !== assumed) lines.push(`--request ${request.method}`);
  // Without `--globoff`, curl expands brackets and braces in URLs.
  if (/[[\]{}]/.test(sent.url)) lines.push('--globoff');
  for (const [name, value] of request.headers) {
    const isEmpty = getPlainText(value) === '';
    lines.push(
      `--header ${isEmpty ? writeShellLiteral(`${name};`) : quoteText([`${name}: `, ...value])}`,
    );
  }
  const streams = sent.headers.some(([, value]) => value.includes('text/event-stream'));
  if (response.kind === 'stream' || streams) lines.push('--no-buffer');
  if (response.kind === 'file')
    lines.push(`--fail-with-body --output ${writeShellLiteral(response.name)}`);
  if (body.kind === 'form') {
    for (const [name, value] of body.fields)
      lines.push(`--form-string ${writeShellLiteral(`${name}=${value}`)}`);
    for (const file of body.files) lines.push(`--form ${writeShellLiteral(writeFormFile(file))}`);
  }
  if (!readsFiles) {
    if (pieces.length > 0) lines.push(`--data-raw ${writeShellLiteral(pieces.join(''))}`);
    return lines.join(' \\\n  ');
  }
  lines.push('--data-binary @-');
  return `{\n${pieces.map(formatPiece).join('\n')}\n} | ${lines.join(' \\\n  ')}`;
}

/** Returns the position of a JSON body's first bracket; null if there is none. */
export function findBodyStart(code: string): number | null {
  const found = /^ {2}--data-raw '[[{]/m.exec(code);
  return found === null ? null : found.index + found[0].length - 1;
}

function getPieces(body: CodeBody): BodyPiece[] {
  if (body.kind === 'text') return body.pieces;
  return body.kind === 'json' ? splitFiles(JSON.stringify(body.value, null, 2)) : [];
}

function formatPiece(piece: BodyPiece): string {
  return typeof piece === 'string'
    ? `  printf '%s' ${writeShellLiteral(piece)}`
    : `  base64 < ${writeShellLiteral(piece.path)} | tr -d '\\n'`;
}

function writeFormFile({ name, filename, type, path }: FilePart): string {
  const inside = (text: string) => `"${text.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`;
  const declared = type === '' ? '' : `;type=${type}`;
  return `${name}=@${inside(path)};filename=${inside(filename)}${declared}`;
}

/** The shell replaces variables only in double quotes. */
function quoteText(text: CodeText): string {
  const plain = getPlainText(text);
  if (plain !== null) return writeShellLiteral(plain);
  const template = writeTemplate(text, (variable) => `\${${variable}}`);
  // Braces are needed only in front of a letter, a digit or an underscore.
  if (template !== null) return `"${template.replace(/\$\{(\w+)\}(?!\w)/g, '$$$1')}"`;
  return text
    .filter((part) => part !== '')
    .map((part) => (typeof part === 'string' ? writeShellLiteral(part) : `"$${part.variable}"`))
    .join('');
}
