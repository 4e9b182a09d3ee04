import { beforeEach, expect, it, onTestFinished, vi } from 'vitest';
import { userEvent } from 'vitest/browser';
import { render } from 'vitest-browser-react';
import { openEditor, useChat } from '../../renderer/features/chat/conversation/chat-store.ts';
import { api } from '../../renderer/lib/api.ts';
import { offerUndo, useUndo, withdrawOffer } from '../../renderer/lib/undo.ts';
import { getConversationForm } from '../../renderer/run/form/panel-forms.ts';
import { guardUndo } from '../../renderer/ui/press-guard.ts';
import { ToastRegion } from '../../renderer/ui/toast-region.tsx';
import { openReadyChat, resetChat } from './chat-fixtures.tsx';
import { listControls } from './list-controls.ts';

beforeEach(() => resetChat());

it('runs chat from every kind of control, and changes no parameter', async () => {
  // A refused message leaves the panel as it was, so that each control can send it.
  const send = vi.spyOn(api.conversations, 'send').mockRejectedValue(new Error('Refused'));
  const { screen, message } = await openReadyChat();
  await message.fill('Hello');
  const more = screen.getByRole('button', { name: 'More', exact: true });
  await more.click();
  const kinds = listControls();
  for (const kind of ['radio', 'button', 'select', 'textarea', 'range', 'spinbutton', 'switch']) {
    expect([...kinds.keys()].join(' ')).toContain(kind);
  }
  const { params, input } = getConversationForm(null).state.getState().values;
  let runs = 0;
  for (const [kind, control] of kinds) {
    control.focus();
    await userEvent.keyboard('{Control>}{Enter}{/Control}');
    runs += 1;
    await expect.poll(() => send.mock.calls.length, { message: kind }).toBe(runs);
    await expect.poll(() => useChat.getState().sending).toBe(false);
    const now = getConversationForm(null).state.getState().values;
    expect({ params: now.params, input: now.input }, kind).toEqual({ params, input });
  }
});

it('keeps undo in the dialogs of chat', async () => {
  onTestFinished(guardUndo());
  const { screen, button, message, add } = await openReadyChat();
  await message.fill('Hello');
  const undone = vi.fn();
  await render(<ToastRegion />);
  const place = getConversationForm(null).id;
  onTestFinished(() => {
    for (const { id } of useUndo.getState().offers) withdrawOffer(id);
  });
  const getValues = () => {
    const { params, input, edits } = getConversationForm(null).state.getState().values;
    return { params, input, edits };
  };
  const dialog = screen.getByRole('dialog');
  const openers: [string, () => Promise<void>][] = [
    ['Presets', () => button('Presets').click()],
    ...['Image URL…', 'Video URL…', 'File ID…', 'From MCP server…', 'Tools…'].map(
      (item): [string, () => Promise<void>] => [item, () => add(item)],
    ),
  ];
  for (const [name, open] of openers) {
    // An offer lasts ten seconds, so each dialog needs its own.
    offerUndo({ message: 'Message replaced', place, undo: undone });
    await open();
    await expect.element(dialog, { message: name }).toBeVisible();
    const values = getValues();
    const stops = dialog.element().querySelectorAll<HTMLElement>('input, button, select');
    expect(stops.length, name).toBeGreaterThan(0);
    for (const stop of stops) {
      stop.focus();
      for (const keys of ['z', '{Shift>}z{/Shift}']) {
        await userEvent.keyboard(`{Control>}${keys}{/Control}`);
        expect(getValues(), name).toEqual(values);
      }
    }
    await userEvent.keyboard('{Escape}');
    await expect.element(dialog).not.toBeInTheDocument();
  }

  openEditor('schema');
  const editor = screen.getByRole('textbox', { name: 'Response JSON schema' });
  await expect.element(editor).toHaveClass('cm-content');
  editor.element().focus();
  await userEvent.keyboard('{Control>}a{/Control}word');
  await expect.element(editor).toHaveTextContent('word');
  // More often than there are edits.
  for (let press = 0; press < 6; press += 1) await userEvent.keyboard('{Control>}z{/Control}');
  await expect.element(editor).toMatchTextContent(/"schema"/);
  expect(getValues().input).toMatchObject({ text: 'Hello' });
  expect(undone).not.toHaveBeenCalled();
});
