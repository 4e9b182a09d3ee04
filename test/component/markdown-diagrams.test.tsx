import { describe, expect, it, vi } from 'vitest';
import { render } from 'vitest-browser-react';
import { Markdown } from '../../renderer/ui/markdown/markdown.tsx';

const fenced = (source: string) => `\`\`\`mermaid\n${source}\n\`\`\``;

async function draw(source: string) {
  const screen = await render(<Markdown text={fenced(source)} />);
  await screen.getByRole('button', { name: 'Draw diagram' }).click();
  return screen;
}

function svgOf(image: Element): Document {
  const [, text = ''] = (image.getAttribute('src') ?? '').split('charset=utf-8,');
  return new DOMParser().parseFromString(decodeURIComponent(text), 'image/svg+xml');
}

describe('a diagram', () => {
  it('is code until the reader draws it, and again after “Show code”', async () => {
    const screen = await render(<Markdown text={fenced('flowchart LR\n  A[Start] --> B[End]')} />);
    const code = () => screen.container.querySelector('pre')?.textContent;
    expect(code()).toContain('A[Start] --> B[End]');
    await screen.getByRole('button', { name: 'Draw diagram' }).click();
    const image = screen.getByRole('img', { name: 'Diagram: flowchart' });
    await expect.element(image).toBeVisible();
    expect(svgOf(image.element()).documentElement.textContent).toMatch(/Start.*End/s);
    expect(code()).toBeUndefined();
    const back = screen.getByRole('button', { name: 'Show code' });
    await expect.element(back).toHaveFocus();
    await back.click();
    await expect.poll(code).toContain('A[Start] --> B[End]');
    await expect.element(image).not.toBeInTheDocument();
  });

  it.each([
    ['sequenceDiagram', 'sequenceDiagram\n  Alice->>Bob: Hello', 'Hello'],
    ['classDiagram', 'classDiagram\n  class Animal{\n    +int age\n  }', 'Animal'],
    ['stateDiagram-v2', 'stateDiagram-v2\n  [*] --> Still', 'Still'],
    ['erDiagram', 'erDiagram\n  CUSTOMER ||--o{ ORDER : places', 'places'],
    ['gantt', 'gantt\n  dateFormat YYYY-MM-DD\n  section S\n  Paint :a, 2026-01-01, 3d', 'Paint'],
    ['pie', 'pie\n  "Dogs" : 3\n  "Cats" : 1', 'Dogs'],
    ['mindmap', 'mindmap\n  root((Ideas))\n    One', 'Ideas'],
    ['gitGraph', 'gitGraph\n  commit id: "first"', 'first'],
  ])('of the kind %s is drawn with its texts', async (kind, source, text) => {
    const screen = await draw(source);
    const image = screen.getByRole('img', { name: `Diagram: ${kind}` });
    await expect.element(image).toBeVisible();
    const drawn = image.element();
    expect(svgOf(drawn).documentElement.textContent).toContain(text);
    // The browser can show it, too.
    await expect.poll(() => drawn instanceof HTMLImageElement && drawn.naturalWidth).toBeTruthy();
  });

  it('is named by the title and description that it states', async () => {
    const screen = await draw(
      'flowchart LR\n  accTitle: Sign in\n  accDescr: Two steps\n  A --> B',
    );
    await expect.element(screen.getByRole('img', { name: 'Sign in. Two steps' })).toBeVisible();
  });

  it('is redrawn in the other theme', async () => {
    const screen = await draw('flowchart LR\n  A --> B[theme]');
    const image = screen.getByRole('img');
    await expect.element(image).toBeVisible();
    const before = image.element().getAttribute('src');
    const { dataset } = document.documentElement;
    const was = dataset.theme;
    dataset.theme = 'dark';
    try {
      await expect.poll(() => image.element().getAttribute('src')).not.toBe(before);
    } finally {
      if (was === undefined) delete dataset.theme;
      else dataset.theme = was;
    }
    await expect.poll(() => image.element().getAttribute('src')).toBe(before);
  });

  it('that is broken keeps its code and shows the parser’s error', async () => {
    const screen = await draw('flowchart LR\n  A --> --> B[');
    const alert = () => screen.container.querySelector('[role=alert]')?.textContent;
    await expect.poll(alert).toContain('Parse error on line 2');
    expect(screen.container.querySelector('pre')?.textContent).toContain('A --> --> B[');
    await expect.element(screen.getByRole('button', { name: 'Draw diagram' })).toHaveFocus();
    expect(document.querySelector('[aria-hidden] svg#diagram')).toBeNull();
  });

  it('offers no drawing while it streams', async () => {
    const screen = await render(<Markdown text={'```mermaid\nflowchart LR'} streaming />);
    expect(screen.container.textContent).toContain('flowchart LR');
    expect(screen.getByRole('button', { name: 'Draw diagram' }).query()).toBeNull();
  });
});

describe('a hostile diagram', () => {
  it.each([
    [
      'a click handler',
      'flowchart LR\n  A --> B\n  click A call hack()\n  click B "javascript:hack()"',
    ],
    ['a link', 'flowchart LR\n  A --> B\n  click A href "https://127.0.0.1:9/" "x"'],
    ['a script', 'flowchart LR\n  A["<script>hack()</script>x"] --> B'],
    ['an event handler', 'flowchart LR\n  A["<img src=x onerror=hack()>x"] --> B'],
    [
      'looser rules',
      '%%{init: {"securityLevel": "loose", "htmlLabels": true, "flowchart": {"htmlLabels": true}}}%%\nflowchart LR\n  A["<img src=x onerror=hack()>x"] --> B',
    ],
    [
      'styles',
      '%%{init: {"themeCSS": "* { background: url(https://127.0.0.1:9/) }"}}%%\nflowchart LR\n  A --> B',
    ],
  ])('with %s has no script, link or address in its image', async (_, source) => {
    const hack = vi.fn();
    Reflect.set(window, 'hack', hack);
    const screen = await draw(source);
    const image = screen.getByRole('img');
    await expect.element(image).toBeVisible();
    const svg = svgOf(image.element());
    expect(svg.querySelector('script, foreignObject, image, img, iframe')).toBeNull();
    expect(new XMLSerializer().serializeToString(svg)).not.toMatch(/127\.0\.0\.1|javascript:/);
    for (const element of svg.querySelectorAll('*')) {
      for (const name of element.getAttributeNames()) expect(name).not.toMatch(/^on/);
    }
    await image.click();
    expect(hack).not.toHaveBeenCalled();
    expect(document.adoptedStyleSheets).toEqual([]);
  });
});
