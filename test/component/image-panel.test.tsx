import { beforeEach, expect, test, vi } from 'vitest';
import { page } from 'vitest/browser';
import { render } from 'vitest-browser-react';
import '../../renderer/ui/tokens.css';
import '../../renderer/ui/base.css';
import { ImagePanel } from '../../renderer/features/image/image-panel.tsx';
import { useUndo, withdrawOffer } from '../../renderer/lib/undo.ts';
import { handOver } from '../../renderer/media/hand-over/hand-over.ts';
import { uploadMedia } from '../../renderer/media/uploads/upload-media.ts';
import { panelForms } from '../../renderer/run/form/panel-forms.ts';
import { useLiveRuns } from '../../renderer/run/live/live-runs.ts';
import { noteEvent } from '../../renderer/ui/note-at.ts';
import type { StartInput } from '../../shared/contract/runs.ts';
import type { Media } from '../../shared/media.ts';
import type { OperationDescription } from '../../shared/operations/form/description.ts';
import { emptyImageState, type ImageState } from '../../shared/operations/image/state.ts';
import { operations } from '../../shared/operations/operations.ts';
import type { RunSummary } from '../../shared/run.ts';
import { runView } from '../fixtures/run-view.ts';
import { storedFields } from './fake-forms.ts';
import { resetForms } from './forms-fixtures.ts';
import { pictureFile } from './media-fixtures.ts';
import { demo, Queries } from './params-fixtures.tsx';

const mediaId = 'Ab3_-Ab3_-Ab3_-Ab3_-Ab';

const main = vi.hoisted(() => ({
  started: [] as unknown[],
  runs: [] as unknown[],
  media: null as unknown,
  /** What a start waits for. */
  held: null as Promise<void> | null,
}));

const description: OperationDescription = {
  name: 'image',
  renamable: [],
  draft: {},
  fields: [],
};

const picture: Media = {
  id: mediaId,
  kind: 'image',
  type: 'image/png',
  declaredType: 'image/png',
  name: 'image.png',
  sizeBytes: 1000,
  complete: true,
  width: 1024,
  height: 1024,
  durationSeconds: null,
  sampleRate: null,
  channels: null,
  frameRate: null,
  createdAt: 0,
};

vi.mock('../../renderer/run/form/describe.ts', async (importOriginal) => ({
  ...(await importOriginal<typeof import('../../renderer/run/form/describe.ts')>()),
  useOperation: () => description,
}));
vi.mock('../../renderer/lib/connections.ts', () => ({
  useConnections: () => ({ connections: [demo], selected: demo, isPending: false, error: null }),
  selectConnection: async () => undefined,
}));
vi.mock('../../renderer/lib/link-state.ts', () => ({
  // The tests hand the views to the page themselves.
  linkOpen: () => new Promise(() => undefined),
}));
vi.mock('../../renderer/lib/app-error.ts', async (importOriginal) => ({
  ...(await importOriginal<object>()),
  toAppError: (error: unknown) => error,
}));
vi.mock('../../renderer/lib/api.ts', async () => {
  const { createTanstackQueryUtils } = await import('@orpc/tanstack-query');
  const { demoModels } = await import('./params-fixtures.tsx');
  const { fakeForms } = await import('./fake-forms.ts');
  const api = {
    forms: fakeForms,
    models: { suggest: async () => demoModels },
    media: { get: async () => main.media, list: async () => ({ media: [], more: false }) },
    runs: {
      start: async (input: StartInput) => {
        main.started.push(input);
        await main.held;
        return { runId: 'run-1' };
      },
      get: async () => ({
        request: {
          contents: [{ role: 'user', parts: [{ text: 'A gate' }] }],
          generationConfig: { imageConfig: { aspectRatio: '16:9', imageSize: '2K' } },
        },
        extraBody: {},
      }),
      list: async () => ({ runs: main.runs, more: false }),
      cancel: async () => undefined,
    },
  };
  return { api, orpc: createTanstackQueryUtils(api) };
});

beforeEach(() => {
  location.hash = '#/image';
  main.started = [];
  main.runs = [];
  main.held = null;
  for (const { id } of useUndo.getState().offers) withdrawOffer(id);
  main.media = picture;
  resetForms();
  useLiveRuns.setState({ views: {}, problems: {} });
});

