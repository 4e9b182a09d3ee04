import { useState } from 'react';
import { afterEach, beforeEach, describe, expect, it, onTestFinished, test, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { render } from 'vitest-browser-react';
import { RawTextArea } from '../../renderer/features/chat/composer/message-text.tsx';
import { ActionBar } from '../../renderer/ui/action-bar.tsx';
import { Button } from '../../renderer/ui/button.tsx';
import { CopyButton } from '../../renderer/ui/copy-button.tsx';
import { ConfirmDialog } from '../../renderer/ui/dialog.tsx';
import { ErrorAlert } from '../../renderer/ui/error-alert.tsx';
import { ErrorBoundary } from '../../renderer/ui/error-boundary.tsx';
import { IconButton } from '../../renderer/ui/icon-button.tsx';
import { JsonView } from '../../renderer/ui/json-view/json-view.tsx';
import { NumberField } from '../../renderer/ui/number-field.tsx';
import { Tabs } from '../../renderer/ui/tabs.tsx';
import { TextArea } from '../../renderer/ui/text-area.tsx';
import { TextField } from '../../renderer/ui/text-field.tsx';
import { appError } from '../../shared/errors.ts';
import { recordNotes } from './notes.ts';
import '../../renderer/ui/base.css';
import '../../renderer/ui/tokens.css';

interface PressProps {
  disabled: boolean;
  onClick: () => void;
}

it('steps a number field without rounding errors, accepts decimals, and keeps invalid text', async () => {
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
  const screen = await render(<Temperature />);
  const field = screen.getByRole('spinbutton');
  const value = screen.getByRole('status');
  await field.click();
  await userEvent.keyboard('{ArrowUp}');
  await expect.element(value).toHaveTextContent('0.3');
  await field.fill('1.95');
  await userEvent.keyboard('{ArrowUp}');
  await expect.element(field).toHaveValue('2');
  await field.fill('warm');
  await userEvent.keyboard('{Tab}');
  await expect.element(field).toHaveValue('warm');
  await expect.element(field).toHaveAccessibleDescription('Enter a number.');
  await expect.element(value).toHaveTextContent('null');
  await field.fill('');
  await userEvent.keyboard('1.50');
  await expect.element(field).toHaveValue('1.50');
  await expect.element(value).toHaveTextContent('1.5');
});

describe('a button that disables itself', () => {
  it.each([
    ['a button', (props: PressProps) => <Button {...props}>Zoom in</Button>],
    ['an icon button', (props: PressProps) => <IconButton label="Zoom in" icon="+" {...props} />],
  ])('keeps focus and ignores a held key: %s', async (_kind, show) => {
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
  it('focuses the safe button, closes on Escape and restores focus', async () => {
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
    await expect.element(screen.getByRole('alertdialog', { name: 'Delete it?' })).toBeVisible();
    await expect.element(screen.getByRole('button', { name: 'Cancel' })).toHaveFocus();
    await userEvent.keyboard('{Escape}');
    await expect.element(screen.getByRole('button', { name: 'Open' })).toHaveFocus();
    expect(screen.getByRole('alertdialog').elements()).toHaveLength(0);
    expect(onConfirm).not.toHaveBeenCalled();
  });
});

const limited = appError(
  'rate-limited',
  'The gateway takes no more requests for now.',
  'Wait and run it again.',
  {
    retryAfterSeconds: 30,
    gateway: {
      status: 429,
      type: 'rate_limit_error',
      param: null,
      code: null,
      message: 'Slow down',
      requestId: 'req-7',
      bodyExcerpt: null,
    },
  },
);

describe('an error', () => {
  beforeEach(() => {
    // Stop the countdown.
    const now = Date.now();
    vi.spyOn(Date, 'now').mockReturnValue(now);
  });
  afterEach(() => vi.restoreAllMocks());

  it('shows the next step, the wait and the gateway’s details, with a fix before Retry', async () => {
    const onRetry = vi.fn();
    const alert = (ago: number) => (
      <ErrorAlert
        key={ago}
        error={limited}
        failedAt={Date.now() - ago}
        onRetry={onRetry}
        actions={<button type="button">Fix</button>}
      />
    );
    const screen = await render(alert(0));
    for (const text of [limited.message, 'HTTP 429', limited.nextStep]) {
      await expect.element(screen.getByRole('alert')).toMatchTextContent(text);
    }
    await expect.element(screen.getByRole('timer')).toMatchTextContent('30 seconds left');
    const names = screen.getByRole('button').elements();
    expect(names.map(({ textContent }) => textContent).slice(-2)).toEqual(['Fix', 'Retry']);
    await screen.getByText('Details').click();
    await expect.element(screen.getByText('req-7')).toBeVisible();
    await screen.getByRole('button', { name: 'Retry' }).click();
    expect(onRetry).toHaveBeenCalledOnce();
    await screen.rerender(alert(20_000));
    await expect.element(screen.getByRole('timer')).toMatchTextContent(/10 seconds/);
    await screen.rerender(alert(31_000));
    await expect.element(screen.getByRole('button', { name: 'Retry' })).toBeVisible();
    expect(screen.getByRole('timer').elements()).toHaveLength(0);
  });

  it('keeps other panes if one crashes, and retries the crashed one', async () => {
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
    await expect.element(screen.getByRole('alert')).toMatchTextContent(/Chat crashed/);
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

  it('limits the height of a long text without measuring it', async () => {
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

type Tide = 'low' | 'high';

function Tides() {
  const [tide, setTide] = useState<Tide>('low');
  return (
    <div style={{ display: 'flex', height: 300 }}>
      <Tabs<Tide>
        label="Tides"
        value={tide}
        onValueChange={setTide}
        tabs={[
          { value: 'low', label: 'Low', content: 'Ebb' },
          { value: 'high', label: 'High', content: 'Flood' },
        ]}
      />
    </div>
  );
}

describe('tabs', () => {
  it('shows one panel at a time at full height', async () => {
    await render(<Tides />);
    const panel = page.getByRole('tabpanel');
    const height = panel.element().clientHeight;
    await page.getByRole('tab', { name: 'High' }).click();
    await expect.element(panel).toHaveTextContent('Flood');
    expect(panel.element().clientHeight).toBe(height);
  });
});

describe('spelling', () => {
  it('checks prose, but not code, IDs or names', async () => {
    const nothing = () => {};
    const screen = await render(
      <>
        <TextArea label="Prompt" value="helo" onValueChange={nothing} />
        <TextArea label="Body" value="{}" onValueChange={nothing} monospace />
        <TextField label="Model" value="gpt" onValueChange={nothing} />
        <RawTextArea label="Message" />
      </>,
    );
    const field = (name: string) => screen.getByRole('textbox', { name }).element();
    for (const name of ['Prompt', 'Message'])
      expect(field(name)).toHaveProperty('spellcheck', true);
    for (const name of ['Body', 'Model']) expect(field(name)).toHaveProperty('spellcheck', false);
  });
});

it.each([undefined, 'Copy'])(
  'reports the result of a copy button with the word %s',
  async (words) => {
    const writeText = vi.spyOn(navigator.clipboard, 'writeText').mockResolvedValue();
    onTestFinished(() => writeText.mockRestore());
    const notes = recordNotes();
    const screen = await render(
      <CopyButton label="Copy body" content={() => 'the body'} words={words} />,
    );
    await screen.getByRole('button', { name: 'Copy body' }).click();
    await vi.waitFor(() => expect(notes).toMatchObject([{ text: 'Copied' }]));
    expect(writeText).toHaveBeenCalledWith('the body');
    writeText.mockRejectedValue(new DOMException('Document is not focused.', 'NotAllowedError'));
    await screen.getByRole('button', { name: 'Copy body' }).click();
    await vi.waitFor(() => expect(notes[1]).toMatchObject({ text: 'Copy failed' }));
  },
);

describe('a JSON view', () => {
  const answer = {
    city: 'Oslo',
    days: Array.from({ length: 80 }, (_, day) => ({ day, degrees: day / 2 })),
    wind: { from: 'north' },
  };

  test('collapses long parts, and expands all on request', async () => {
    const screen = await render(<JsonView label="Answer" value={answer} />);
    const tree = screen.getByRole('tree', { name: 'Answer' });
    await expect.element(tree.getByText('"Oslo"')).toBeVisible();
    const days = tree.getByRole('treeitem', { name: /"days"/ });
    await expect.element(days).toHaveAttribute('aria-expanded', 'false');
    await expect.element(days).toMatchTextContent(/80 items/);
    await days.click();
    await expect.element(days).toHaveAttribute('aria-expanded', 'true');
    await screen.getByRole('button', { name: 'Expand all' }).click();
    await expect.element(screen.getByRole('button', { name: 'Collapse all' })).toBeVisible();
    // Only rows in view are in the DOM.
    expect(tree.getByRole('treeitem').elements().length).toBeLessThan(120);
  });

  test('uses one Tab stop with arrow keys', async () => {
    const screen = await render(
      <>
        <JsonView label="Answer" value={answer} />
        <button type="button">After</button>
      </>,
    );
    const tree = screen.getByRole('tree', { name: 'Answer' });
    tree.element().focus();
    const reached = () =>
      document.getElementById(tree.element().getAttribute('aria-activedescendant') ?? '');
    await userEvent.keyboard('{ArrowDown}{ArrowDown}');
    expect(reached()?.textContent).toContain('"days"');
    await userEvent.keyboard('{ArrowRight}');
    expect(reached()?.getAttribute('aria-expanded')).toBe('true');
    await userEvent.keyboard('{ArrowRight}');
    expect(reached()?.getAttribute('aria-level')).toBe('3');
    await userEvent.keyboard('{ArrowLeft}{ArrowLeft}');
    expect(reached()?.textContent).toContain('"days"');
    expect(reached()?.getAttribute('aria-expanded')).toBe('false');
    await userEvent.keyboard('{End}');
    expect(reached()?.textContent).toContain('"north"');
    await userEvent.keyboard('{Home}');
    expect(reached()?.textContent).toBe('{');
    await userEvent.tab();
    await expect.element(screen.getByRole('button', { name: 'After' })).toHaveFocus();
  });
});

test('aligns a quiet button’s text, or another button’s outline, with the text above', async () => {
  const bar = (variant: 'quiet' | 'secondary') => (
    <ActionBar>
      <Button size="small" variant={variant}>
        {variant}
      </Button>
    </ActionBar>
  );
  const screen = await render(
    <div style={{ marginLeft: 40 }}>
      <p>Above</p>
      {bar('quiet')}
      {bar('secondary')}
    </div>,
  );
  const left = screen.getByText('Above').element().getBoundingClientRect().left;
  const text = document.createRange();
  text.selectNodeContents(screen.getByRole('button', { name: 'quiet' }).element());
  expect(text.getBoundingClientRect().left).toBeCloseTo(left, 0);
  const outlined = screen.getByRole('button', { name: 'secondary' }).element();
  expect(outlined.getBoundingClientRect().left).toBeCloseTo(left, 0);
});

it('starts each line of outlined buttons at the same place', async () => {
  const screen = await render(
    <div style={{ marginLeft: 40, width: 200 }}>
      <ActionBar>
        {['Open in Speech', 'Run again', 'Compare with', 'Inspect'].map((name) => (
          <Button key={name} size="small">
            {name}
          </Button>
        ))}
      </ActionBar>
    </div>,
  );
  const boxes = screen
    .getByRole('button')
    .elements()
    .map((element) => element.getBoundingClientRect());
  const lines = [...Map.groupBy(boxes, ({ top }) => top).values()];
  const starts = lines.map(([button]) => button?.left);
  const [first, ...others] = starts;
  expect(others.length).toBeGreaterThan(0);
  expect(others.every((left) => left === first)).toBe(true);
});
