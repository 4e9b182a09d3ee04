import { expect, it } from 'vitest';
import type { PastedRequest } from '../../shared/pasted/pasted-request.ts';
import { type PastedText, readPasted } from '../../shared/pasted/read-pasted.ts';

function read(text: string): PastedText {
  const result = readPasted(text);
  return result?.kind === 'request' ? result.pasted : expect.fail(JSON.stringify(result));
}

const readRequest = (text: string): PastedRequest => read(text).request;

const chat = { model: 'gpt-5.4', messages: [{ role: 'user', content: 'Hello!' }] };

const sameRequest: [name: string, text: string][] = [
  [
    'single quotes and continued lines',
    `curl https://api.openai.com/v1/chat/completions \\
  -H "Content-Type: application/json" \\
  -H "Authorization: Bearer $OPENAI_API_KEY" \\
  -d '{
    "model": "gpt-5.4",
    "messages": [{"role": "user", "content": "Hello!"}]
  }'`,
  ],
  [
    'a prompt, a cluster of short options and an escaped JSON string',
    '$ curl -sSLXPOST https://api.openai.com/v1/chat/completions -H\'content-type: application/json\' --data-binary "{\\"model\\": \\"gpt-5.4\\", \\"messages\\": [{\\"role\\": \\"user\\", \\"content\\": \\"Hello!\\"}]}" | jq .',
  ],
  [
    'a here-document and assigned variables',
    `# Get a key first.
export OPENAI_API_KEY="sk-1"
BASE=https://api.openai.com
curl "$BASE/v1/chat/completions" -H 'Content-Type: application/json' -d @- <<EOF
{"model": "gpt-5.4", "messages": [{"role": "user", "content": "Hello!"}]}
EOF`,
  ],
  [
    'a file that the script writes',
    `cat > request.json <<'EOF'
{"model": "gpt-5.4", "messages": [{"role": "user", "content": "Hello!"}]}
EOF
curl -X POST https://api.openai.com/v1/chat/completions --json @request.json`,
  ],
  [
    'a here-document in a substitution',
    `curl https://api.openai.com/v1/chat/completions --json "$(cat <<EOF
{"model": "gpt-5.4", "messages": [{"role": "user", "content": "Hello!"}]}
EOF
)"`,
  ],
  [
    'Chrome’s command prompt escapes',
    `curl ^"https://api.openai.com/v1/chat/completions^" ^
  -H ^"content-type: application/json^" ^
  --data-raw ^"^{^\\^"model^\\^":^\\^"gpt-5.4^\\^",^\\^"messages^\\^":^[^{^\\^"role^\\^":^\\^"user^\\^",^\\^"content^\\^":^\\^"Hello^!^\\^"^}^]^}^"`,
  ],
  [
    'a command prompt with backslashed quotes',
    `curl -X POST https://api.openai.com/v1/chat/completions ^
  -H "Content-Type: application/json" ^
  -d "{\\"model\\": \\"gpt-5.4\\", \\"messages\\": [{\\"role\\": \\"user\\", \\"content\\": \\"Hello!\\"}]}"`,
  ],
  [
    'curl.exe in PowerShell, with quotes escaped for Windows',
    `curl.exe https://api.openai.com/v1/chat/completions \`
  -H 'Content-Type: application/json' \`
  -d '{\\"model\\": \\"gpt-5.4\\", \\"messages\\": [{\\"role\\": \\"user\\", \\"content\\": \\"Hello!\\"}]}'`,
  ],
];

it.each(sameRequest)('reads %s', (_name, text) => {
  const { request, target } = read(text);
  expect(request).toMatchObject({
    method: 'POST',
    url: 'https://api.openai.com/v1/chat/completions',
    body: { kind: 'json', value: chat },
    notes: [],
  });
  expect(request.headers.map(([name]) => name.toLowerCase())).toContain('content-type');
  expect(target).toMatchObject({ operation: 'chat', format: '' });
});

