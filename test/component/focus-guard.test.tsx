import { type ReactNode, useEffect, useState } from 'react';
import { beforeEach, describe, expect, it } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { render } from 'vitest-browser-react';
import { Dialog } from '../../renderer/ui/dialog.tsx';
import { guardFocus } from '../../renderer/ui/focus-guard.ts';
import { JsonEditor } from '../../renderer/ui/json-editor/json-editor.tsx';
import { Menu } from '../../renderer/ui/menu.tsx';
import { useRovingList } from '../../renderer/ui/roving-list.ts';

interface PageProps {
  /** Below `main`, as each panel has one. */
  frame?: boolean;
  children: ReactNode;
}

function Page({ frame = true, children }: PageProps) {
  useEffect(guardFocus, []);
  return (
    <div>
      <nav>
        <a href="#/chat">Chat</a>
      </nav>
      <main tabIndex={-1}>{frame ? <div>{children}</div> : children}</main>
    </div>
  );
}

const button = (name: string) => page.getByRole('button', { name, exact: true });

function focusOn(name: string): void {
  const element = button(name).element();
  if (element instanceof HTMLElement) element.focus();
}

beforeEach(() => {
  if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
});

function Guard() {
  useEffect(guardFocus, []);
  return null;
}

it('goes to the panel where a control went before the guard was loaded', async () => {
  function Late() {
    const [step, setStep] = useState<'new' | 'pressed' | 'loaded'>('new');
    return (
      <main tabIndex={-1}>
        {step === 'new' && (
          <button type="button" onClick={() => setStep('pressed')}>
            Retry
          </button>
        )}
        {step === 'pressed' && <p onPointerEnter={() => setStep('loaded')}>Sent</p>}
        {step === 'loaded' && <Guard />}
      </main>
    );
  }
  await render(<Late />);
  await button('Retry').click();
  await expect.element(page.getByText('Sent')).toBeVisible();
  expect(document.activeElement).toBe(document.body);
  await page.getByText('Sent').hover();
  await expect.element(page.getByRole('main')).toHaveFocus();
});

function Deletable() {
  const [names, setNames] = useState(['First', 'Second', 'Third']);
  const roving = useRovingList({
    keys: names,
    currentKey: null,
    textOf: (index) => names[index] ?? '',
  });
  return (
    <>
      <button type="button">Above</button>
      <ul {...roving.listProps}>
        {names.map((name, index) => (
          <li key={name} data-row={name}>
            <button type="button" tabIndex={roving.tabIndexOf(index)}>
              {name}
            </button>
            <Menu
              label={`More about ${name}`}
              tabIndex={-1}
              items={[
                {
                  id: 'delete',
                  label: 'Delete',
                  onSelect: () => setNames((all) => all.filter((other) => other !== name)),
                },
              ]}
            />
          </li>
        ))}
      </ul>
    </>
  );
}

