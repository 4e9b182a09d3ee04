import type { CodeResponse } from '../../../shared/operations/operation.ts';
import type { SentRequest } from '../../../shared/run.ts';
import {
  type BodyPiece,
  type CodeBody,
  type CodeFile,
  type CodeText,
  escapeFormName,
  listFiles,
  splitJson,
  toCodeRequest,
  writeSum,
} from './code-request.ts';
import { writeJavaLiteral, writeJavaTextBlock } from './literals.ts';

/** Longer lines of a JSON body are split between two values. */
const MAX_COLUMNS = 80;

/** Returns a Java 17 program without dependencies, which `java Request.java` runs directly. */
export function getJava(sent: SentRequest, response: CodeResponse = { kind: 'text' }): string {
  const { method, url, headers, body } = toCodeRequest(sent);
  const readsBase64 = body.kind !== 'form' && listFiles(body).length > 0;
  const sendsFiles = body.kind === 'form' && body.files.length > 0;
  const imports = [
    response.kind === 'stream' ? 'java.io.BufferedReader' : null,
    sendsFiles ? 'java.io.FileNotFoundException' : null,
    'java.io.IOException',
    response.kind === 'stream' ? 'java.io.InputStreamReader' : null,
    response.kind === 'stream' ? 'java.io.PrintStream' : null,
    'java.net.URI',
    'java.net.http.HttpClient',
    'java.net.http.HttpRequest',
    'java.net.http.HttpRequest.BodyPublishers',
    'java.net.http.HttpResponse.BodyHandlers',
    'java.nio.charset.StandardCharsets',
    readsBase64 || response.kind === 'file' ? 'java.nio.file.Files' : null,
    readsBase64 || sendsFiles || response.kind === 'file' ? 'java.nio.file.Path' : null,
    readsBase64 ? 'java.util.Base64' : null,
    body.kind === 'form' ? 'java.util.UUID' : null,
  ].filter((name) => name !== null);
  const main = [
    ...getBody(body),
    `var request = HttpRequest.newBuilder(URI.create(${getText(toJavaUrl(url))}))`,
    // Java asks plain HTTP servers for an upgrade to HTTP/2, and some then lose the body.
    ...(isPlainHttp(url) ? ['    .version(HttpClient.Version.HTTP_1_1)'] : []),
    ...headers.map(([name, value]) => `    .header(${writeJavaLiteral(name)}, ${getText(value)})`),
    ...(body.kind === 'form'
      ? ['    .header("Content-Type", "multipart/form-data; boundary=" + boundary)']
      : []),
    `    .method(${writeJavaLiteral(method)}, ${getPublisher(body)})`,
    '    .build();',
    '',
    'var response = HttpClient.newHttpClient().send(request, BodyHandlers.ofInputStream());',
  ];
  return [
    ...imports.map((name) => `import ${name};`),
    '',
    'public class Request {',
    '    public static void main(String[] args) throws Exception {',
    ...[...main, ...checkStatus, ...readResponse(response)].map(indentLine),
    '    }',
    ...(readsBase64 ? ['', base64Helper] : []),
    ...(body.kind === 'form' ? ['', getFormHelpers(sendsFiles)] : []),
    '}',
    '',
  ].join('\n');
}

/** Indents only the first line, because a text block has its own indentation. */
const indentLine = (line: string) => (line === '' ? '' : `        ${line}`);

const checkStatus = [
  'if (response.statusCode() >= 400) {',
  '    var message = new String(response.body().readAllBytes(), StandardCharsets.UTF_8);',
  '    throw new IOException("HTTP " + response.statusCode() + ": " + message);',
  '}',
];

const base64Helper = `    private static String readBase64(String path) throws IOException {
        return Base64.getEncoder().encodeToString(Files.readAllBytes(Path.of(path)));
    }`;

/** Declares the methods that build the parts of a form. */
function getFormHelpers(sendsFiles: boolean): string {
  const field = `    private static HttpRequest.BodyPublisher field(String boundary, String name, String value) {
        return BodyPublishers.ofString("--" + boundary + "\\r\\n"
            + "Content-Disposition: form-data; name=\\"" + name + "\\"\\r\\n\\r\\n" + value + "\\r\\n");
    }`;
  const file = `    private static HttpRequest.BodyPublisher file(
            String boundary, String name, String filename, String type, String path)
            throws FileNotFoundException {
        return BodyPublishers.concat(
            BodyPublishers.ofString("--" + boundary + "\\r\\n"
                + "Content-Disposition: form-data; name=\\"" + name + "\\"; filename=\\"" + filename + "\\"\\r\\n"
                + "Content-Type: " + type + "\\r\\n\\r\\n"),
            BodyPublishers.ofFile(Path.of(path)),
            BodyPublishers.ofString("\\r\\n"));
    }`;
  return sendsFiles ? `${field}\n\n${file}` : field;
}

