import { type ReactNode, useState } from 'react';
import { expect, it } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { render } from 'vitest-browser-react';
import { Button } from '../../renderer/ui/button.tsx';
import { ConfirmDialog } from '../../renderer/ui/dialog.tsx';
import { Menu } from '../../renderer/ui/menu.tsx';
import { useRovingList } from '../../renderer/ui/roving-list.ts';

const button = (name: string) => page.getByRole('button', { name, exact: true });

async function pressEnterOn(name: string): Promise<void> {
  button(name).element().focus();
  await userEvent.keyboard('{Enter}');
}

/** Renders `before` until its button is pressed, then `after`. */
function Swap({ before, after }: { before: (press: () => void) => ReactNode; after: ReactNode }) {
  const [isPressed, setPressed] = useState(false);
  return (
    <main tabIndex={-1}>
      <section>{isPressed ? after : before(() => setPressed(true))}</section>
      <Button data-undo-control>Undo</Button>
      <Button data-run-control>Stop</Button>
    </main>
  );
}

const fallback = (to: string) => (press: () => void) => (
  <Button data-focus-fallback={to} onClick={press}>
    Press
  </Button>
);
const nested = (press: () => void) => (
  <p>
    <Button onClick={press}>Press</Button>
  </p>
);
/** Renders buttons that each call `press`. */
const row =
  (...names: string[]) =>
  (press: () => void) =>
    names.map((name) => (
      <Button key={name} onClick={press}>
        {name}
      </Button>
    ));

it.each([
  ['what follows it', row('First', 'Press', 'Last'), row('First', 'Last'), 'Last'],
  ['what precedes it', row('First', 'Press'), row('First'), 'First'],
  ['what replaces it', nested, row('New'), 'New'],
  ['Run if it started a run', fallback('run'), row(), 'Stop'],
  ['Undo if it deleted something', fallback('undo'), row(), 'Undo'],
] as const)('moves focus from a removed button to %s', async (_to, before, after, focused) => {
  await render(<Swap before={before} after={after(() => undefined)} />);
  await pressEnterOn('Press');
  await expect.element(button('Press')).not.toBeInTheDocument();
  await expect.element(button(focused)).toHaveFocus();
});

function Rows() {
  const [names, setNames] = useState(['One', 'Two', 'Three']);
  const [asked, setAsked] = useState<string | null>(null);
  const remove = (name: string | null) => setNames((all) => all.filter((other) => other !== name));
  const roving = useRovingList({
    keys: names,
    currentKey: null,
    getItemText: (index) => names[index] ?? '',
  });
  return (
    <main tabIndex={-1}>
      <ul {...roving.listProps}>
        {names.map((name, index) => (
          <li key={name} data-row={name}>
            <button
              type="button"
              tabIndex={roving.getTabIndex(index)}
              onKeyDown={({ key }) => key === 'Delete' && remove(name)}
              onClick={() => setAsked(name)}
            >
              {name}
            </button>
            <Menu
              label={`More about ${name}`}
              tabIndex={-1}
              items={[{ id: 'delete', label: 'Delete', onSelect: () => remove(name) }]}
            />
          </li>
        ))}
      </ul>
      <ConfirmDialog
        open={asked !== null}
        title="Delete?"
        confirmLabel="Delete"
        onConfirm={() => {
          remove(asked);
          setAsked(null);
        }}
        onClose={() => setAsked(null)}
      >
        This can't be undone.
      </ConfirmDialog>
      <Button>Add</Button>
    </main>
  );
}

it.each([
  { by: 'a key', keys: '{Delete}' },
  { by: 'its menu', keys: '{Shift>}{F10}{/Shift}' },
  { by: 'a confirmation', keys: '{Enter}' },
])('focuses the neighboring row after a deletion by $by', async ({ by, keys }) => {
  await render(<Rows />);
  button('Two').element().focus();
  await userEvent.keyboard(keys);
  if (by === 'its menu') {
    await expect.element(page.getByRole('menuitem', { name: 'Delete' })).toHaveFocus();
    await userEvent.keyboard('{Enter}');
  }
  if (by === 'a confirmation') {
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click();
  }
  await expect.element(button('Two')).not.toBeInTheDocument();
  await expect.element(button('Three')).toHaveFocus();
});
