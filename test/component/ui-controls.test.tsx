import { useState } from 'react';
import { describe, expect, it, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { render } from 'vitest-browser-react';
import { Button } from '../../renderer/ui/button.tsx';
import { Combobox } from '../../renderer/ui/combobox.tsx';
import { CopyButton } from '../../renderer/ui/copy-button.tsx';
import { ConfirmDialog } from '../../renderer/ui/dialog.tsx';
import { ErrorAlert } from '../../renderer/ui/error-alert.tsx';
import { ErrorBoundary } from '../../renderer/ui/error-boundary.tsx';
import { IconButton } from '../../renderer/ui/icon-button.tsx';
import { type Note, noteEvent } from '../../renderer/ui/note-at.ts';
import { NumberField } from '../../renderer/ui/number-field.tsx';
import { TextArea } from '../../renderer/ui/text-area.tsx';
import type { AppError } from '../../shared/errors.ts';
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

interface PressProps {
  disabled: boolean;
  onClick: () => void;
}

describe('a combobox', () => {
  it('shows every suggestion when opened, and only what contains the text once typed', async () => {
    const screen = await render(<ModelField />);
    await screen.getByRole('combobox', { name: 'Model' }).click();
    expect(screen.getByRole('option').elements()).toHaveLength(5);
    await userEvent.keyboard('{Control>}a{/Control}ech');
    expect(screen.getByRole('option').elements()).toHaveLength(1);
    await expect.element(screen.getByRole('option', { name: 'demo-echo' })).toBeVisible();
  });

  it('takes a suggestion by keyboard and any other text as it is', async () => {
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

  it('takes a suggestion that is clicked', async () => {
    const screen = await render(<ModelField />);
    const field = screen.getByRole('combobox', { name: 'Model' });
    await field.click();
    await screen.getByRole('option', { name: 'demo-echo' }).click();
    await expect.element(field).toHaveValue('demo-echo');
  });

  it('keeps Escape to itself while its list is open', async () => {
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

  it('filters by what is typed and takes the first match with Enter', async () => {
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

  it('takes the text itself from the last row, and where nothing else matches', async () => {
    const { field, chosen } = await open();
    await userEvent.keyboard('think{ArrowUp}{Enter}');
    await expect.element(chosen).toHaveTextContent('think');
    await field.fill('my/own-model');
    await userEvent.keyboard('{Enter}');
    await expect.element(field).toHaveValue('my/own-model');
  });

  it('has one font, open or closed, in its field and its list', async () => {
    const screen = await render(<ModelPicker />);
    const field = screen.getByRole('combobox', { name: 'Model' });
    const fontOf = (element: Element) => {
      const { fontFamily, fontSize, fontWeight } = getComputedStyle(element);
      return [fontFamily, fontSize, fontWeight];
    };
    const closed = fontOf(field.element());
    await field.click();
    expect(fontOf(field.element())).toEqual(closed);
    await userEvent.keyboard('th');
    expect(fontOf(field.element())).toEqual(closed);
    for (const option of screen.getByRole('option').elements()) {
      expect(fontOf(option.firstElementChild ?? option)).toEqual(closed);
    }
  });

  it('takes an exact ID before one that only contains it', async () => {
    const { field, chosen } = await open();
    await userEvent.keyboard('gpt-4o{Enter}');
    await expect.element(chosen).toMatchTextContent(/^gpt-4o$/);
    await expect.element(field).toHaveAttribute('aria-expanded', 'false');
  });

  it.each([
    ['Tab', () => userEvent.tab()],
    ['Ctrl+Enter', () => userEvent.keyboard('{Control>}{Enter}{/Control}')],
    ['a click elsewhere', () => page.getByRole('button', { name: 'Elsewhere' }).click()],
  ])('keeps a typed ID that is part of another, with %s', async (_how, leave) => {
    const { field, chosen } = await open();
    await userEvent.keyboard('gpt-4');
    await leave();
    await expect.element(field).toHaveValue('gpt-4');
    await expect.element(chosen).toMatchTextContent(/^gpt-4$/);
    await expect.element(field).toHaveAttribute('aria-expanded', 'false');
  });

  it('says so where it is left with a text that is no suggestion', async () => {
    const notes: string[] = [];
    const listener = ({ detail }: CustomEvent<Note>) => notes.push(detail.text);
    document.addEventListener(noteEvent, listener);
    await open();
    await userEvent.keyboard('gpt-4');
    await userEvent.tab();
    await userEvent.tab({ shift: true });
    await userEvent.keyboard('gpt-4o');
    await userEvent.tab();
    document.removeEventListener(noteEvent, listener);
    expect(notes).toEqual(['“gpt-4” used as model ID']);
  });

  it.each([
    ['Tab', () => userEvent.tab()],
    ['Ctrl+Enter', () => userEvent.keyboard('{Control>}{Enter}{/Control}')],
  ])('takes the row that the arrow keys led to, with %s', async (_how, leave) => {
    const { field, chosen } = await open();
    await userEvent.keyboard('gpt{ArrowDown}');
    await leave();
    await expect.element(field).toHaveValue('gpt-4o');
    await expect.element(chosen).toMatchTextContent(/^gpt-4o$/);
  });

  it('restores what was there with Escape, and where the field is left empty', async () => {
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

describe('a number field', () => {
  function Temperature() {
    const [value, setValue] = useState<number | null>(0.2);
    return (
      <>
        <NumberField
          label="Temperature"
          value={value}
          step={0.1}
          max={2}
          onValueChange={setValue}
        />
        <output>{JSON.stringify(value)}</output>
      </>
    );
  }

  it('steps with the arrow keys without rounding errors and stops at the limit', async () => {
    const screen = await render(<Temperature />);
    await screen.getByRole('spinbutton').click();
    await userEvent.keyboard('{ArrowUp}');
    await expect.element(screen.getByRole('status')).toHaveTextContent('0.3');
    await screen.getByRole('spinbutton').fill('1.95');
    await userEvent.keyboard('{ArrowUp}');
    await expect.element(screen.getByRole('spinbutton')).toHaveValue('2');
  });

  it('keeps what it cannot read and says so', async () => {
    const screen = await render(<Temperature />);
    const field = screen.getByRole('spinbutton');
    await field.fill('warm');
    await userEvent.keyboard('{Tab}');
    await expect.element(field).toHaveValue('warm');
    await expect.element(field).toHaveAccessibleDescription('Enter a number.');
    await expect.element(screen.getByRole('status')).toHaveTextContent('null');
  });

  it('lets a decimal be typed step by step', async () => {
    const screen = await render(<Temperature />);
    await screen.getByRole('spinbutton').fill('');
    await screen.getByRole('spinbutton').click();
    await userEvent.keyboard('1.50');
    await expect.element(screen.getByRole('spinbutton')).toHaveValue('1.50');
    await expect.element(screen.getByRole('status')).toHaveTextContent('1.5');
  });
});

describe('a button that is disabled by its own press', () => {
  it.each([
    ['a button', (props: PressProps) => <Button {...props}>Zoom in</Button>],
    ['an icon button', (props: PressProps) => <IconButton label="Zoom in" icon="+" {...props} />],
  ])('keeps the focus, and does nothing while the key is held: %s', async (_kind, show) => {
    const onPress = vi.fn();
    function Zoom() {
      const [count, setCount] = useState(0);
      return show({
        disabled: count === 2,
        onClick: () => {
          onPress();
          setCount(count + 1);
        },
      });
    }
    const screen = await render(
      <>
        <Zoom />
        <button type="button" onClick={onPress}>
          Beside
        </button>
      </>,
    );
    const button = screen.getByRole('button', { name: 'Zoom in' });
    await userEvent.tab();
    await expect.element(button).toHaveFocus();
    await userEvent.keyboard('{Enter>6/}{Enter}{ }');
    await expect.element(button).toHaveFocus();
    await expect.element(button).toHaveAttribute('aria-disabled', 'true');
    await button.click({ force: true });
    expect(onPress).toHaveBeenCalledTimes(2);
  });
});

describe('a dialog', () => {
  it('starts at the safe button, closes with Escape and gives the focus back', async () => {
    const onConfirm = vi.fn();
    function Page() {
      const [open, setOpen] = useState(false);
      return (
        <>
          <button type="button" onClick={() => setOpen(true)}>
            Open
          </button>
          <ConfirmDialog
            open={open}
            title="Delete it?"
            confirmLabel="Delete"
            onConfirm={onConfirm}
            onClose={() => setOpen(false)}
          >
            It is gone then.
          </ConfirmDialog>
        </>
      );
    }
    const screen = await render(<Page />);
    await screen.getByRole('button', { name: 'Open' }).click();
    await expect.element(screen.getByRole('dialog', { name: 'Delete it?' })).toBeVisible();
    await expect.element(screen.getByRole('button', { name: 'Cancel' })).toHaveFocus();
    await userEvent.keyboard('{Escape}');
    await expect.element(screen.getByRole('button', { name: 'Open' })).toHaveFocus();
    expect(screen.getByRole('dialog').elements()).toHaveLength(0);
    expect(onConfirm).not.toHaveBeenCalled();
  });
});

const limited: AppError = {
  kind: 'rate-limited',
  message: 'The gateway takes no more requests for now.',
  nextStep: 'Wait and run it again.',
  retryAfterSeconds: 30,
  detail: null,
  gateway: {
    status: 429,
    type: 'rate_limit_error',
    param: null,
    code: null,
    message: 'Slow down',
    requestId: 'req-7',
    bodyExcerpt: null,
  },
};

describe('an error', () => {
  it('says what happened, the next step, how long to wait, and what the gateway said', async () => {
    const onRetry = vi.fn();
    const screen = await render(<ErrorAlert error={limited} onRetry={onRetry} />);
    const alert = screen.getByRole('alert');
    await expect.element(alert).toMatchTextContent(/The gateway takes no more requests for now\./);
    await expect.element(alert).toMatchTextContent(/Wait and run it again\./);
    await expect.element(screen.getByRole('timer')).toMatchTextContent(/30 s/);
    await screen.getByText('Details').click();
    await expect.element(screen.getByText('req-7')).toBeVisible();
    await screen.getByRole('button', { name: 'Retry' }).click();
    expect(onRetry).toHaveBeenCalledOnce();
  });

  it('in one pane leaves the other panes standing, and the pane can be shown again', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => undefined);
    let broken = true;
    function Fragile() {
      if (broken) throw new Error('no such thing');
      return <p>The chat</p>;
    }
    const screen = await render(
      <>
        <ErrorBoundary name="Chat">
          <Fragile />
        </ErrorBoundary>
        <p>The inspector</p>
      </>,
    );
    await expect.element(screen.getByRole('alert')).toMatchTextContent(/Chat stopped working/);
    await expect.element(screen.getByText('The inspector')).toBeVisible();
    broken = false;
    await screen.getByRole('button', { name: 'Try again' }).click();
    await expect.element(screen.getByText('The chat')).toBeVisible();
    vi.restoreAllMocks();
  });
});

describe('a text area that grows', () => {
  const area = (value: string) => (
    <TextArea label="Text" value={value} onValueChange={() => {}} autoGrow rows={2} maxRows={6} />
  );

  it('has its greatest height for a long text, which is not measured', async () => {
    const screen = await render(area('one line'));
    const field = screen.getByRole('textbox', { name: 'Text' });
    const low = field.element().clientHeight;
    expect(getComputedStyle(field.element()).getPropertyValue('field-sizing')).toBe('content');
    await screen.rerender(area('line\n'.repeat(100)));
    const high = field.element().clientHeight;
    expect(high).toBeGreaterThan(low);
    await screen.rerender(area('x'.repeat(20_001)));
    expect(getComputedStyle(field.element()).getPropertyValue('field-sizing')).toBe('fixed');
    expect(field.element().clientHeight).toBe(high);
  });
});

describe.each([undefined, 'Copy'])('a copy button with the word %s', (words) => {
  async function copyBody(write: () => Promise<void>) {
    const writeText = vi.spyOn(navigator.clipboard, 'writeText').mockImplementation(write);
    const notes: string[] = [];
    const listener = ({ detail }: CustomEvent<Note>) => notes.push(detail.text);
    document.addEventListener(noteEvent, listener);
    const screen = await render(
      <CopyButton label="Copy body" content={() => 'the body'} words={words} />,
    );
    await screen.getByRole('button', { name: 'Copy body' }).click();
    await vi.waitFor(() => expect(notes).toHaveLength(1));
    expect(writeText).toHaveBeenCalledWith('the body');
    document.removeEventListener(noteEvent, listener);
    writeText.mockRestore();
    return notes;
  }

  it('says that it copied', async () => {
    expect(await copyBody(() => Promise.resolve())).toEqual(['Copied']);
  });

  it('says that the clipboard refused', async () => {
    const refused = new DOMException('Document is not focused.', 'NotAllowedError');
    expect(await copyBody(() => Promise.reject(refused))).toEqual(['Copy failed']);
  });
});
