import { expect, it } from 'vitest';
import { type PastedText, readPasted } from '../../shared/pasted/read-pasted.ts';

function read(text: string): PastedText {
  const result = readPasted(text);
  return result?.kind === 'request' ? result.pasted : expect.fail(JSON.stringify(result));
}

const chat = {
  messages: [
    { role: 'system', content: 'Be brief.' },
    { role: 'user', content: 'It\'s "me" for $5' },
  ],
  model: 'gpt-5.4',
  temperature: 0.5,
  stream: true,
};
const url = 'https://api.openai.com/v1/chat/completions';
const archived = {
  method: 'POST',
  url,
  postData: { mimeType: 'application/json', text: JSON.stringify(chat) },
  headers: [
    { name: ':authority', value: 'api.openai.com' },
    { name: 'Authorization', value: 'Bearer sk-1234567890' },
  ],
};
const started = { method: 'GET', url: 'https://api.openai.com/', headers: [] };
const entries = [started, archived].map((request) => ({ request }));

const scripts: [name: string, text: string][] = [
  [
    'Invoke-RestMethod with hashtables in variables',
    `$headers = @{
  "Authorization" = "Bearer $env:OPENAI_API_KEY"
  "Content-Type" = "application/json"
}
$body = [ordered]@{
  model = "gpt-5.4" # The newest.
  messages = @(
    @{ role = "system"; content = "Be brief." },
    @{ role = 'user'; content = 'It''s "me" for $5' }
  )
  temperature = 0.5
  stream = $true
} | ConvertTo-Json -Depth 10 -Compress

$response = Invoke-RestMethod -Uri "https://api.openai.com/v1/chat/completions" -Method Post -Headers $headers -Body $body
$response.choices[0].message.content`,
  ],
  [
    'Invoke-WebRequest as Chrome copies it',
    `$session = New-Object Microsoft.PowerShell.Commands.WebRequestSession
$session.UserAgent = "Mozilla/5.0"
Invoke-WebRequest -UseBasicParsing -Uri "https://api.openai.com/v1/chat/completions" \`
-Method "POST" \`
-WebSession $session \`
-Headers @{
"authority"="api.openai.com"
  "authorization"="Bearer sk-1234567890"
} \`
-ContentType "application/json" \`
-Body ([System.Text.Encoding]::UTF8.GetBytes("{\`"model\`":\`"gpt-5.4\`",\`"messages\`":[{\`"role\`":\`"system\`",\`"content\`":\`"Be brief.\`"},{\`"role\`":\`"user\`",\`"content\`":\`"It's \\\`"me\\\`" for \`$5\`"}],\`"temperature\`":0.5,\`"stream\`":true}"))`,
  ],
  [
    'Invoke-RestMethod as Postman writes it',
    `$headers = New-Object "System.Collections.Generic.Dictionary[[String],[String]]"
$headers.Add("Content-Type", "application/json")
$headers.Add("Authorization", "Bearer sk-1234567890")

$body = @"
{ \`"model\`": \`"gpt-5.4\`", \`"messages\`": [ { \`"role\`": \`"system\`", \`"content\`": \`"Be brief.\`" },
  { \`"role\`": \`"user\`", \`"content\`": \`"It's \\\`"me\\\`" for \`$5\`" } ], \`"temperature\`": 0.5, \`"stream\`": true }
"@

$response = Invoke-RestMethod 'https://api.openai.com/v1/chat/completions' -Method 'POST' -Headers $headers -Body $body
$response | ConvertTo-Json`,
  ],
  [
    'a here-string and splatted parameters',
    `PS C:\\Users\\ada> $base = 'https://api.openai.com'
$params = @{
  Uri = "$base/v1/chat/completions"
  Method = 'Post'
  ContentType = 'application/json'
  Body = @'
{"model": "gpt-5.4", "messages": [{"role": "system", "content": "Be brief."},
 {"role": "user", "content": "It's \\"me\\" for $5"}], "temperature": 0.5, "stream": true}
'@
}
irm @params`,
  ],
  [
    'fetch as Chrome copies it',
    `fetch("https://api.openai.com/v1/chat/completions", {
  "headers": {
    "authorization": "Bearer sk-1234567890",
    "content-type": "application/json"
  },
  "referrer": "https://platform.openai.com/",
  "body": "{\\"model\\":\\"gpt-5.4\\",\\"messages\\":[{\\"role\\":\\"system\\",\\"content\\":\\"Be brief.\\"},{\\"role\\":\\"user\\",\\"content\\":\\"It's \\\\\\"me\\\\\\" for $5\\"}],\\"temperature\\":0.5,\\"stream\\":true}",
  "method": "POST",
  "mode": "cors"
});`,
  ],
  [
    'fetch in Node, with JSON.stringify and comments',
    `import process from 'node:process';
const url = 'https://api.openai.com/v1/chat/completions';
const options = {
  method: 'POST', // Always.
  headers: { Authorization: \`Bearer \${process.env.OPENAI_API_KEY}\`, 'Content-Type': 'application/json' },
  body: JSON.stringify({
    model: 'gpt-5.4',
    messages: [
      { role: 'system', content: 'Be ' + "brief." },
      { role: "user", content: \`It's "me" for $5\` },
    ],
    temperature: .5,
    stream: true,
  }),
};
const response = await fetch(url, options);`,
  ],
  ['an entry of an HTTP archive', JSON.stringify({ log: { entries } })],
];