async function panel({ width = 1300, height = 800 } = {}) {
  const screen = await render(
    <Queries>
      <div style={{ display: 'flex', width, height }}>
        <ImagePanel />
      </div>
    </Queries>,
  );
  await expect.element(screen.getByRole('combobox', { name: 'Model' })).toHaveValue('demo-story');
  return screen;
}

function came(state: Partial<ImageState>, more: Partial<RunSummary> = {}) {
  const { figures, noResult } = operations.image;
  const whole = { ...emptyImageState, ...state };
  const view = runView('image', {
    figures: { ...figures(whole), noResult: noResult(whole, []) },
    preview: 'A gate',
    status: 'succeeded',
    media: state.media ?? [],
    state,
    ...more,
  });
  main.runs = [view];
  useLiveRuns.setState({ views: { 'run-1': view } });
  panelForms.image.change({ runId: 'run-1' });
}

const answer: Partial<ImageState> = {
  candidates: [
    {
      role: 'model',
      parts: [
        { type: 'text', text: 'Hm', thought: true },
        { type: 'text', text: 'Here it is.', thought: false },
        { type: 'media', mediaId, mimeType: 'image/png' },
      ],
      finishReason: 'STOP',
      safetyRatings: [{ category: 'HARM_CATEGORY_HARASSMENT', probability: 'NEGLIGIBLE' }],
    },
  ],
  media: [picture],
};

test('sends prompt, ratio and size as typed, and the modalities of a new draft', async () => {
  const screen = await panel();
  await screen.getByRole('textbox', { name: 'Prompt' }).fill('A gate');
  await screen.getByRole('combobox', { name: 'Aspect ratio' }).fill('7:5');
  await screen.getByRole('combobox', { name: 'Image size' }).fill('huge');
  await screen.getByRole('button', { name: 'Run', exact: true }).click();
  await vi.waitFor(() => expect(main.started).toHaveLength(1));
  expect((main.started[0] as StartInput).request).toEqual({
    model: 'demo-story',
    contents: [{ role: 'user', parts: [{ text: 'A gate' }] }],
    generationConfig: {
      responseModalities: ['TEXT', 'IMAGE'],
      imageConfig: { aspectRatio: '7:5', imageSize: 'huge' },
    },
  });
});

test('leaves a modality out, adds another, or sends none at all', async () => {
  const screen = await panel();
  await screen.getByRole('button', { name: 'TEXT' }).click();
  const other = screen.getByRole('textbox', { name: 'Other modality' });
  await other.fill('AUDIO');
  await screen.getByRole('textbox', { name: 'More fields' }).click();
  await expect
    .poll(() => storedFields('image')['input.responseModalities'])
    .toEqual(['IMAGE', 'AUDIO']);
  await screen.getByRole('button', { name: 'Reset Response modalities' }).click();
  await expect.poll(() => storedFields('image')['input.responseModalities']).toBeNull();
});

test('does not run with more fields that are no JSON object', async () => {
  const screen = await panel();
  await screen.getByRole('textbox', { name: 'Prompt' }).fill('A gate');
  await screen.getByRole('textbox', { name: 'More fields' }).fill('[1]');
  const run = screen.getByRole('button', { name: 'Run', exact: true });
  await expect.element(run).toHaveAttribute('aria-disabled', 'true');
  const example = screen.getByRole('button', { name: 'A woodcut' });
  await expect.element(example).toHaveAttribute('aria-disabled', 'true');
  await example.click({ force: true });
  await expect.element(screen.getByRole('alert').first()).toMatchTextContent(/More fields: /);
  expect(main.started).toEqual([]);
});

test('shows the parts in order, received beside requested values, and the ratings', async () => {
  came(answer);
  const screen = await panel();
  const result = screen.getByRole('region', { name: 'Result' });
  await expect.element(result.getByText('Here it is.')).toBeVisible();
  await expect.element(result.getByText('Requested: 16:9 · 2K')).toBeVisible();
  // It came square.
  await expect.element(result.getByText('requested 16:9')).toBeVisible();
  await expect.element(result.getByText('harassment: negligible')).toBeVisible();
  await expect
    .element(screen.getByRole('region', { name: 'Gallery' }).getByRole('button'))
    .toHaveAccessibleName('Show A gate');
});

test('says once why it ended, and each fact once', async () => {
  const usage = { promptTokenCount: 12, candidatesTokenCount: 1290, totalTokenCount: 1302 };
  came({ ...answer, usage, model: 'demo-pixel-2', responseId: 'response-7' });
  const screen = await panel();
  const result = screen.getByRole('region', { name: 'Result' });
  for (const fact of ['STOP', 'demo-pixel-2', '12', '1,290', '1,302', 'response-7']) {
    await expect.element(result.getByText(fact, { exact: true })).toBeVisible();
  }
});