describe('where the focus moves', () => {
  it('moves to the next row once a row is deleted by its menu, then on the one before', async () => {
    const screen = await render(
      <Page>
        <Deletable />
      </Page>,
    );
    focusOn('Second');
    for (const left of ['Third', 'First', 'Above']) {
      await userEvent.keyboard('{Shift>}{F10}{/Shift}');
      await expect.element(screen.getByRole('menuitem', { name: 'Delete' })).toHaveFocus();
      await userEvent.keyboard('{Enter}');
      await expect.element(screen.getByRole('menu')).not.toBeInTheDocument();
      await expect.element(button(left)).toHaveFocus();
    }
  });

  it('ignores there the key that is still held for what is gone', async () => {
    function Undoable() {
      const [gone, setGone] = useState<string[]>([]);
      return ['Undo', 'Dismiss', 'Conversation'].map(
        (name) =>
          !gone.includes(name) && (
            <button key={name} type="button" onClick={() => setGone([...gone, name])}>
              {name}
            </button>
          ),
      );
    }
    await render(
      <Page>
        <Undoable />
      </Page>,
    );
    focusOn('Undo');
    await userEvent.keyboard('{Enter>5/}');
    await expect.element(button('Undo')).not.toBeInTheDocument();
    await expect.element(button('Dismiss')).toHaveFocus();
    await expect.element(button('Conversation')).toBeVisible();
  });

  it.each(['before', 'after'])(
    'moves to Undo where it is offered %s a message gives its place to another version',
    async (when) => {
      function Conversation() {
        const [version, setVersion] = useState(1);
        const [offered, setOffered] = useState(false);
        const remove = () => {
          if (when === 'before') setOffered(true);
          requestAnimationFrame(() => {
            setVersion(2);
            requestAnimationFrame(() => setOffered(true));
          });
        };
        return (
          <>
            <article key={version}>
              <button type="button">Copy</button>
              <button type="button" data-focus-fallback="undo" onClick={remove}>
                Delete
              </button>
              <p>Version {version}</p>
            </article>
            <div role="status">
              {offered && (
                <button type="button" data-undo-control>
                  Undo
                </button>
              )}
            </div>
            <button type="button">Message</button>
          </>
        );
      }
      const screen = await render(
        <Page>
          <Conversation />
        </Page>,
      );
      focusOn('Delete');
      await userEvent.keyboard('{Enter}');
      await expect.element(screen.getByText('Version 2')).toBeVisible();
      await expect.element(button('Undo')).toHaveFocus();
    },
  );

  it('moves to Run where what started a run disappears', async () => {
    function Panel() {
      const [running, setRunning] = useState(false);
      return (
        <>
          {!running && (
            <section data-focus-fallback="run">
              <button type="button" onClick={() => setRunning(true)}>
                Retry
              </button>
            </section>
          )}
          <button type="button">Neighbor</button>
          <button type="button" data-run-control onClick={() => setRunning(false)}>
            {running ? 'Stop' : 'Run'}
          </button>
        </>
      );
    }
    await render(
      <Page>
        <Panel />
      </Page>,
    );
    focusOn('Retry');
    await userEvent.keyboard('{Enter}');
    await expect.element(button('Stop')).toHaveFocus();
  });

  it('moves to what replaces a control, as Stop does of Run', async () => {
    function Swap() {
      const [running, setRunning] = useState(false);
      return (
        <>
          <button type="button">Before</button>
          {running ? (
            <button type="button" key="stop">
              Stop
            </button>
          ) : (
            <button type="button" key="run" onClick={() => setRunning(true)}>
              Run
            </button>
          )}
          <button type="button">After</button>
        </>
      );
    }
    await render(
      <Page>
        <Swap />
      </Page>,
    );
    focusOn('Run');
    await userEvent.keyboard('{Enter}');
    await expect.element(button('Stop')).toHaveFocus();
  });

  it('returns to the button that opened an editor, though it was rendered again', async () => {
    function Message() {
      const [editing, setEditing] = useState(false);
      return (
        <article>
          <button type="button">Copy</button>
          {editing ? (
            <form>
              <textarea aria-label="Edit message" />
              <button type="button" onClick={() => setEditing(false)}>
                Cancel
              </button>
            </form>
          ) : (
            <p>
              <button type="button">Open</button>
              <button type="button" onClick={() => setEditing(true)}>
                Edit
              </button>
            </p>
          )}
        </article>
      );
    }
    const screen = await render(
      <Page>
        <Message />
      </Page>,
    );
    focusOn('Edit');
    await userEvent.keyboard('{Enter}');
    await expect.element(screen.getByRole('textbox', { name: 'Edit message' })).toHaveFocus();
    await userEvent.keyboard('{Tab}{Enter}');
    await expect.element(button('Edit')).toHaveFocus();
  });

  it('returns to the same control when it comes back later, unless the user has moved on', async () => {
    function Record() {
      const [shown, setShown] = useState(true);
      const [loaded, setLoaded] = useState(true);
      return (
        <>
          <button type="button" onClick={() => setLoaded(true)}>
            Other
          </button>
          <div>
            {loaded ? (
              <article key={String(shown)}>
                <button
                  type="button"
                  onClick={() => {
                    setShown(false);
                    setLoaded(false);
                    queueMicrotask(() => setTimeout(() => setLoaded(true), 20));
                  }}
                >
                  Run again
                </button>
              </article>
            ) : (
              <p>Loading</p>
            )}
          </div>
        </>
      );
    }
    await render(
      <Page>
        <Record />
      </Page>,
    );
    focusOn('Run again');
    await userEvent.keyboard('{Enter}');
    await expect.element(button('Run again')).toHaveFocus();
  });

  it('stays in a dialog while that is open, and leaves it for what was there before', async () => {
    function WithDialog() {
      const [open, setOpen] = useState(false);
      const [step, setStep] = useState(1);
      return (
        <>
          <button type="button" onClick={() => setOpen(true)}>
            Open
          </button>
          <Dialog open={open} title="Steps" onClose={() => setOpen(false)}>
            {step === 1 && (
              <button type="button" onClick={() => setStep(2)}>
                Next
              </button>
            )}
            <input aria-label="Name" />
          </Dialog>
        </>
      );
    }
    const screen = await render(
      <Page>
        <WithDialog />
      </Page>,
    );
    focusOn('Open');
    await userEvent.keyboard('{Enter}');
    focusOn('Next');
    await userEvent.keyboard('{Enter}');
    await expect.element(screen.getByRole('dialog')).toHaveFocus();
    await userEvent.keyboard('{Escape}');
    await expect.element(button('Open')).toHaveFocus();
  });

  it('does not mistake a control for one of a closed dialog with the same name', async () => {
    function Deletion() {
      const [names, setNames] = useState(['One', 'Two']);
      const [asks, setAsks] = useState(false);
      const last = names.at(-1);
      return (
        <section>
          <button type="button">Delete</button>
          <ul>
            {names.map((name) => (
              <li key={name}>
                <button type="button" onClick={() => setAsks(true)}>
                  {name}
                </button>
              </li>
            ))}
          </ul>
          <Dialog
            open={asks}
            title="Delete?"
            onClose={() => setAsks(false)}
            actions={
              <button
                type="button"
                onClick={() => {
                  setNames((all) => all.filter((name) => name !== last));
                  setAsks(false);
                }}
              >
                Delete
              </button>
            }
          >
            Gone for good.
          </Dialog>
        </section>
      );
    }
    const screen = await render(
      <Page>
        <Deletion />
      </Page>,
    );
    focusOn('Two');
    await userEvent.keyboard('{Enter}');
    await expect
      .element(screen.getByRole('dialog').getByRole('button', { name: 'Delete' }))
      .toHaveFocus();
    await userEvent.keyboard('{Enter}');
    await expect.element(button('One')).toHaveFocus();
  });

  it('moves to the panel where another one replaces it', async () => {
    function Panels() {
      const [panel, setPanel] = useState('Image');
      return (
        <section key={panel}>
          <button type="button" onClick={() => setPanel('Video')}>
            Leave {panel}
          </button>
        </section>
      );
    }
    const screen = await render(
      <Page frame={false}>
        <Panels />
      </Page>,
    );
    focusOn('Leave Image');
    await userEvent.keyboard('{Enter}');
    await expect.element(screen.getByRole('main')).toHaveFocus();
  });

  it('leaves a control that can no longer be used', async () => {
    function Busy() {
      const [busy, setBusy] = useState(false);
      return (
        <>
          <input aria-label="Address" disabled={busy} onKeyDown={() => setBusy(true)} />
          <button type="button">Cancel</button>
        </>
      );
    }
    const screen = await render(
      <Page>
        <Busy />
      </Page>,
    );
    await screen.getByRole('textbox', { name: 'Address' }).click();
    await userEvent.keyboard('{Enter}');
    await expect.element(button('Cancel')).toHaveFocus();
  });

  it('follows a field into the editor that is loaded in its place', async () => {
    const screen = await render(
      <Page>
        <JsonEditor label="Schema" initialText="{}" onTextChange={() => undefined} />
      </Page>,
    );
    const plain = document.querySelector('textarea');
    plain?.focus();
    await expect.element(screen.getByRole('textbox', { name: 'Schema' })).toHaveFocus();
    await expect
      .poll(() => document.activeElement?.shadowRoot?.activeElement?.getAttribute('role'))
      .toBe('textbox');
  });

  it('leaves a reader who pressed on plain text in the inspector where they are', async () => {
    function Passing() {
      const [isThere, setThere] = useState(true);
      return (
        <>
          <button type="button">Stays</button>
          {isThere && <button type="button">Passes</button>}
          <output
            onMouseEnter={() => undefined}
            ref={(output) => output?.addEventListener('end', () => setThere(false))}
          >
            Text
          </output>
        </>
      );
    }
    const screen = await render(
      <>
        <Page>Panel</Page>
        <aside aria-label="Inspector">
          <Passing />
        </aside>
      </>,
    );
    focusOn('Passes');
    const text = screen.getByText('Text');
    await text.click();
    expect(document.activeElement).toBe(document.body);
    text.element().dispatchEvent(new Event('end'));
    await expect.element(button('Passes')).not.toBeInTheDocument();
    await new Promise((resolve) => requestAnimationFrame(resolve));
    expect(document.activeElement).toBe(document.body);
  });

  it('leaves what is read in view when it moves', async () => {
    function Log() {
      const [isThere, setThere] = useState(true);
      return (
        <div
          data-testid="log"
          style={{ height: 200, overflowY: 'auto' }}
          ref={(log) => log?.addEventListener('end', () => setThere(false))}
        >
          {isThere && <button type="button">Passes</button>}
          <button type="button">Next</button>
          <div style={{ height: 2000 }}>Text</div>
        </div>
      );
    }
    const screen = await render(
      <Page>
        <Log />
      </Page>,
    );
    focusOn('Passes');
    const log = screen.getByTestId('log').element();
    log.scrollTop = 1000;
    log.dispatchEvent(new Event('end'));
    await expect.element(button('Next')).toHaveFocus();
    expect(log.scrollTop).toBeGreaterThan(900);
  });

  it('lets the user leave for the page', async () => {
    await render(
      <Page>
        <button type="button">Here</button>
      </Page>,
    );
    focusOn('Here');
    if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
    expect(document.activeElement).toBe(document.body);
  });
});