it.each(scripts)('reads %s', (_name, text) => {
  const { request, target, removed } = read(text);
  expect(request).toMatchObject({
    method: 'POST',
    url,
    body: { kind: 'json', value: chat },
    notes: [],
  });
  expect(target).toMatchObject({ operation: 'chat', format: '' });
  expect(JSON.stringify(request)).not.toMatch(/sk-1234567890|OPENAI_API_KEY/);
  if (/authorization/i.test(text)) expect(removed[0]).toMatch(/^the authorization header$/i);
});

const formWith = (fileName: string) => ({
  kind: 'form',
  fields: [['model', 'whisper-1']],
  files: [{ field: 'file', fileName }],
});

it('decodes the characters that browsers write as codes in PowerShell', () => {
  const text = 'irm "https://a.example" -Method "POST" -Body "na$([char]239)ve$([char]10)`"`$5`""';
  expect(read(text).request.body).toEqual({ kind: 'text', text: 'naïve\n"$5"' });
});

it.each([
  ['$base/v1/models', 'a word after a variable'],
  ['($base + "/v1/models")', 'a sum'],
  ["([uri]'https://a.example/v1/models')", 'a typed value'],
])('reads a URL in PowerShell such as %s, %s', (written) => {
  const text = `$base = "https://a.example"\nirm ${written} -Headers @{ a = 1 } | Out-Null`;
  expect(read(text).request).toMatchObject({
    url: 'https://a.example/v1/models',
    headers: [['a', '1']],
  });
});

const headers = [
  ['accept', '*/*'],
  ['sec-ch-ua', '"Chromium";v="124"'],
  ['Content-Type', 'application/json'],
];

it.each<[name: string, text: string, expected: object]>([
  [
    'a session with cookies, as Edge copies it',
    `$session = New-Object Microsoft.PowerShell.Commands.WebRequestSession
$session.UserAgent = "Mozilla/5.0 (Windows NT 10.0; Win64; x64)"
$session.Cookies.Add((New-Object System.Net.Cookie("id", "a=.b", "/", ".a.example")))
Invoke-WebRequest -UseBasicParsing -Uri "https://a.example/v1/embeddings" \`
-Method "POST" \`
-WebSession $session \`
-Headers @{
"accept"="*/*"
  "sec-ch-ua"="\`"Chromium\`";v=\`"124\`""
} \`
-ContentType "application/json" \`
-Body ([System.Text.Encoding]::UTF8.GetBytes("{\`"model\`":\`"m\`",\`"input\`":\`"\`"}"))`,
    { headers, body: { kind: 'json', value: { model: 'm', input: '' } } },
  ],
  [
    'a body in single quotes, as Insomnia writes it',
    `$headers=@{}
$headers.Add("accept", "*/*")
$response = Invoke-RestMethod -Uri 'https://a.example/v1/embeddings' -Method POST -Headers $headers -Body '{
  "model": "m", "input": "it''s" }'`,
    { headers: [['accept', '*/*']], body: { kind: 'json', value: { model: 'm', input: "it's" } } },
  ],
  [
    'a here-string with empty strings and blank lines',
    `$body = @"

{ "model": "m", "input": "", "user": "$env:USER" }

"@
irm https://a.example/v1/embeddings -Method Post -Body $body # -Method Put`,
    { body: { kind: 'json', value: { model: 'm', input: '', user: '$env:USER' } } },
  ],
  [
    'empty here-strings',
    `$a = @"
"@
irm https://a.example/v1/embeddings -Method Post -Body @'
'@`,
    { body: { kind: 'none' } },
  ],
  [
    'lists, numbers, constants and assigned fields',
    `[Net.ServicePointManager]::SecurityProtocol = [Net.SecurityProtocolType]::Tls12
[hashtable]$body = @{ model = 'm'; input = "a", 'b'; none = @(); ids = @(@(1, -2.5), @(3e2)) }
$body['extra'] = @(
  @{ one = $true }
  [pscustomobject]@{ two = $null }
)
$body.user = "na$([char]239)ve"
try {
  $null = irm https://a.example/v1/embeddings -Method Post -Body ($body | ConvertTo-Json -Depth 10)
} catch { Write-Error $_ }`,
    {
      body: {
        kind: 'json',
        value: {
          model: 'm',
          input: ['a', 'b'],
          none: [],
          ids: [[1, -2.5], [300]],
          extra: [{ one: true }, { two: null }],
          user: 'naïve',
        },
      },
    },
  ],
  [
    'an argument of ConvertTo-Json',
    `$body = @{ model = 'm' }
$response = irm https://a.example/v1/embeddings -Method Post -Body (ConvertTo-Json $body -Depth 5)`,
    { body: { kind: 'json', value: { model: 'm' } } },
  ],
  [
    'splatted parameters with a switch',
    `$parameters = @{ UseBasicParsing = $true; Method = 'Post'; Body = '{"model":"m"}' }
iwr https://a.example/v1/embeddings @parameters`,
    { body: { kind: 'json', value: { model: 'm' } } },
  ],
  [
    'curl of Windows PowerShell',
    `curl -Uri https://a.example/v1/embeddings -Method Post -Headers @{ accept = '*/*' } -Body '{"model":"m"}'`,
    { headers: [['accept', '*/*']], body: { kind: 'json', value: { model: 'm' } } },
  ],
  [
    'a field in a string, without the other fields',
    `$gateway = @{ api_key = 'sk-1234567890'; url = 'https://a.example/v1' }
irm "$($gateway.url)/embeddings" -Method Post -Body '{"model":"m"}'`,
    { url: '$($gateway.url)/embeddings', body: { kind: 'json', value: { model: 'm' } } },
  ],
  [
    'a file as the body',
    'irm https://a.example/v1/embeddings -Method Post -InFile ./data/a.jsonl',
    { body: { kind: 'none' }, notes: ['The file “a.jsonl” can’t be read from pasted text.'] },
  ],
])('reads %s in PowerShell', (_name, text, expected) => {
  const { request, others } = read(text);
  const shared = { method: 'POST', url: 'https://a.example/v1/embeddings', notes: [] };
  expect(request).toMatchObject({ ...shared, ...expected });
  expect(others).toBe(0);
});

