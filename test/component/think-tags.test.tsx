import { describe, expect, it } from 'vitest';
import { render } from 'vitest-browser-react';
import { getLiveAnswer, getSavedAnswer } from '../../renderer/features/chat/answer/answer.ts';
import { AnswerText } from '../../renderer/features/chat/answer/answer-body.tsx';
import { delta, fold, last } from '../unit/support/chat-events.ts';
import { makeMessage } from './chat-fake-main.ts';

describe('reasoning in <think> tags', () => {
  it.each([true, false])('marks the reasoning of a saved message: %s', async (reasoningTagged) => {
    const message = makeMessage({
      role: 'assistant',
      content: 'Four.',
      reasoning: 'Two.',
      reasoningTagged,
    });
    const screen = await render(<AnswerText answer={getSavedAnswer(message)} running={false} />);
    await expect.element(screen.getByText('Four.')).toBeVisible();
    const summary = screen.container.querySelector('summary')?.textContent ?? '';
    expect(summary.includes('from <think> tags')).toBe(reasoningTagged);
  });

  it('shows tagged reasoning apart from the text', async () => {
    const thinking = fold(delta({ content: '<think>Two and' }), delta({ content: ' two.</th' }));
    const screen = await render(<AnswerText answer={getLiveAnswer(thinking, 0)} running />);
    await expect.element(screen.getByText('Two and two.')).toBeVisible();
    expect(screen.container.querySelector('summary')?.textContent).toContain('from <think> tags');

    const whole = fold(
      delta({ content: '<think>Two and two.</th' }),
      delta({ content: 'ink>\n\nFour.' }),
      last('stop'),
    );
    await screen.rerender(<AnswerText answer={getLiveAnswer(whole, 0)} running={false} />);
    await expect.element(screen.getByText('Four.')).toBeVisible();
    expect(screen.container.querySelector('summary')?.textContent).toContain('from <think> tags');
    expect(screen.container.textContent).not.toContain('</think>');
  });
});
