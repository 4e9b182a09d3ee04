import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from '@playwright/test';
import { answers, chooseModel, runButton, sendMessage } from './fixtures/chat-page.ts';
import { test } from './fixtures/gateway-app.ts';

test('what a model writes is never run, and calls nobody', async ({ app, gateway }) => {
  const stranger = createServer((_, response) => response.end());
  stranger.listen(0, '127.0.0.1');
  await once(stranger, 'listening');
  const { port } = stranger.address() as AddressInfo;
  const visits: string[] = [];
  stranger.on('request', ({ url }) => visits.push(url ?? ''));
  const elsewhere = `http://127.0.0.1:${port}`;
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
    await expect(runButton(app)).toBeVisible();
    await expect(answer.locator('script, iframe, img, link, style, object, embed')).toHaveCount(0);
    const targets = await answer
      .locator('a')
      .evaluateAll((links) => links.map((link) => link.getAttribute('href') ?? ''));
    for (const target of targets) expect(target).toMatch(/^(https?|mailto):/);
    await app.reload();
    await expect(answers(app)).toContainText('The very end');
    expect(await app.title()).toBe(title);
    expect(visits).toEqual([]);
  } finally {
    stranger.close();
    stranger.closeAllConnections();
  }
});

test('replies of odd shapes are shown as far as they can be', async ({ app, gateway }) => {
  await chooseModel(app, 'steady-model');
  const odd: { name: string; frames: string[]; shows: string }[] = [
    {
      name: 'unknown fields, null content, a repeated role and an unknown finish reason',
      frames: [
        '{"choices":[{"index":0,"delta":{"role":"assistant","content":null}}],"usage":null}',
        '{"choices":[{"delta":{"role":"assistant","content":"odd one"}}],"extra":{"a":[1]}}',
        '{"choices":[{"index":0,"delta":{},"finish_reason":"because"}]}',
        '{"choices":[],"usage":{"prompt_tokens":"3"}}',
      ],
      shows: 'odd one',
    },
    {
      name: 'content as an array',
      frames: [
        '{"choices":[{"index":0,"delta":{"content":[{"type":"text","text":"odd array"}]}}]}',
        '{"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}',
      ],
      shows: 'odd array',
    },
    {
      name: 'a frame that is no JSON between two that are',
      frames: [
        '{"choices":[{"index":0,"delta":{"content":"odd "}}]}',
        'this is not JSON',
        '{"choices":[{"index":0,"delta":{"content":"frame"},"finish_reason":"stop"}]}',
      ],
      shows: 'odd frame',
    },
    {
      name: 'numbers, arrays and null as frames',
      frames: [
        '1',
        '[]',
        'null',
        '"text"',
        '{}',
        '{"choices":[{"delta":{"content":"odd value"}}]}',
      ],
      shows: 'odd value',
    },
    {
      name: 'a message in place of a delta',
      frames: ['{"choices":[{"index":0,"message":{"role":"assistant","content":"odd message"}}]}'],
      shows: 'odd message',
    },
  ];
  for (const { name, frames, shows } of odd) {
    await test.step(name, async () => {
      await sendMessage(app, name);
      const call = await gateway.nextCall();
      for (const frame of frames) await call.frame(frame);
      await call.frame('[DONE]');
      await expect(answers(app).last()).toContainText(shows);
      await expect(runButton(app)).toBeVisible();
    });
  }
  await app.reload();
  await expect(answers(app).last()).toContainText('odd message');
});
