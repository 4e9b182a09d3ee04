/**
 * Parses RFC 4180 CSV. The separator is whichever of comma, semicolon and tab the first line uses
 * most.
 */
export function readCsv(text: string): string[][] {
  const source = text.replace(/^\uFEFF/, '');
  const separator = guessSeparator(source);
  const rows: string[][] = [];
  let row: string[] = [];
  let field = '';
  let quoted = false;
  let at = 0;

  const endField = () => {
    row.push(field);
    field = '';
  };
  const endRow = () => {
    endField();
    if (row.length > 1 || row[0] !== '') rows.push(row);
    row = [];
  };

  while (at < source.length) {
    const character = source.charAt(at);
    if (quoted) {
      const quote = source.indexOf('"', at);
      field += source.slice(at, quote === -1 ? source.length : quote);
      if (quote === -1) break;
      if (source.charAt(quote + 1) === '"') {
        field += '"';
        at = quote + 2;
      } else {
        quoted = false;
        at = quote + 1;
      }
    } else if (character === '"' && field === '') {
      quoted = true;
      at += 1;
    } else if (character === separator) {
      endField();
      at += 1;
    } else if (character === '\n' || character === '\r') {
      endRow();
      at += character === '\r' && source.charAt(at + 1) === '\n' ? 2 : 1;
    } else {
      const end = findFieldEnd(source, at, separator);
      field += source.slice(at, end);
      at = end;
    }
  }
  if (field !== '' || row.length > 0) endRow();
  return rows;
}

function findFieldEnd(source: string, from: number, separator: string): number {
  for (let at = from + 1; at < source.length; at += 1) {
    const character = source.charAt(at);
    if (character === separator || character === '\n' || character === '\r') return at;
  }
  return source.length;
}

function guessSeparator(source: string): string {
  const firstLine =
    source
      .slice(0, 10_000)
      .replace(/"(?:[^"]|"")*"/g, '')
      .split(/[\r\n]/, 1)[0] ?? '';
  const count = (separator: string) => firstLine.split(separator).length;
  return [',', ';', '\t'].reduce((best, next) => (count(next) > count(best) ? next : best));
}
