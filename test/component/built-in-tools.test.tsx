import { useState } from 'react';
import { expect, it } from 'vitest';
import { render } from 'vitest-browser-react';
import { BuiltInTools } from '../../renderer/features/chat/options/built-in-tools.tsx';
import {
  type BuiltInChoice,
  writeBuiltInTools,
} from '../../shared/operations/chat/built-in-tools.ts';

function Example({ format }: { format: string }) {
  const [chosen, setChosen] = useState<BuiltInChoice[]>([]);
  return (
    <>
      <BuiltInTools format={format} chosen={chosen} onChange={setChosen} />
      <output>{JSON.stringify(writeBuiltInTools(chosen, format))}</output>
    </>
  );
}

it('turns on a tool of the provider with its parameters', async () => {
  const screen = await render(<Example format="responses" />);
  const sent = screen.getByRole('status');
  await screen.getByRole('switch', { name: 'File search' }).click();
  await expect.element(screen.getByText('The provider rejects the tool without it.')).toBeVisible();
  await screen.getByRole('textbox', { name: 'Vector store IDs' }).fill('vs_1, vs_2');
  await screen.getByRole('spinbutton', { name: 'Max results' }).fill('3');
  const tool = { type: 'file_search', vector_store_ids: ['vs_1', 'vs_2'], max_num_results: 3 };
  await expect.element(sent).toHaveTextContent(JSON.stringify([tool]));
  await screen.getByRole('switch', { name: 'File search' }).click();
  await expect.element(sent).toHaveTextContent('[]');
});

it('explains that chat completions has no such tools', async () => {
  const screen = await render(<Example format="" />);
  await expect.element(screen.getByText(/Responses and Messages formats/)).toBeVisible();
  expect(screen.getByRole('switch').elements()).toHaveLength(0);
});
