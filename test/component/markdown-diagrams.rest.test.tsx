import { expect, it, onTestFinished } from 'vitest';
import { userEvent } from 'vitest/browser';
import { render } from 'vitest-browser-react';
import { Markdown } from '../../renderer/ui/markdown/markdown.tsx';

const fenced = (source: string) => `\`\`\`mermaid\n${source}\n\`\`\``;

/** Draws all diagrams in sequence. */
async function drawAll(sources: string[]) {
  const screen = await render(<Markdown text={sources.map(fenced).join('\n\n')} />);
  const drawn = screen.getByRole('img');
  for (let count = 1; count <= sources.length; count += 1) {
    screen.getByRole('button', { name: 'Draw diagram' }).first().element().focus();
    await userEvent.keyboard('{Enter}');
    await expect.poll(() => drawn.elements().length).toBe(count);
  }
  return { screen, drawn };
}

function parseImage(image: Element): Document {
  const [, text = ''] = (image.getAttribute('src') ?? '').split('charset=utf-8,');
  return new DOMParser().parseFromString(decodeURIComponent(text), 'image/svg+xml');
}

it('shows a diagram as code until the user draws it, and after “Show code”', async () => {
  const source = 'flowchart LR\n  A[Start] --> B[End]';
  const screen = await render(<Markdown text={fenced(source)} streaming />);
  const draw = screen.getByRole('button', { name: 'Draw diagram' });
  const code = () => screen.container.querySelector('pre')?.textContent;
  expect(code()).toContain('A[Start] --> B[End]');
  expect(draw.query()).toBeNull();
  await screen.rerender(<Markdown text={fenced(source)} />);
  await draw.click();
  const image = screen.getByRole('img', { name: 'Diagram: flowchart' });
  await expect.element(image).toBeVisible();
  expect(parseImage(image.element()).documentElement.textContent).toMatch(/Start.*End/s);
  expect(code()).toBeUndefined();

  const address = () => image.element().getAttribute('src');
  const before = address();
  const { dataset } = document.documentElement;
  onTestFinished(() => void delete dataset.theme);
  dataset.theme = 'dark';
  await expect.poll(address).not.toBe(before);
  delete dataset.theme;
  await expect.poll(address).toBe(before);

  const back = screen.getByRole('button', { name: 'Show code' });
  await expect.element(back).toHaveFocus();
  await back.click();
  await expect.poll(code).toContain('A[Start] --> B[End]');
  await expect.element(image).not.toBeInTheDocument();
});

it('draws each kind of diagram with its text, labeled by kind or title', async () => {
  const kinds = [
    ['Diagram: sequenceDiagram', 'sequenceDiagram\n  Alice->>Bob: Hello', 'Hello'],
    ['Diagram: classDiagram', 'classDiagram\n  class Animal{\n    +int age\n  }', 'Animal'],
    ['Diagram: stateDiagram-v2', 'stateDiagram-v2\n  [*] --> Still', 'Still'],
    ['Diagram: erDiagram', 'erDiagram\n  CUSTOMER ||--o{ ORDER : places', 'places'],
    ['Diagram: gantt', 'gantt\n  section S\n  Paint :a, 2026-01-01, 3d', 'Paint'],
    ['Diagram: pie', 'pie\n  "Dogs" : 3\n  "Cats" : 1', 'Dogs'],
    ['Diagram: mindmap', 'mindmap\n  root((Ideas))\n    One', 'Ideas'],
    ['Diagram: gitGraph', 'gitGraph\n  commit id: "first"', 'first'],
    ['Sign in. Two steps', 'pie\n  accTitle: Sign in\n  accDescr: Two steps\n  "A" : 1', 'A'],
  ] as const;
  const { screen } = await drawAll(kinds.map(([, source]) => source));
  for (const [name, , text] of kinds) {
    const image = screen.getByRole('img', { name }).element();
    expect(parseImage(image).documentElement.textContent).toContain(text);
    // The browser must be able to show the image.
    await expect.poll(() => image instanceof HTMLImageElement && image.naturalWidth).toBeTruthy();
  }
});

it('keeps the code of a broken diagram, and shows the parser’s error', async () => {
  const screen = await render(<Markdown text={fenced('flowchart LR\n  A --> --> B[')} />);
  const draw = screen.getByRole('button', { name: 'Draw diagram' });
  await draw.click();
  const alert = screen.getByRole('alert');
  await expect.element(alert).toMatchTextContent(/Parse error on line 2/);
  expect(screen.container.querySelector('pre')?.textContent).toContain('A --> --> B[');
  await expect.element(draw).toHaveFocus();
  expect(document.querySelector('[aria-hidden] svg#diagram')).toBeNull();
});
