import { beforeEach, expect, it, onTestFinished, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { render } from 'vitest-browser-react';
import { offerUndo, useUndo, withdrawOffer } from '../../renderer/lib/undo.ts';
import type { Form } from '../../renderer/run/form/form.ts';
import { panelForms } from '../../renderer/run/form/panel-forms.ts';
import { showRequestAs } from '../../renderer/run/form/request-views.ts';
import { guardUndo } from '../../renderer/ui/press-guard.ts';
import { ToastRegion } from '../../renderer/ui/toast-region.tsx';
import { appError } from '../../shared/errors.ts';
import type { FormFields } from '../../shared/form.ts';
import type { OperationName } from '../../shared/operations/operation-name.ts';
import { runView } from '../fixtures/run-view.ts';
import { everyPanel, openPanel, type Panel } from './every-panel.tsx';
import { mediaId, picture } from './image-fixtures.tsx';
import { listControls } from './list-controls.ts';
import { api, main, refusal } from './panel-fake-main.ts';
import { layDown, resetPanels } from './panel-fixtures.tsx';

beforeEach(resetPanels);

/** Fills each form so that it can run. */
const filled: Record<Panel, FormFields<OperationName>> = {
  completion: { input: { prompt: 'Once' } },
  image: { input: { prompt: 'A gate' } },
  video: { input: { prompt: 'A gate opens' } },
  rerank: { input: { query: 'gates', documents: 'A gate\nA wall' } },
  embeddings: { input: { texts: 'A gate\nA wall' } },
  speech: { input: { text: 'Open the gate.' }, params: { voice: { value: 'alloy' } } },
  transcription: { input: { mediaId } },
  console: { input: { method: 'POST', path: '/v1/models', body: '{}' } },
};

/** Lists words for the kinds of fields that each panel has. */
const fields: Record<Panel, string[]> = {
  completion: ['select', 'combobox', 'textarea', 'spinbutton', 'switch'],
  image: ['select', 'combobox', 'textarea', 'input,,text', 'row'],
  video: ['select', 'combobox', 'textarea', 'spinbutton', 'row'],
  rerank: ['select', 'combobox', 'textarea', 'input,,text', 'spinbutton', 'switch'],
  embeddings: ['select', 'combobox', 'textarea', 'spinbutton'],
  speech: ['select', 'combobox', 'textarea', 'spinbutton', 'range', 'row'],
  transcription: ['select', 'combobox', 'textarea', 'spinbutton', 'switch', 'slider'],
  console: ['select', 'input,,text'],
};

it.each(everyPanel)(
  'runs %s from every kind of control, and changes no parameter',
  async (panel) => {
    const kind = panel === 'image' ? 'image' : 'audio';
    const media = { ...picture, kind, type: `${kind}/mpeg`, durationSeconds: 3 } as const;
    main.media.set(mediaId, media);
    // The panel lists this run, such as in the gallery.
    const ended = { status: 'succeeded', createdAt: 1, finishedAt: 2 } as const;
    layDown(runView(panel, { ...ended, id: 'earlier', preview: 'Earlier', media: [media] }));
    // A refused start leaves the panel as it was, so that each control can run it.
    const start = vi
      .spyOn(api.runs, 'start')
      .mockRejectedValue(refusal(appError('unexpected', 'Refused by the test.', '')));
    const form: Form<OperationName> = panelForms[panel];
    form.change(filled[panel]);
    await openPanel(panel);
    const more = page.getByRole('button', { name: 'More', exact: true });
    if (more.elements().length > 0) await more.click();
    const kinds = listControls();
    for (const kind of ['radio', 'button', ...fields[panel]]) {
      expect([...kinds.keys()].join(' ')).toContain(kind);
    }
    const before = form.state.getState().values;
    let runs = 0;
    const runFrom = async (kind: string, stop: HTMLElement) => {
      stop.focus();
      await userEvent.keyboard('{Control>}{Enter}{/Control}');
      runs += 1;
      await expect.poll(() => start.mock.calls.length, { message: kind }).toBe(runs);
      await expect.element(page.getByText('Refused by the test.')).toBeVisible();
      const { params, input } = form.state.getState().values;
      expect({ params, input }, kind).toEqual({ params: before.params, input: before.input });
    };
    for (const [kind, stop] of kinds) await runFrom(kind, stop);
    if (panel !== 'console') showRequestAs(panel, 'json');
    onTestFinished(() => showRequestAs(panel, 'form'));
    const name = panel === 'console' ? 'Body' : 'Request body';
    const editor = page.getByRole('textbox', { name, exact: true });
    await expect.element(editor).toHaveClass('cm-content');
    const content = editor.element();
    await runFrom('editor', content instanceof HTMLElement ? content : expect.fail());
  },
);

const comparing = everyPanel.filter((panel) => panel !== 'console');

it.each(comparing)('keeps undo in the dialogs of %s', async (panel) => {
  onTestFinished(guardUndo());
  const form: Form<OperationName> = panelForms[panel];
  form.change(filled[panel]);
  const { button, screen } = await openPanel(panel);
  await screen.getByRole('textbox').first().fill('abc');
  const undone = vi.fn();
  await render(<ToastRegion />);
  onTestFinished(() => {
    for (const { id } of useUndo.getState().offers) withdrawOffer(id);
  });
  const getValues = () => {
    const { params, input, morePrompts, extraBody } = form.state.getState().values;
    return { params, input, morePrompts, extraBody };
  };
  const dialog = screen.getByRole('dialog');
  // An offer lasts ten seconds, so each dialog needs its own.
  const offer = () => offerUndo({ message: 'Prompt replaced', place: form.id, undo: undone });
  const texts = button('Prompts').query() === null ? [] : ['Prompts'];
  for (const name of ['Presets', ...texts, 'From a list…']) {
    if (name === 'From a list…') {
      await button('Compare').click();
      await expect.element(dialog).toBeVisible();
      await userEvent.keyboard('{Escape}{Escape}');
      await expect.element(dialog).not.toBeInTheDocument();
    }
    offer();
    await button(name).click();
    await expect.element(dialog).toBeVisible();
    const values = getValues();
    for (const stop of dialog.element().querySelectorAll<HTMLElement>('input, button, select')) {
      stop.focus();
      for (const keys of ['z', '{Shift>}z{/Shift}']) {
        await userEvent.keyboard(`{Control>}${keys}{/Control}`);
        expect(getValues(), name).toEqual(values);
      }
    }
    await userEvent.keyboard('{Escape}');
    await expect.element(dialog).not.toBeInTheDocument();
  }
  expect(undone).not.toHaveBeenCalled();
});