it('keeps a caret before a double quote in single quotes', () => {
  const { body } = readRequest(`curl https://a.example/v1/x -d '{"a":"^"}'`);
  expect(body).toEqual({ kind: 'json', value: { a: '^' } });
});

it('decodes quotes, escapes and characters in all three kinds of bash quotes', () => {
  const text = `curl https://a.example/v1/x -d $'tab\\tnew\\nline \\u00e9\\x41\\101 it\\'s' -H 'A: it'\\''s' -H "B: \\$5 \\"q\\" \\n"`;
  const { body, headers } = readRequest(text);
  expect(body).toEqual({ kind: 'text', text: "tab\tnew\nline éAA it's" });
  expect(headers).toEqual([
    ['A', "it's"],
    ['B', '$5 "q" \\n'],
  ]);
});

it('reads form fields and names the files that are missing from the text', () => {
  const { request, target } = read(`curl https://api.openai.com/v1/audio/transcriptions \\
  -H "Authorization: Bearer $OPENAI_API_KEY" \\
  -F file="@/path/to/file/audio.mp3;type=audio/mpeg" \\
  -F 'timestamp_granularities[]=word' \\
  --form-string model=whisper-1`);
  expect(request).toMatchObject({ method: 'POST', headers: [] });
  expect(request.body).toEqual({
    kind: 'form',
    fields: [
      ['timestamp_granularities[]', 'word'],
      ['model', 'whisper-1'],
    ],
    files: [{ field: 'file', fileName: 'audio.mp3' }],
  });
  expect(target).toMatchObject({ operation: 'transcription' });
});

it('moves data to the query with -G and encodes it', () => {
  const { method, url, body } = readRequest(
    'curl -G --url https://a.example/v1/models -d limit=5 --data-urlencode "q=a b&c" -o out.json',
  );
  expect({ method, url, body }).toEqual({
    method: 'GET',
    url: 'https://a.example/v1/models?limit=5&q=a%20b%26c',
    body: { kind: 'none' },
  });
});

it('reports that files and substitutions weren’t read', () => {
  const { notes } = readRequest(
    'curl https://a.example/v1/x -d @dir/body.json -H "X: $(date)" && curl https://a.example/y',
  );
  expect(notes).toEqual([
    'Commands such as $(…) weren’t run.',
    'The file “body.json” can’t be read from pasted text.',
  ]);
});

it('keeps the digits of long numbers', () => {
  const { body } = readRequest(`curl https://a.example/v1/x -d '{"seed":12345678901234567890}'`);
  expect(body).toMatchObject({ value: { seed: { source: '12345678901234567890' } } });
});

it('reads the first request to an AI endpoint and counts the rest', () => {
  const { request, others } = read(`curl https://a.example/health
curl https://a.example/v1/rerank -d '{"model":"m","query":"q","documents":["a"]}'
curl https://a.example/v1/models`);
  expect(request.url).toBe('https://a.example/v1/rerank');
  expect(others).toBe(2);
});

it.each([
  ['curl https://a.example/v1 -d \'{"a":1}', 'The single quote at character 30 isn’t closed.'],
  ['curl "https://a.example', 'The double quote at character 6 isn’t closed.'],
  ['curl https://a.example -H "$(date', 'The parenthesis at character 29 isn’t closed.'],
  ['curl ^"https://a.example^" ^\n -d ^"x', 'A double quote isn’t closed.'],
])('points to the unclosed quote or bracket in %j', (text, message) => {
  expect(readPasted(text)).toEqual({ kind: 'problem', message });
});

it.each([
  'curl is not working, why? It’s odd',
  "curl doesn't start",
  'How do I use curl https://a.example?',
  'curling is a sport',
  '',
  '{"name":"Ada"}',
  '[1,2]',
  'The request was:\ncurl https://a.example',
])('returns null for %j', (text) => {
  expect(readPasted(text)).toBeNull();
});