test('says of each candidate why it ended where they ended differently', async () => {
  const [first] = answer.candidates ?? [];
  if (first === undefined) throw new Error('The answer has a candidate.');
  const second = { ...first, parts: first.parts.slice(0, 2), finishReason: 'SAFETY' };
  came({ ...answer, candidates: [first, second] });
  const screen = await panel();
  const result = screen.getByRole('region', { name: 'Result' });
  await expect
    .element(result.getByRole('article', { name: 'model 2' }).getByText('SAFETY'))
    .toBeVisible();
  await expect
    .element(result.getByRole('article', { name: 'model 1' }).getByText('STOP'))
    .toBeVisible();
});

test('continues from an answer: the contents so far are sent, thoughts left out', async () => {
  came(answer);
  const screen = await panel();
  await screen.getByRole('button', { name: 'Continue from here' }).click();
  const box = screen.getByRole('textbox', { name: 'Prompt' });
  await expect.element(box).toHaveFocus();
  await box.fill('At night');
  await screen.getByRole('button', { name: 'Run', exact: true }).click();
  await vi.waitFor(() => expect(main.started).toHaveLength(1));
  expect((main.started[0] as StartInput).request.contents).toEqual([
    { role: 'user', parts: [{ text: 'A gate' }] },
    {
      role: 'model',
      parts: [
        { text: 'Here it is.' },
        { inlineData: { mimeType: 'image/png', data: `media:${mediaId}` } },
      ],
    },
    { role: 'user', parts: [{ text: 'At night' }] },
  ]);
});

test.each([
  [1080, 0.6],
  [1600, 0.73],
])(
  'a window %d px high gives the picture at least %d of the panel, at most three quarters',
  async (height, least) => {
    await page.viewport(1920, height);
    const square = await uploadMedia(await pictureFile(1600, 1600, 'gate.png'));
    const parts = [{ type: 'media' as const, mediaId: square.id, mimeType: 'image/png' }];
    const candidate = { role: 'model', parts, finishReason: 'STOP', safetyRatings: [] };
    came({ candidates: [candidate], media: [square] });
    const screen = await panel({ width: 1868, height: height - 24 });
    const result = screen.getByRole('region', { name: 'Result' });
    const shown = result.getByRole('img', { name: 'image' });
    await expect.element(shown).toBeInViewport({ ratio: 1 });
    const content = screen.getByRole('region', { name: 'Gallery' }).element().parentElement;
    const share = () =>
      shown.element().getBoundingClientRect().height / (content?.clientHeight ?? 0);
    await expect.poll(share).toBeGreaterThan(least);
    expect(share()).toBeLessThanOrEqual(0.75);
    const box = shown.element().getBoundingClientRect();
    expect(box.width).toBeCloseTo(box.height, 0);
    await expect
      .element(screen.getByRole('region', { name: 'Gallery' }))
      .toBeInViewport({ ratio: 1 });
    for (const name of ['Continue from here', 'Send to video', 'Download']) {
      const action = result.getByRole('button', { name }).element().getBoundingClientRect();
      expect(action.left).toBeGreaterThan(box.right);
    }
  },
);

test('says why a prompt was blocked, and runs it again on Retry', async () => {
  came({ blockReason: 'SAFETY', promptFeedback: { blockReasonMessage: 'Too wild.' } });
  const screen = await panel();
  const alert = screen.getByRole('region', { name: 'Result' }).getByRole('alert');
  await expect
    .element(alert)
    .toMatchTextContent(/No result\. .*safety filter \(SAFETY\).*Too wild\./);
  await expect
    .element(screen.getByRole('region', { name: 'Result' }))
    .not.toMatchTextContent(/Succeeded/);
  await alert.getByRole('button', { name: 'Retry' }).click();
  await vi.waitFor(() =>
    expect(main.started).toMatchObject([
      { request: { contents: [{ role: 'user', parts: [{ text: 'A gate' }] }] } },
    ]),
  );
});

