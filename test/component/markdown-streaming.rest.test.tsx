import { describe, expect, it } from 'vitest';
import { render } from 'vitest-browser-react';
import { Markdown } from '../../renderer/ui/markdown/markdown.tsx';

const answer = `# Title & more

A paragraph with **bold**, *italic*, ~~gone~~, \`code\`, a [link](https://example.com/a) and
a [reference][later], <b>html</b> &amp; an entity, https://auto.example and ![cat](https://img.example/c.png).

Steps:
1. First
   \`\`\`python
   def f():
       return "x"
   \`\`\`
2. Second
   - nested **one**
   - nested two
     - deeper

- [x] done
- [ ] to do

| Name | Count |
|:-----|------:|
| \`a\` | 1 |
| b | **2** |

> A quote
> with \`code\`
> - and a list

\`\`\`json
{ "a": [1, 2, null], "b": "text" }
\`\`\`

Setext
------

<details>
<summary>more</summary>
</details>

***
[later]: https://later.example/x "Later"

**注意：**请看https://example.com/a，再看**（注记）**[^1]和[^b]，约1~2天。

| 行 |
|---|
| 一<br>二 |

> מימין לשמאל[^1]

[^1]: The first note
    goes on.
[^b]: Another

Unclosed **bold and \`code`;

function settled(element: HTMLElement) {
  return expect.poll(() => element.querySelectorAll('[data-scope]').length);
}

/** Returns the HTML without generated IDs, which differ between copies. */
function getMarkup(element: HTMLElement): string {
  return element.innerHTML.replaceAll(/ id="[^"]*"/g, '');
}

describe('streamed Markdown', () => {
  it.each([1, 29])('renders the same DOM in steps of %i characters as at once', async (size) => {
    const whole = await render(<Markdown text={answer} />);
    const streamed = await render(<Markdown text="" streaming />);
    for (let end = size; end < answer.length; end += size) {
      await streamed.rerender(<Markdown text={answer.slice(0, end)} streaming />);
    }
    await streamed.rerender(<Markdown text={answer} />);
    await settled(whole.container).toBeGreaterThan(5);
    await expect.poll(() => getMarkup(streamed.container)).toBe(getMarkup(whole.container));
  });

  it('never shows an incomplete fence, emphasis or link marker', async () => {
    const text =
      '**Bold：**中[^1] and [docs](https://e.com).\n\n[^1]: **Note**\n\n```js\nlet a;\n```\n\n- item';
    const screen = await render(<Markdown text="" streaming />);
    for (let end = 1; end <= text.length; end += 1) {
      await screen.rerender(<Markdown text={text.slice(0, end)} streaming />);
      const shown = screen.container.textContent.replace('[^1]', '');
      expect(shown).not.toMatch(/[`*[\]]|https:|^-/);
    }
  });

  it('jumps to a note and back to its reference', async () => {
    const text = 'One[^1] and two[^1].\n\n[^1]: The note.';
    const screen = await render(<Markdown text={text} />);
    const second = screen.getByRole('link', { name: 'Footnote 1' }).nth(1);
    await second.click();
    await expect.element(screen.getByRole('listitem')).toHaveFocus();
    await screen.getByRole('link', { name: 'Back to reference 1' }).click();
    await expect.element(second).toHaveFocus();
  });

  it('sets the direction of each block and list by its first letter', async () => {
    const text = 'مرحبا\n\nHello\n\n- שלום\n- one\n\n> مرحبا\n\n| שם |\n|---|\n| a |\n';
    const { container } = await render(<Markdown text={text} />);
    const directions = [...container.querySelectorAll('p, li, blockquote, th, td')].map(
      (element) => `${element.tagName} ${getComputedStyle(element).direction}`,
    );
    expect(directions).toEqual([
      ...['P rtl', 'P ltr', 'LI rtl', 'P rtl', 'LI rtl', 'P rtl'],
      ...['BLOCKQUOTE rtl', 'P rtl', 'TH rtl', 'TD ltr'],
    ]);
  });

  it('resolves a reference that is defined later', async () => {
    const screen = await render(<Markdown text={'See [this][x].\n\n'} streaming />);
    await screen.rerender(<Markdown text={'See [this][x].\n\n[x]: https://e.com/x\n'} />);
    expect(screen.getByRole('link', { name: 'this' }).element().getAttribute('href')).toBe(
      'https://e.com/x',
    );
  });

  it('splits a long block into many text nodes', async () => {
    const code = `\`\`\`\n${'let a = 1;\n'.repeat(400)}`;
    const screen = await render(<Markdown text={code} streaming />);
    const groups = [...screen.container.querySelectorAll('code > span')];
    expect(groups.length).toBe(10);
  });

  it('mounts a long text from its end, over several frames', async () => {
    const text = Array.from({ length: 1200 }, (_, index) => `Paragraph ${index}.`).join('\n\n');
    const screen = await render(<Markdown text={text} />);
    const paragraphs = () => screen.container.querySelectorAll('p');
    expect(paragraphs().length).toBeLessThan(400);
    const last = screen.getByText('Paragraph 1199.').element();
    expect(screen.container.textContent).toMatch(/^Paragraph 0\..*Paragraph 1199\.$/);
    await expect.poll(() => paragraphs().length).toBe(1200);
    expect(paragraphs()[1199]).toBe(last);
    expect([...paragraphs()].every((p, index) => p.textContent === `Paragraph ${index}.`)).toBe(
      true,
    );
  });
});
