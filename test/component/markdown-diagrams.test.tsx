import { expect, it, vi } from 'vitest';
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

it('draws hostile diagrams without scripts, links or URLs in their images', async () => {
  const hack = vi.fn();
  Reflect.set(window, 'hack', hack);
  const { drawn } = await drawAll([
    'flowchart LR\n  A --> B\n  click A call hack()\n  click B "javascript:hack()"',
    'flowchart LR\n  A --> B\n  click A href "https://127.0.0.1:9/" "x"',
    'flowchart LR\n  A["<script>hack()</script>x"] --> B',
    'flowchart LR\n  A["<img src=x onerror=hack()>x"] --> B',
    '%%{init: {"securityLevel": "loose", "htmlLabels": true, "flowchart": {"htmlLabels": true}}}%%\nflowchart LR\n  A["<img src=x onerror=hack()>x"] --> B',
    '%%{init: {"themeCSS": "* { background: url(https://127.0.0.1:9/) }"}}%%\nflowchart LR\n  A --> B',
  ]);
  for (const image of drawn.elements()) {
    const svg = parseImage(image);
    expect(svg.querySelector('script, foreignObject, image, img, iframe')).toBeNull();
    expect(new XMLSerializer().serializeToString(svg)).not.toMatch(/127\.0\.0\.1|javascript:/);
    for (const element of svg.querySelectorAll('*')) {
      for (const name of element.getAttributeNames()) expect(name).not.toMatch(/^on/);
    }
    if (image instanceof HTMLElement) image.click();
  }
  expect(hack).not.toHaveBeenCalled();
  expect(document.adoptedStyleSheets).toEqual([]);
});
