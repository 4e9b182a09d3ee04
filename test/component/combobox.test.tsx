import { useState } from 'react';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { render } from 'vitest-browser-react';
import { Combobox } from '../../renderer/ui/combobox.tsx';
import { ToastRegion } from '../../renderer/ui/toast-region.tsx';
import { recordNotes } from './notes.ts';
import '../../renderer/ui/base.css';
import '../../renderer/ui/tokens.css';

const suggestions = [
  { value: 'demo-echo' },
  { value: 'demo-story' },
  { value: 'demo-think' },
  { value: 'gpt-4o-mini' },
  { value: 'gpt-4o' },
];

function ModelField({ initial = 'demo-story' }: { initial?: string }) {
  const [model, setModel] = useState(initial);
  return (
    <Combobox label="Model" value={model} onValueChange={setModel} suggestions={suggestions} />
  );
}

it('filters suggestions as the user types, accepts any text, and closes on Escape', async () => {
  const pressed = vi.fn();
  window.addEventListener('keydown', pressed);
  onTestFinished(() => window.removeEventListener('keydown', pressed));
  const screen = await render(<ModelField />);
  const field = screen.getByRole('combobox', { name: 'Model' });
  const options = () => screen.getByRole('option').elements();
  await field.click();
  expect(options()).toHaveLength(5);
  await userEvent.keyboard('{Escape}');
  expect(options()).toHaveLength(0);
  expect(pressed).not.toHaveBeenCalled();
  await userEvent.keyboard('{Escape}');
  expect(pressed).toHaveBeenCalledOnce();
  await userEvent.keyboard('{Control>}a{/Control}ech');
  expect(options().map(({ textContent }) => textContent)).toEqual(['demo-echo']);
  await userEvent.keyboard('{ArrowDown}{Enter}');
  await expect.element(field).toHaveValue('demo-echo');
  await field.fill('my-own-model');
  await userEvent.keyboard('{Enter}');
  await expect.element(field).toHaveValue('my-own-model');
  await expect.element(field).toHaveAttribute('aria-expanded', 'false');
});

describe('a picker', () => {
  function ModelPicker() {
    const [model, setModel] = useState('demo-story');
    return (
      <>
        <button type="button">Elsewhere</button>
        <Combobox
          label="Model"
          value={model}
          onValueChange={setModel}
          suggestions={suggestions}
          typedLabel={(text) => `Use “${text}” as model ID`}
          typedNote={(text) => `“${text}” used as model ID`}
        />
        <output>{model}</output>
      </>
    );
  }

  async function open() {
    const screen = await render(<ModelPicker />);
    const field = screen.getByRole('combobox', { name: 'Model' });
    await field.click();
    return { screen, field, chosen: screen.getByRole('status') };
  }

  it('on Enter, selects the first match, or the typed text from the last row or without a match', async () => {
    const { screen, field, chosen } = await open();
    await userEvent.keyboard('th');
    const options = screen.getByRole('option').elements();
    expect(options.map(({ textContent }) => textContent)).toEqual([
      'demo-think',
      'Use “th” as model ID',
    ]);
    await userEvent.keyboard('{Enter}');
    await expect.element(chosen).toHaveTextContent('demo-think');
    await field.fill('think');
    await userEvent.keyboard('{ArrowUp}{Enter}');
    await expect.element(chosen).toMatchTextContent(/^think$/);
    await field.fill('my/own-model');
    await userEvent.keyboard('{Enter}');
    await expect.element(field).toHaveValue('my/own-model');
  });

  it('keeps a typed ID that is part of another ID, with a note', async () => {
    const notes = recordNotes();
    const { field, chosen } = await open();
    const tab = () => userEvent.tab();
    const run = () => userEvent.keyboard('{Control>}{Enter}{/Control}');
    const click = () => page.getByRole('button', { name: 'Elsewhere' }).click();
    for (const leave of [tab, run, click]) {
      await field.fill('gpt-4');
      await leave();
      await expect.element(field).toHaveAttribute('aria-expanded', 'false');
      await expect.element(field).toHaveValue('gpt-4');
      await expect.element(chosen).toMatchTextContent(/^gpt-4$/);
    }
    expect(notes[0]).toMatchObject({ text: '“gpt-4” used as model ID' });
    notes.length = 0;
    await field.fill('gpt-4o');
    await tab();
    for (const leave of [tab, run]) {
      await field.fill('gpt');
      await userEvent.keyboard('{ArrowDown}');
      await leave();
      await expect.element(field).toHaveValue('gpt-4o');
      await expect.element(chosen).toMatchTextContent(/^gpt-4o$/);
    }
    expect(notes).toEqual([]);
  });

  it('hides the note once the user chooses a suggestion', async () => {
    const region = await render(<ToastRegion />);
    const { screen, field } = await open();
    await userEvent.keyboard('gpt-4');
    await userEvent.tab();
    const note = region.getByRole('note');
    await expect.element(note).toHaveTextContent('“gpt-4” used as model ID');
    await field.click();
    await screen.getByRole('option', { name: 'demo-think' }).click();
    await expect.element(field).toHaveValue('demo-think');
    await expect.element(note).not.toBeInTheDocument();
  });

  it('replaces a default that arrives while the field has focus', async () => {
    const picker = (value: string) => (
      <Combobox
        label="Model"
        value={value}
        onValueChange={chosen}
        suggestions={suggestions}
        typedLabel={(text) => `Use “${text}” as model ID`}
      />
    );
    const chosen = vi.fn();
    const screen = await render(picker(''));
    await screen.getByRole('combobox', { name: 'Model' }).click();
    await screen.rerender(picker('demo-story'));
    await userEvent.keyboard('demo-e');
    expect(chosen).toHaveBeenLastCalledWith('demo-e');
  });

  it('restores the value on Escape or if the user leaves the field empty', async () => {
    const { field, chosen } = await open();
    await userEvent.keyboard('my/own-model');
    await expect.element(chosen).toHaveTextContent('my/own-model');
    await userEvent.keyboard('{Escape}');
    await expect.element(field).toHaveValue('demo-story');
    await expect.element(chosen).toHaveTextContent('demo-story');
    await field.fill('');
    await userEvent.tab();
    await expect.element(field).toHaveValue('demo-story');
    await expect.element(chosen).toHaveTextContent('demo-story');
  });
});
