import { useState } from 'react';
import { describe, expect, it, vi } from 'vitest';
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

describe('a combobox', () => {
  it('shows all suggestions until the user types, then the matches', async () => {
    const screen = await render(<ModelField />);
    await screen.getByRole('combobox', { name: 'Model' }).click();
    expect(screen.getByRole('option').elements()).toHaveLength(5);
    await userEvent.keyboard('{Control>}a{/Control}ech');
    expect(screen.getByRole('option').elements()).toHaveLength(1);
    await expect.element(screen.getByRole('option', { name: 'demo-echo' })).toBeVisible();
  });

  it('accepts a suggestion by keyboard and any other text', async () => {
    const screen = await render(<ModelField />);
    const field = screen.getByRole('combobox', { name: 'Model' });
    await field.click();
    await userEvent.keyboard('{ArrowDown}{Enter}');
    await expect.element(field).toHaveValue('demo-think');
    await field.fill('my-own-model');
    await userEvent.keyboard('{Enter}');
    await expect.element(field).toHaveValue('my-own-model');
    await expect.element(field).toHaveAttribute('aria-expanded', 'false');
  });

  it('handles Escape while its list is open', async () => {
    const pressed = vi.fn();
    window.addEventListener('keydown', pressed);
    const screen = await render(<ModelField />);
    await screen.getByRole('combobox', { name: 'Model' }).click();
    await userEvent.keyboard('{Escape}');
    expect(screen.getByRole('option').elements()).toHaveLength(0);
    expect(pressed).not.toHaveBeenCalled();
    await userEvent.keyboard('{Escape}');
    expect(pressed).toHaveBeenCalledOnce();
    window.removeEventListener('keydown', pressed);
  });
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

  it('filters while typing and takes the first match on Enter', async () => {
    const { screen, field, chosen } = await open();
    await userEvent.keyboard('th');
    expect(
      screen
        .getByRole('option')
        .elements()
        .map((option) => option.textContent),
    ).toEqual(['demo-think', 'Use “th” as model ID']);
    await userEvent.keyboard('{Enter}');
    await expect.element(field).toHaveValue('demo-think');
    await expect.element(chosen).toHaveTextContent('demo-think');
  });

  it('takes the text itself from the last row or if nothing matches', async () => {
    const { field, chosen } = await open();
    await userEvent.keyboard('think{ArrowUp}{Enter}');
    await expect.element(chosen).toHaveTextContent('think');
    await field.fill('my/own-model');
    await userEvent.keyboard('{Enter}');
    await expect.element(field).toHaveValue('my/own-model');
  });

  it.each([
    ['Tab', () => userEvent.tab()],
    ['Ctrl+Enter', () => userEvent.keyboard('{Control>}{Enter}{/Control}')],
    ['a click elsewhere', () => page.getByRole('button', { name: 'Elsewhere' }).click()],
  ])('keeps a typed ID that is part of another, on %s', async (_how, leave) => {
    const { field, chosen } = await open();
    await userEvent.keyboard('gpt-4');
    await leave();
    await expect.element(field).toHaveValue('gpt-4');
    await expect.element(chosen).toMatchTextContent(/^gpt-4$/);
    await expect.element(field).toHaveAttribute('aria-expanded', 'false');
  });

  it('shows a note at the field if the text is not a suggestion', async () => {
    const notes = recordNotes();
    await open();
    await userEvent.keyboard('gpt-4');
    await userEvent.tab();
    await userEvent.tab({ shift: true });
    await userEvent.keyboard('gpt-4o');
    await userEvent.tab();
    expect(notes).toMatchObject([{ text: '“gpt-4” used as model ID' }]);
  });

  it('hides the note once a suggestion is chosen', async () => {
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

  it.each([
    ['Tab', () => userEvent.tab()],
    ['Ctrl+Enter', () => userEvent.keyboard('{Control>}{Enter}{/Control}')],
  ])('takes the row that the arrow keys reach, on %s', async (_how, leave) => {
    const { field, chosen } = await open();
    await userEvent.keyboard('gpt{ArrowDown}');
    await leave();
    await expect.element(field).toHaveValue('gpt-4o');
    await expect.element(chosen).toMatchTextContent(/^gpt-4o$/);
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

  it('restores the value on Escape or if the field is left empty', async () => {
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
