import type { ComponentType } from 'react';
import { beforeEach, expect, test, vi } from 'vitest';
import { render } from 'vitest-browser-react';
import { importPart } from '../../renderer/lib/import-part.ts';
import { useLinkState } from '../../renderer/lib/link-state.ts';
import { ErrorBoundary } from '../../renderer/ui/error-boundary.tsx';
import { JsonEditor } from '../../renderer/ui/json-editor/json-editor.tsx';
import { lazyComponent, lazyDialog } from '../../renderer/ui/lazy-component.tsx';

beforeEach(() => useLinkState.setState('open', true));

/** Fakes a file that loads only while `isServed` is true. */
function served<Props>(part: ComponentType<Props>) {
  const file = { isServed: false, attempts: 0 };
  const load = async () => {
    file.attempts += 1;
    if (!file.isServed) throw new TypeError('Failed to fetch dynamically imported module');
    return part;
  };
  return { file, load };
}

const message = 'Couldn’t load this section.';

test('reloads a failed component on reconnect or when it mounts again', async () => {
  for (const how of ['reconnected', 'mounted']) {
    const { file, load } = served(() => <p>Loaded</p>);
    const Part = lazyComponent<object>(load);
    useLinkState.setState('lost', true);
    const screen = await render(<Part />);
    await expect
      .element(screen.getByRole('alert'))
      .toMatchTextContent(`${message} Gatehouse isn’t reachable.`);
    if (how === 'mounted') await screen.rerender(<p>Something else</p>);
    file.isServed = true;
    if (how === 'reconnected') useLinkState.setState('open', true);
    else await screen.rerender(<Part />);
    await expect.element(screen.getByText('Loaded')).toBeVisible();
    await screen.unmount();
  }
});

test('shows the load error of a dialog in a dialog', async () => {
  const { load } = served((_: { onClose: () => void }) => <p>Loaded</p>);
  const Part = lazyDialog('Tools', load);
  let isClosed = false;
  const screen = await render(
    <Part
      onClose={() => {
        isClosed = true;
      }}
    />,
  );
  const dialog = screen.getByRole('dialog', { name: 'Tools' });
  await expect.element(dialog.getByRole('alert')).toMatchTextContent(message);
  await dialog.getByRole('button', { name: 'Close' }).click();
  expect(isClosed).toBe(true);
});

test('passes other errors to the surrounding error boundary', async () => {
  const Part = lazyComponent<object>(async () => () => {
    throw new Error('boom');
  });
  const screen = await render(
    <ErrorBoundary name="Chat">
      <Part />
    </ErrorBoundary>,
  );
  await expect.element(screen.getByRole('alert')).toMatchTextContent(/Chat crashed/);
});

/** Makes a style sheet fail. Returns its link element. */
async function failStyleSheet(): Promise<HTMLLinkElement> {
  const link = document.createElement('link');
  link.rel = 'stylesheet';
  link.href = '/not-there.css';
  const failed = new Promise((resolve) => link.addEventListener('error', resolve));
  document.head.append(link);
  await failed;
  return link;
}

/** Makes the next attempt to load the failed style sheet succeed. */
function repairStyleSheet(): void {
  const link = document.querySelector('link[href$="/not-there.css"]');
  link?.setAttribute('href', 'data:text/css,');
}

test('reloads a failed style sheet before its component', async () => {
  const link = await failStyleSheet();
  let loads = 0;
  const load = async () => {
    loads += 1;
  };
  await expect(importPart(load)).rejects.toThrow(message);
  expect(loads).toBe(0);
  expect(document.querySelector('link[href$="/not-there.css"]')).not.toBe(link);
  repairStyleSheet();
  await importPart(load);
  expect(loads).toBe(1);
  document.querySelector('link[href="data:text/css,"]')?.remove();
});

test('edits JSON as plain text if the editor fails to load, and keeps the text after Try again', async () => {
  await failStyleSheet();
  const screen = await render(
    <JsonEditor label="Schema" initialText="{}" onTextChange={vi.fn()} />,
  );
  const box = screen.getByRole('textbox', { name: 'Schema' });
  const alert = screen.getByRole('alert');
  await expect.element(alert).toMatchTextContent(message);
  await box.fill('{"a": 1}');
  await expect.element(box).toHaveValue('{"a": 1}');
  repairStyleSheet();
  await alert.getByRole('button', { name: 'Try again' }).click();
  await expect.element(box).toHaveAttribute('contenteditable', 'true');
  await expect.element(box).toMatchTextContent('{"a": 1}');
  await expect.element(alert).not.toBeInTheDocument();
  document.querySelector('link[href="data:text/css,"]')?.remove();
});
