import type { CodeResponse } from '../../../shared/operations/operation.ts';
import type { SentRequest } from '../../../shared/run.ts';
import {
  type CodeBody,
  type CodeText,
  escapeFormName,
  listFiles,
  splitJson,
  toCodeRequest,
  writeSum,
} from './code-request.ts';
import { writeGoLiteral, writeGoRawLiteral } from './literals.ts';

/** Longer lines of a JSON body are split between two values. */
const MAX_COLUMNS = 80;

/** Returns a Go program that uses only the standard library, formatted as `gofmt` does. */
export function getGo(sent: SentRequest, response: CodeResponse = { kind: 'text' }): string {
  const { method, url, headers, variables, body } = toCodeRequest(sent);
  const readsBase64 = body.kind !== 'form' && listFiles(body).length > 0;
  const sendsFiles = body.kind === 'form' && body.files.length > 0;
  const imports = [
    response.kind === 'stream' ? 'bufio' : null,
    body.kind === 'form' ? 'bytes' : null,
    readsBase64 ? 'encoding/base64' : null,
    response.kind === 'stream' ? 'fmt' : null,
    'io',
    'log',
    body.kind === 'form' ? 'mime/multipart' : null,
    'net/http',
    sendsFiles ? 'net/textproto' : null,
    variables.length > 0 || readsBase64 || sendsFiles || response.kind !== 'stream' ? 'os' : null,
    body.kind === 'text' || body.kind === 'json' ? 'strings' : null,
  ].filter((name) => name !== null);
  const main = [
    ...getBody(body),
    `request, err := http.NewRequest(${writeGoLiteral(method)}, ${getText(url)}, ${body.kind === 'none' ? 'nil' : 'body'})`,
    ...checkError,
    ...getHeaders(headers),
    ...(body.kind === 'form'
      ? ['request.Header.Set("Content-Type", form.FormDataContentType())']
      : []),
    '',
    'response, err := http.DefaultClient.Do(request)',
    ...checkError,
    'defer response.Body.Close()',
    'if response.StatusCode >= 400 {',
    '\tmessage, _ := io.ReadAll(response.Body)',
    '\tlog.Fatalf("HTTP %d: %s", response.StatusCode, message)',
    '}',
    ...readResponse(response),
  ];
  return [
    'package main',
    '',
    'import (',
    ...imports.map((name) => `\t"${name}"`),
    ')',
    ...(readsBase64 ? ['', base64Helper] : []),
    ...(sendsFiles ? ['', fileHelper] : []),
    '',
    'func main() {',
    ...main.map((line) => (line === '' ? '' : `\t${line}`)),
    '}',
    '',
  ].join('\n');
}

const checkError = ['if err != nil {', '\tlog.Fatal(err)', '}'];

const base64Helper = `func readBase64(path string) string {
	content, err := os.ReadFile(path)
	if err != nil {
		log.Fatal(err)
	}
	return base64.StdEncoding.EncodeToString(content)
}`;

const fileHelper = `func addFile(form *multipart.Writer, disposition, contentType, path string) {
	file, err := os.Open(path)
	if err != nil {
		log.Fatal(err)
	}
	defer file.Close()
	part, err := form.CreatePart(textproto.MIMEHeader{
		"Content-Disposition": {disposition},
		"Content-Type":        {contentType},
	})
	if err != nil {
		log.Fatal(err)
	}
	if _, err := io.Copy(part, file); err != nil {
		log.Fatal(err)
	}
}`;

function getText(text: CodeText): string {
  return writeSum(text, (variable) => `os.Getenv("${variable}")`, writeGoLiteral, '+');
}

function getHeaders(headers: readonly [name: string, value: CodeText][]): string[] {
  const names = new Set<string>();
  return headers.map(([name, value]) => {
    const verb = names.has(name.toLowerCase()) ? 'Add' : 'Set';
    names.add(name.toLowerCase());
    return `request.Header.${verb}(${writeGoLiteral(name)}, ${getText(value)})`;
  });
}

function getBody(body: CodeBody): string[] {
  switch (body.kind) {
    case 'none':
      return [];
    case 'text':
    case 'json': {
      const split =
        body.kind === 'text' ? body.pieces : splitJson(JSON.stringify(body.value), MAX_COLUMNS);
      const pieces = split.map((piece) =>
        typeof piece === 'string'
          ? writeGoRawLiteral(piece)
          : `readBase64(${writeGoLiteral(piece.path)})`,
      );
      return [`body := strings.NewReader(${pieces.join(' +\n\t\t')})`];
    }
    case 'form':
      return [
        'body := &bytes.Buffer{}',
        'form := multipart.NewWriter(body)',
        ...body.fields.map(writeField),
        ...body.files.map(({ name, filename, type, path }) => {
          const names = `name="${escapeFormName(name)}"; filename="${escapeFormName(filename)}"`;
          const values = [
            writeGoRawLiteral(`form-data; ${names}`),
            writeGoLiteral(type === '' ? 'application/octet-stream' : type),
            writeGoLiteral(path),
          ];
          return `addFile(form, ${values.join(', ')})`;
        }),
        'if err := form.Close(); err != nil {',
        '\tlog.Fatal(err)',
        '}',
        '',
      ];
  }
}

/** Writing to a buffer never fails. */
function writeField([name, value]: [string, string]): string {
  return `_ = form.WriteField(${writeGoLiteral(escapeFormName(name))}, ${writeGoLiteral(value)})`;
}

function readResponse(response: CodeResponse): string[] {
  switch (response.kind) {
    case 'text':
      return [
        'if _, err := io.Copy(os.Stdout, response.Body); err != nil {',
        ...checkError.slice(1),
      ];
    case 'file':
      return [
        `file, err := os.Create(${writeGoLiteral(response.name)})`,
        ...checkError,
        'defer file.Close()',
        'if _, err := io.Copy(file, response.Body); err != nil {',
        ...checkError.slice(1),
      ];
    case 'stream':
      return [
        'lines := bufio.NewReader(response.Body)',
        'for {',
        "\tline, err := lines.ReadString('\\n')",
        '\tfmt.Print(line)',
        '\tif err == io.EOF {',
        '\t\tbreak',
        '\t}',
        ...checkError.map((line) => `\t${line}`),
        '}',
      ];
  }
}
