import { expect } from '@playwright/test';
import { reply } from '../fixtures/wire-server.ts';
import { answers, chooseModel, sendButton, sendMessage } from './fixtures/chat-page.ts';
import { startForeignServer } from './fixtures/foreign-server.ts';
import { test } from './fixtures/gateway-app.ts';
import { jsonReply } from './fixtures/scripted-gateway.ts';
import { openPanel } from './fixtures/settings-page.ts';
import { spokenWav } from './fixtures/spoken-wav.ts';

test('never runs text from a model or contacts a server for it', async ({ app, gateway }) => {
  const stranger = await startForeignServer();
  const elsewhere = stranger.origin;
  const hostile = [
    '<script>document.title = "owned"</script>',
    '<img src=x onerror="document.title = \'owned\'">',
    `<iframe src="${elsewhere}/frame"></iframe>`,
    '[click](javascript:document.title="owned")',
    '[click](data:text/html,<script>1</script>)',
    `![pixel](${elsewhere}/pixel.png?what=secret)`,
    `<${elsewhere}/auto>`,
    `<link rel=stylesheet href="${elsewhere}/style.css">`,
    '| <b>a</b> |\n|---|\n| <svg onload="document.title=\'owned\'"> |',
    '```html\n<script>document.title = "owned"</script>\n```',
    `[ref]: ${elsewhere}/ref "x"\n\n![again][ref]`,
  ].join('\n\n');
  const title = await app.title();
  try {
    await chooseModel(app, 'steady-model');
    await sendMessage(app, 'Attack me');
    const call = await gateway.nextCall();
    for (const piece of hostile.match(/[\s\S]{1,7}/g) ?? []) await call.say(piece);
    await call.say('\n\nThe very end');
    await call.finish();
    const answer = answers(app);
    await expect(answer).toContainText('The very end');
    await expect(sendButton(app)).toBeVisible();
    await expect(answer.locator('script, iframe, img, link, style, object, embed')).toHaveCount(0);
    const targets = await answer
      .locator('a')
      .evaluateAll((links) => links.map((link) => link.getAttribute('href') ?? ''));
    for (const target of targets) expect(target).toMatch(/^(https?|mailto):/);
    await app.reload();
    await expect(answers(app)).toContainText('The very end');
    expect(await app.title()).toBe(title);
    expect(stranger.visits).toEqual([]);
  } finally {
    stranger.close();
  }
});

test('draws a diagram from a model without scripts or requests', async ({ app, gateway }) => {
  const stranger = await startForeignServer();
  const elsewhere = stranger.origin;
  const title = await app.title();
  const hostile = [
    '%%{init: {"securityLevel": "loose", "htmlLabels": true}}%%',
    'flowchart LR',
    '  A["<img src=x onerror=\'document.title = 1\'>One"] --> B["<script>document.title = 1</script>Two"]',
    `  B --> C["<img src='${elsewhere}/label.png'>Three"]`,
    `  click A href "${elsewhere}/link"`,
    '  click B call alert(1)',
  ].join('\n');
  const loading = [
    'flowchart LR',
    `  A@{ img: "${elsewhere}/shape.png", label: "Picture" } --> B`,
  ].join('\n');
  try {
    await chooseModel(app, 'steady-model');
    await sendMessage(app, 'Draw');
    const call = await gateway.nextCall();
    for (const code of [hostile, loading]) await call.say(`\`\`\`mermaid\n${code}\n\`\`\`\n\n`);
    await call.say('The very end');
    await call.finish();
    await expect(sendButton(app)).toBeVisible();
    const answer = answers(app);
    await answer.getByRole('button', { name: 'Draw diagram' }).first().click();
    const image = answer.getByRole('img', { name: 'Diagram: flowchart' });
    await expect(image).toBeVisible();
    // The page's policy must let Mermaid measure text, which the image then shows.
    expect((await image.boundingBox())?.width).toBeGreaterThan(200);
    await image.click();
    // A diagram that needs to load a remote image must not be drawn.
    await answer.getByRole('button', { name: 'Draw diagram' }).click();
    await expect(answer.getByRole('alert')).toBeVisible();
    await expect(answer.locator('script, iframe, link, style, object')).toHaveCount(0);
    expect(await app.title()).toBe(title);
    expect(app.url()).not.toContain(elsewhere);
    expect(stranger.visits).toEqual([]);
  } finally {
    stranger.close();
  }
});

test('shows scripts in subtitles, images and names as text, or offers the files as downloads', async ({
  app,
  gateway,
}) => {
  const owned = () => app.evaluate(() => Reflect.get(window, 'owned'));
  const result = app.getByRole('region', { name: 'Result' });
  const foreign = result.locator('script, iframe, object, embed, style, link');
  const sound = { mimeType: 'audio/wav', buffer: spokenWav(1) };

  await openPanel(app, 'Transcription');
  await chooseModel(app, 'steady-model');
  const name = '<img src=x onerror="owned = 1">\u202evaw.wav';
  await app.getByLabel('Choose audio files').setInputFiles({ ...sound, name });
  await app.getByRole('combobox', { name: 'Format' }).selectOption('vtt');
  await app.getByRole('button', { name: 'Run', exact: true }).click();
  const heard = await gateway.nextCall();
  expect(heard.request).not.toContain('\u202e');
  const cue = '<script>owned = 1</script><img src=x onerror="owned = 1"> the cue';
  const subtitles = `WEBVTT\n\nSTYLE\n::cue { background: url(/x) }\n\n00:00.000 --> 00:01.000\n${cue}\n`;
  await heard.reply(reply('200 OK', { 'Content-Type': 'text/vtt' }, subtitles));
  await expect(result.getByText('Succeeded')).toBeVisible();
  for (const tab of await result.getByRole('tab').all()) {
    await tab.click();
    await expect(result.getByRole('tabpanel')).toContainText('the cue');
    await expect(foreign).toHaveCount(0);
  }
  await expect(app.getByText(/onerror.*vaw\.wav/).first()).toBeVisible();
  expect(await app.locator('body').innerText()).not.toContain('\u202e');

  await openPanel(app, 'Image');
  await chooseModel(app, 'steady-model');
  await app.getByRole('textbox', { name: 'Prompt' }).fill('A boat');
  await app.getByRole('button', { name: 'Run', exact: true }).click();
  const svg =
    '<svg xmlns="http://www.w3.org/2000/svg" onload="owned = 1"><script>owned = 1</script></svg>';
  const parts = ['image/svg+xml', 'image/png', 'text/html'].map((mimeType) => ({
    inlineData: { mimeType, data: Buffer.from(svg).toString('base64') },
  }));
  const drawn = await gateway.nextCall();
  const content = {
    role: 'model',
    parts: [...parts, { text: '<script>owned = 1</script> drawn' }],
  };
  await drawn.reply(jsonReply('200 OK', { candidates: [{ content, finishReason: 'STOP' }] }));
  await expect(result).toContainText('drawn');
  await expect(foreign).toHaveCount(0);
  await expect(result.locator('img, svg[onload]')).toHaveCount(0);
  expect(await owned()).toBeUndefined();
});
