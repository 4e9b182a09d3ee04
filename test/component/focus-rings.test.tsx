import { beforeEach, expect, it, vi } from 'vitest';
import { userEvent } from 'vitest/browser';
import { render } from 'vitest-browser-react';

vi.mock('../../renderer/lib/api.ts', () => import('./shell-fake-main.ts'));

import { App } from '../../renderer/app/app.tsx';
import { useLayout } from '../../renderer/lib/layout.ts';
import { panelLabel, panelNames } from '../../renderer/lib/panels.ts';
import { panelForms } from '../../renderer/run/form/panel-forms.ts';
import { operationNameSchema } from '../../shared/operations/operation-name.ts';
import { runView } from '../fixtures/run-view.ts';
import { main } from './shell-fake-main.ts';
import { resetShellWithModels } from './shell-fixtures.ts';

beforeEach(async () => {
  await resetShellWithModels();
  useLayout.setState({ inspectorOpen: true, sidebarOpen: true });
  main.recorded = { prompt: 'Once\n'.repeat(200), query: 'Once', documents: ['One', 'Two'] };
  main.runs = operationNameSchema.options.map((operation) =>
    runView(operation, { id: operation, status: 'succeeded', finishedAt: Date.now() }),
  );
  for (const [name, form] of Object.entries(panelForms)) {
    if (name !== 'chat') form.change({ runId: name });
  }
});

interface Rings {
  name: string;
  /** What has a ring, by its tag and role. */
  ringed: string[];
  /** Sides of the ring that are hidden by what it is in. */
  clipped: string[];
}

it.each(panelNames)('in %s a ring marks one control, whole, and never a region', async (panel) => {
  location.hash = `#/${panel}`;
  const screen = await render(
    <div style={{ height: '100vh' }}>
      <App />
    </div>,
  );
  await expect
    .element(screen.getByRole('heading', { level: 1, name: panelLabel(panel) }))
    .toBeVisible();
  await expect.element(screen.getByRole('region', { name: 'Inspector' })).toBeVisible();
  screen.getByRole('link', { name: 'Chat', exact: true }).element().focus();
  const all: Rings[] = [];
  for (let count = 0; count < 60; count += 1) {
    await userEvent.tab();
    all.push(ringsNow());
  }
  // Text boxes, scrollers and the page itself have none of their own, or one around them.
  expect(all.filter(({ ringed }) => ringed.length === 1).length).toBeGreaterThan(30);
  const ofRegions = all.filter(({ ringed }) =>
    ringed.some((what) => /^(main|nav|aside|section|article|ul|ol|dialog) |log|list/.test(what)),
  );
  expect(ofRegions).toEqual([]);
  expect(all.filter(({ ringed }) => ringed.length > 1)).toEqual([]);
  expect(all.filter(({ clipped }) => clipped.length > 0)).toEqual([]);
});

function ringsNow(): Rings {
  const { activeElement } = document;
  const rings = [...document.querySelectorAll('*')].filter((element) => {
    const { outlineStyle, outlineWidth } = getComputedStyle(element);
    const isSeen = element.checkVisibility({ opacityProperty: true }) && element.clientWidth > 1;
    return isSeen && outlineStyle !== 'none' && Number.parseFloat(outlineWidth) > 0;
  });
  return {
    name: `${activeElement?.getAttribute('aria-label') ?? activeElement?.textContent?.slice(0, 40)}`,
    ringed: rings.map(
      (element) => `${element.tagName.toLowerCase()} ${element.getAttribute('role') ?? ''}`,
    ),
    // A text box is scrolled to its caret, not to its end.
    clipped: rings.filter((element) => !element.matches('textarea')).flatMap(clippedSides),
  };
}

function clippedSides(element: Element): string[] {
  const { outlineWidth, outlineOffset } = getComputedStyle(element);
  const around = Number.parseFloat(outlineWidth) + Number.parseFloat(outlineOffset);
  const { left, right, top, bottom } = element.getBoundingClientRect();
  const sides = new Set<string>();
  for (let outer = element.parentElement; outer !== null; outer = outer.parentElement) {
    const { overflow, overflowClipMargin } = getComputedStyle(outer);
    if (overflow === 'visible') continue;
    const room = 0.5 + (overflow === 'clip' ? Number.parseFloat(overflowClipMargin) : 0);
    const clip = outer.getBoundingClientRect();
    if (left - around < clip.left - room) sides.add('left');
    if (right + around > clip.right + room) sides.add('right');
    if (top - around < clip.top - room) sides.add('top');
    if (bottom + around > clip.bottom + room) sides.add('bottom');
  }
  return [...sides];
}
