import { useEffect, useState } from 'react';
import { beforeEach, expect, it } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { render } from 'vitest-browser-react';
import { guardFocus } from '../../renderer/ui/focus-guard.ts';
import { tooltip } from '../../renderer/ui/tooltip.ts';
import { TooltipLayer } from '../../renderer/ui/tooltip-layer.tsx';
import '../../renderer/ui/base.css';
import '../../renderer/ui/tokens.css';

/** Longer than a tooltip waits before it opens. */
const openedMs = 700;

/** An example that makes way for what it starts, as in a panel. */
function Panel() {
  const [started, setStarted] = useState(false);
  useEffect(guardFocus, []);
  return (
    <main style={{ padding: 80 }}>
      {!started && (
        <section data-focus-fallback="run">
          <button type="button" style={{ height: 60 }} onClick={() => setStarted(true)}>
            Example
          </button>
        </section>
      )}
      <button type="button" style={{ height: 60 }} {...tooltip('Saved parameters')}>
        Presets
      </button>
      <button type="button" data-run-control {...tooltip('Stop', 'Escape')}>
        Stop
      </button>
      <TooltipLayer />
    </main>
  );
}

const button = (name: string) => page.getByRole('button', { name, exact: true });
const shown = () =>
  document.querySelector<HTMLElement>('[popover]:popover-open')?.textContent ?? null;

beforeEach(async () => {
  // Out of the way, so that the next test moves it there.
  await userEvent.hover(document.documentElement, { position: { x: 1, y: 1 } });
});

it('opens where the pointer goes, and where Tab goes', async () => {
  await render(<Panel />);
  await userEvent.hover(button('Presets'));
  await expect.poll(shown).toBe('Saved parameters');
  await userEvent.click(button('Presets'));
  await expect.poll(shown).toBeNull();
  await userEvent.keyboard('{Tab}');
  await expect.element(button('Stop')).toHaveFocus();
  await expect.poll(shown).toContain('Stop');
});

it.each(['click', 'key'])('stays closed where a %s moves the focus or the page', async (how) => {
  await render(<Panel />);
  if (how === 'click') await userEvent.click(button('Example'));
  else {
    await userEvent.keyboard('{Tab}');
    await expect.element(button('Example')).toHaveFocus();
    await userEvent.keyboard('{Enter}');
  }
  await expect.element(button('Stop')).toHaveFocus();
  const seen = await seenFor(openedMs);
  expect(seen).toEqual([]);
});

it('closes when what it points at moves', async () => {
  const screen = await render(<Panel />);
  await userEvent.hover(button('Presets'));
  await expect.poll(shown).toBe('Saved parameters');
  screen.container.style.paddingTop = '30px';
  await expect.poll(shown).toBeNull();
});

/** The tooltips of that time, frame by frame. */
async function seenFor(ms: number): Promise<string[]> {
  const seen = new Set<string>();
  const until = performance.now() + ms;
  while (performance.now() < until) {
    await new Promise(requestAnimationFrame);
    const text = shown();
    if (text !== null) seen.add(text);
  }
  return [...seen];
}
