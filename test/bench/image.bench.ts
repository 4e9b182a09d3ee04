import { createServer } from 'node:http';
import { test as base } from '../e2e/fixtures/app.ts';
import { chooseModel, runButton } from '../e2e/fixtures/chat-page.ts';
import { openPanel } from '../e2e/fixtures/settings-page.ts';
import { note } from './harness/figures.ts';
import { noisePng } from './harness/noise-png.ts';
import { interleave, ratios } from './harness/rounds.ts';

const ENCODED_BYTES = 30_000_000;

interface ImageGateway {
  url: string;
  /** When the last response started, in Unix milliseconds. */
  repliedAt(): number;
  side: number;
}

const test = base.extend<{ gateway: ImageGateway }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads from it which fixtures are used
  gateway: async ({}, use) => {
    // Noise doesn't compress: three bytes per pixel, four base64 characters per three bytes.
    const side = Math.round(Math.sqrt(ENCODED_BYTES / 4));
    const image = noisePng(side).toString('base64');
    const parts = [{ inlineData: { mimeType: 'image/png', data: image } }];
    const reply = JSON.stringify({
      candidates: [{ index: 0, content: { role: 'model', parts }, finishReason: 'STOP' }],
    });
    let repliedAt = 0;
    const server = createServer((request, response) => {
      request.resume();
      request.on('end', () => {
        const isList = request.method === 'GET';
        repliedAt = performance.timeOrigin + performance.now();
        response.writeHead(200, {
          'Content-Type': 'application/json',
          'Access-Control-Allow-Origin': '*',
        });
        response.end(isList ? '{"object":"list","data":[]}' : reply);
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const address = server.address();
    if (address === null || typeof address === 'string') throw new Error('No port.');
    await use({ url: `http://127.0.0.1:${address.port}`, repliedAt: () => repliedAt, side });
    server.close();
    server.closeAllConnections();
  },
  hostEnvironment: async ({ gateway }, use) => {
    await use({ GATEHOUSE_BASE_URL: gateway.url, GATEHOUSE_API_KEY: 'sk-bench-0123456789abcdef' });
  },
});

/** When an image of that width, at none of those URLs, is decoded and painted, in Unix milliseconds. */
const paintedAt = async (of: { side: number; known: string[] }): Promise<number> => {
  const { side, known } = of;
  const frame = () => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
  for (;;) {
    const pictures = [...document.querySelectorAll('img')];
    const picture = pictures.find(
      (one) => one.complete && one.naturalWidth === side && !known.includes(one.src),
    );
    if (picture !== undefined) {
      await picture.decode();
      await frame();
      return performance.timeOrigin + performance.now();
    }
    await frame();
  }
};

test('an image of 30 MB in base64, from the socket to the screen', async ({
  app,
  gateway,
}, testInfo) => {
  await openPanel(app, 'Image');
  await chooseModel(app, 'noise-model');
  await app.getByRole('textbox', { name: 'Prompt' }).fill('Noise');
  const bare = await app.context().newPage();
  const { ours, direct } = await interleave({
    async ours() {
      await app.bringToFront();
      const known = await app.evaluate(() =>
        [...document.querySelectorAll('img')].map(({ src }) => src),
      );
      await runButton(app).click();
      const at = await app.evaluate(paintedAt, { side: gateway.side, known });
      return at - gateway.repliedAt();
    },
    async direct() {
      await bare.bringToFront();
      await bare.evaluate(async (url) => {
        document.body.replaceChildren();
        const answer = await fetch(url, { method: 'POST' });
        const { candidates } = await answer.json();
        const picture = document.body.appendChild(new Image(400));
        picture.src = `data:image/png;base64,${candidates[0].content.parts[0].inlineData.data}`;
      }, `${gateway.url}/`);
      const at = await bare.evaluate(paintedAt, { side: gateway.side, known: [] });
      return at - gateway.repliedAt();
    },
  });
  await bare.close();
  const what = 'An image of 30 MB in base64, from the socket to the screen';
  note(testInfo, `${what}, beside a bare page`, ratios(ours, direct), '×');
  note(testInfo, what, ours, 'ms');
});