it('reads forms with files in PowerShell and JavaScript', () => {
  const form = formWith('speech.mp3');
  const powershell = `$form = @{ model = 'whisper-1'; file = Get-Item -Path './audio/speech.mp3' }
Invoke-RestMethod https://a.example/v1/audio/transcriptions -Method Post -Form $form`;
  const node = `const form = new FormData();
form.append('model', 'whisper-1');
form.append('file', fs.createReadStream('audio/speech.mp3'));
await fetch('https://a.example/v1/audio/transcriptions', { method: 'POST', body: form });`;
  expect(read(powershell).request.body).toEqual(form);
  expect(read(node).request.body).toEqual(form);
});

it('reads a form that the browser copies as text', () => {
  const body = [
    '------x',
    'Content-Disposition: form-data; name="model"',
    '',
    'whisper-1',
    '------x',
    'Content-Disposition: form-data; name="file"; filename="a.mp3"',
    'Content-Type: audio/mpeg',
    ...['', '', '------x--', ''],
  ].join('\r\n');
  const headers = { 'content-type': 'multipart/form-data; boundary=----x' };
  const init = JSON.stringify({ headers, body, method: 'POST' });
  const text = `fetch("https://a.example/v1/audio/transcriptions", ${init});`;
  expect(read(text).request.body).toEqual(formWith('a.mp3'));
});

it.each([
  ["fetch('https://a.example", /^The single quote at character 7 isn’t closed\.$/],
  [
    "fetch('https://a.example', { body: JSON.stringify({ a: 1 )",
    /^The JavaScript at character 58 can’t be read: “\)”\.$/,
  ],
  ["fetch('https://a.example', { ...options })", /can’t be read: “\.\.\.”/],
  [
    'Invoke-RestMethod -Uri "https://a.example',
    /^The double quote at character 24 isn’t closed\.$/,
  ],
  ["irm https://a.example -Body @'\nx", /^The here-string at character 29 isn’t closed\.$/],
  ['irm https://a.example -Headers @{ a = (1 ', /^The parenthesis at character 39 isn’t closed\.$/],
  ['irm https://a.example -Body { a }', /^The PowerShell at character 29 can’t be read: “{”\.$/],
  ['irm https://a.example -Body (😀)', /^The PowerShell at character 30 can’t be read: “😀”\.$/],
  ['irm https://a.example -Body (1 +', /^The PowerShell ends too early\.$/],
  ['irm @parameters # https://a.example', /^The PowerShell command has no -Uri\.$/],
  ['irm https://a.example -Headers @{ a 1 }', /^Expected “=” at character 37 of the hashtable\.$/],
])('points to the unreadable part of %j', (text, message) => {
  expect(readPasted(text)).toEqual({ kind: 'problem', message: expect.stringMatching(message) });
});
