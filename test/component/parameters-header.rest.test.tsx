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

test('shows the number of changes whole beside a scroll bar', async () => {
  resetForms();
  resetMain();
  panelForms.completion.change({
    params: {
      temperature: { value: 1 },
      top_p: { value: 1 },
      n: { value: 1 },
      echo: { value: true },
      max_tokens: { value: 1 },
      logprobs: { value: 1 },
      stop: { value: 'x' },
    },
  });
  const { getByText, getByRole, getByTestId } = await render(
    <Queries>
      <div data-testid="scroller" style={{ height: 300, overflowY: 'scroll' }}>
        <ParameterSidebar form={panelForms.completion} errors={[]} />
      </div>
    </Queries>,
  );
  await expect.element(getByRole('heading', { name: 'Parameters' })).toBeVisible();
  const scroller = getByTestId('scroller').element();
  const count = getByText('7 changed').element().parentElement ?? expect.fail();
  const title = document.createRange();
  title.selectNodeContents(getByRole('heading', { name: 'Parameters' }).element());
  // Scroll bars take no space here, so a narrow sidebar stands for one with a scroll bar.
  for (const width of [275, 300]) {
    if (scroller instanceof HTMLElement) scroller.style.width = `${width}px`;
    const box = count.getBoundingClientRect();
    expect(count.scrollWidth, `${width} px`).toBeLessThanOrEqual(Math.ceil(box.width));
    expect(title.getBoundingClientRect().right, `${width} px`).toBeLessThanOrEqual(box.left);
    const presets = getByRole('button', { name: 'Presets' }).element().getBoundingClientRect();
    expect(box.right, `${width} px`).toBeLessThanOrEqual(presets.left);
    const reset = getByRole('button', { name: 'Reset all' }).element().getBoundingClientRect();
    const { left } = scroller.getBoundingClientRect();
    expect(reset.right, `${width} px`).toBeLessThanOrEqual(left + scroller.clientWidth);
  }
});

test('keeps a number’s title, limits and reset button apart', async () => {
  resetForms();
  resetMain();
  panelForms.completion.change({ params: { logprobs: { value: 3 } } });
  const { getByText, getByRole } = await render(
    <Queries>
      <div style={{ width: 285 }}>
        <ParameterSidebar form={panelForms.completion} errors={[]} />
      </div>
    </Queries>,
  );
  const field = getByRole('spinbutton', { name: 'Token probabilities' });
  await expect.element(field).toBeVisible();
  const title = document.createRange();
  title.selectNodeContents(getByText('Token probabilities', { exact: true }).element());
  const whole = field.element().closest('[data-field]') ?? expect.fail();
  const boxes = [
    title.getBoundingClientRect(),
    whole.querySelector('span')?.getBoundingClientRect() ?? expect.fail(),
    whole.querySelector('button')?.getBoundingClientRect() ?? expect.fail(),
    field.element().getBoundingClientRect(),
  ];
  for (const [at, box] of boxes.slice(1).entries()) {
    expect(box.left).toBeGreaterThanOrEqual(boxes[at]?.right ?? Number.NaN);
  }
});