function getText(text: CodeText): string {
  return writeSum(text, (variable) => `System.getenv("${variable}")`, writeJavaLiteral);
}

function isPlainHttp([first]: CodeText): boolean {
  return typeof first === 'string' && first.startsWith('http://');
}

/** Encodes characters that `URI.create` rejects, although URLs may contain them. */
function toJavaUrl(url: CodeText): CodeText {
  return url.map((part) =>
    typeof part === 'string'
      ? part.replace(/["<>\\^`{|}\s]|%(?![\da-f]{2})/gi, encodeURIComponent)
      : part,
  );
}

function getPublisher(body: CodeBody): string {
  switch (body.kind) {
    case 'none':
      return 'BodyPublishers.noBody()';
    case 'text':
    case 'json':
      return 'BodyPublishers.ofString(body)';
    case 'form':
      return 'body';
  }
}

const INDENT = ' '.repeat(12);

function getBody(body: CodeBody): string[] {
  switch (body.kind) {
    case 'none':
      return [];
    case 'text':
      return [
        `var body = ${body.pieces
          .map((piece) => (typeof piece === 'string' ? writeLongLiteral(piece) : readFile(piece)))
          .join(`\n${INDENT}+ `)};`,
      ];
    case 'json': {
      const pieces = splitJson(JSON.stringify(body.value), MAX_COLUMNS);
      return [`var body = ${joinPieces(pieces).join(`\n${INDENT}+ `)};`];
    }
    case 'form':
      return [
        'var boundary = UUID.randomUUID().toString();',
        'var body = BodyPublishers.concat(',
        ...body.fields.map(
          ([name, value]) =>
            `    field(boundary, ${writeJavaLiteral(escapeFormName(name))}, ${writeLongLiteral(value)}),`,
        ),
        ...body.files.map(({ name, filename, type, path }) => {
          const given = [
            escapeFormName(name),
            escapeFormName(filename),
            type === '' ? 'application/octet-stream' : type,
            path,
          ].map(writeJavaLiteral);
          return `    file(boundary, ${given.join(', ')}),`;
        }),
        '    BodyPublishers.ofString("--" + boundary + "--\\r\\n"));',
      ];
  }
}

const readFile = ({ path }: CodeFile) => `readBase64(${writeJavaLiteral(path)})`;

/** Writes text between two files as one text block. */
function joinPieces(pieces: readonly BodyPiece[]): string[] {
  const parts: string[] = [];
  let lines: string[] = [];
  const close = () => {
    const text = lines.join('');
    if (lines.length === 0) return;
    parts.push(isLong(text) ? writeLongLiteral(text) : writeJavaTextBlock(lines, INDENT));
    lines = [];
  };
  for (const piece of pieces) {
    if (typeof piece === 'string') lines.push(piece);
    else {
      close();
      parts.push(readFile(piece));
    }
  }
  close();
  return parts;
}

/** A constant holds 65,535 bytes, and each UTF-16 unit may take three of them. */
const MAX_CONSTANT_CHARS = 20_000;

const isLong = (text: string) => text.length > MAX_CONSTANT_CHARS;

/** Joins long text at run time, because the compiler joins constants. */
function writeLongLiteral(text: string): string {
  if (!isLong(text)) return writeJavaLiteral(text);
  const chunks = [...text.matchAll(new RegExp(`[^]{1,${MAX_CONSTANT_CHARS}}`, 'gu'))];
  const literals = chunks.map(([chunk]) => `${INDENT}${writeJavaLiteral(chunk)}`);
  return `String.join("",\n${literals.join(',\n')})`;
}

function readResponse(response: CodeResponse): string[] {
  switch (response.kind) {
    case 'text':
      return ['response.body().transferTo(System.out);'];
    case 'file':
      return [
        `Files.write(Path.of(${writeJavaLiteral(response.name)}), response.body().readAllBytes());`,
      ];
    case 'stream':
      return [
        'var output = new PrintStream(System.out, true, StandardCharsets.UTF_8);',
        'new BufferedReader(new InputStreamReader(response.body(), StandardCharsets.UTF_8))',
        '    .lines()',
        '    .forEach(output::println);',
      ];
  }
}
