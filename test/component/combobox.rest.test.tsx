import { useState } from 'react';
import { describe, expect, it, vi } from 'vitest';
import { type Locator, page, userEvent } from 'vitest/browser';
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

  const focuses: Record<string, (field: Locator) => Promise<void>> = {
    'a click': (field) => field.click(),
    Tab: () => userEvent.tab(),
  };
  it.for(Object.entries(focuses))(
    'replaces a default that arrives after %s focused the field',
    async ([, focus]) => {
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
      await focus(screen.getByRole('combobox', { name: 'Model' }));
      await screen.rerender(picker('demo-story'));
      await userEvent.keyboard('demo-e');
      expect(chosen).toHaveBeenLastCalledWith('demo-e');
    },
  );
});