test('attaches a picture that came, sends it before the words, and takes it away again', async () => {
  came(answer);
  const screen = await panel();
  await screen.getByRole('button', { name: 'Attach to prompt' }).click();
  await screen.getByRole('textbox', { name: 'Prompt' }).fill('In winter');
  await screen.getByRole('button', { name: 'Run', exact: true }).click();
  await vi.waitFor(() => expect(main.started).toHaveLength(1));
  expect((main.started[0] as StartInput).request.contents).toEqual([
    {
      role: 'user',
      parts: [
        { inlineData: { mimeType: 'image/png', data: `media:${mediaId}` } },
        { text: 'In winter' },
      ],
    },
  ]);
  await screen.getByRole('button', { name: 'Remove image.png' }).click();
  const attached = () => panelForms.image.state.getState().values.input.images;
  await expect.poll(attached).toEqual([]);
  await expect.element(screen.getByText('Image removed')).toBeVisible();
  await screen.getByRole('button', { name: 'Undo' }).last().click();
  await expect.poll(attached).toMatchObject([{ mediaId }]);
});

test('receives a picture from elsewhere once, says so, and focuses the prompt', async () => {
  const screen = await panel();
  handOver('image', { kind: 'media', media: picture });
  await expect.element(screen.getByText('Image attached to the prompt')).toBeVisible();
  await expect.element(screen.getByRole('textbox', { name: 'Prompt' })).toHaveFocus();
  handOver('image', { kind: 'media', media: picture });
  await expect.element(screen.getByText('This image is already attached.')).toBeVisible();
  expect(panelForms.image.state.getState().values.input.images).toHaveLength(1);
});

test('continuing from an answer keeps the written prompt for Undo', async () => {
  came(answer);
  const screen = await panel();
  const prompt = screen.getByRole('textbox', { name: 'Prompt' });
  await prompt.fill('A half-written prompt');
  await screen.getByRole('button', { name: 'Continue from here' }).click();
  await expect.element(prompt).toHaveValue('');
  await expect.element(screen.getByRole('region', { name: 'Conversation so far' })).toBeVisible();
  await screen.getByRole('button', { name: 'Undo' }).click();
  await expect.element(prompt).toHaveValue('A half-written prompt');
  await expect
    .element(screen.getByRole('region', { name: 'Conversation so far' }))
    .not.toBeInTheDocument();
});

test('a picture that was taken does not take the focus again with the panel', async () => {
  const screen = await panel();
  handOver('image', { kind: 'media', media: picture });
  const prompt = screen.getByRole('textbox', { name: 'Prompt' });
  await expect.element(prompt).toHaveFocus();
  await screen.unmount();
  const again = await panel();
  await expect.element(again.getByRole('textbox', { name: 'Prompt' })).toBeVisible();
  await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
  await expect.element(again.getByRole('textbox', { name: 'Prompt' })).not.toHaveFocus();
});

test('Undo of what came from elsewhere leaves what was typed since', async () => {
  const screen = await panel();
  const prompt = screen.getByRole('textbox', { name: 'Prompt' });
  handOver('image', { kind: 'media', media: picture });
  await expect.element(prompt).toHaveFocus();
  await prompt.fill('In winter');
  await screen.getByRole('button', { name: 'Undo' }).click();
  expect(panelForms.image.state.getState().values.input).toMatchObject({
    prompt: 'In winter',
    images: [],
  });
});

test('an example gives back the prompt that it replaced', async () => {
  const screen = await panel();
  const prompt = screen.getByRole('textbox', { name: 'Prompt' });
  await prompt.fill('Mine');
  await screen.getByRole('button', { name: 'A woodcut' }).click();
  await screen.getByRole('button', { name: 'Undo' }).click();
  await expect.element(prompt).toHaveValue('Mine');
});

test('an example runs at once', async () => {
  const screen = await panel();
  await screen.getByRole('button', { name: 'A woodcut' }).click();
  await vi.waitFor(() => expect(main.started).toHaveLength(1));
  expect(JSON.stringify(main.started)).toContain('as a woodcut');
});

test('says at an example that is pressed again that the run is still starting', async () => {
  const start = Promise.withResolvers<void>();
  main.held = start.promise;
  const notes: string[] = [];
  const listen = new AbortController();
  document.addEventListener(noteEvent, ({ detail }) => notes.push(detail.text), {
    signal: listen.signal,
  });
  const screen = await panel();
  const example = screen.getByRole('list', { name: 'Examples' }).getByRole('button').first();
  await example.click();
  await expect.poll(() => main.started.length).toBe(1);
  await example.click();
  expect(notes).toEqual(['Still starting']);
  expect(main.started).toHaveLength(1);
  listen.abort();
  start.resolve();
});
