import { expect, test } from 'vitest';
import { render } from 'vitest-browser-react';
import '../../renderer/ui/tokens.css';
import '../../renderer/ui/base.css';
import { panelForms } from '../../renderer/run/form/panel-forms.ts';
import { ParameterSidebar } from '../../renderer/run/form/parameter-sidebar.tsx';
import { resetForms } from './forms-fixtures.ts';
import { resetMain } from './panel-fake-main.ts';
import { Queries } from './params-fixtures.tsx';

test('keeps its header fixed while the fields scroll', async () => {
  resetForms();
  resetMain();
  const { getByRole } = await render(
    <Queries>
      <div data-testid="scroller" style={{ height: 300, overflow: 'auto' }}>
        <ParameterSidebar form={panelForms.completion} errors={[]} />
      </div>
    </Queries>,
  );
  const title = getByRole('heading', { name: 'Parameters' });
  await expect.element(getByRole('spinbutton', { name: 'Temperature' })).toBeVisible();
  const scroller = title.element().closest('[data-testid]');
  const header = title.element().parentElement;
  if (scroller === null || header === null) throw new Error('The sidebar has no header.');
  const covered: string[] = [];
  while (scroller.scrollTop + scroller.clientHeight < scroller.scrollHeight) {
    scroller.scrollTop += 7;
    const { left, right, top, bottom } = header.getBoundingClientRect();
    for (let x = left + 1; x < right; x += 8) {
      const shown = document.elementFromPoint(x, (top + bottom) / 2);
      if (shown !== null && !header.contains(shown)) covered.push(shown.outerHTML);
    }
  }
  expect(covered).toEqual([]);
});
