/** Renders each panel with a result, and with the shortcuts of the app. */
import type { ComponentType } from 'react';
import { expect } from 'vitest';
import { render } from 'vitest-browser-react';
import { useShortcutKeys } from '../../renderer/app/shell-commands.ts';
import { CompletionPanel } from '../../renderer/features/completion/completion-panel.tsx';
import { ConsolePanel } from '../../renderer/features/console/console-panel.tsx';
import { EmbeddingsPanel } from '../../renderer/features/embeddings/embeddings-panel.tsx';
import { ImagePanel } from '../../renderer/features/image/image-panel.tsx';
import { RerankPanel } from '../../renderer/features/rerank/rerank-panel.tsx';
import { SpeechPanel } from '../../renderer/features/speech/speech-panel.tsx';
import { TranscriptionPanel } from '../../renderer/features/transcription/transcription-panel.tsx';
import { VideoPanel } from '../../renderer/features/video/video-panel.tsx';
import type { OperationName } from '../../shared/operations/operation-name.ts';
import { PanelPage } from './panel-fixtures.tsx';

export type Panel = Exclude<OperationName, 'chat'>;

const panels: Record<Panel, ComponentType> = {
  completion: CompletionPanel,
  image: ImagePanel,
  video: VideoPanel,
  rerank: RerankPanel,
  embeddings: EmbeddingsPanel,
  speech: SpeechPanel,
  transcription: TranscriptionPanel,
  console: ConsolePanel,
};

export const everyPanel = Object.keys(panels) as Panel[];

function PanelWithKeys({ panel }: { panel: Panel }) {
  useShortcutKeys();
  const Shown = panels[panel];
  return (
    <PanelPage>
      <Shown />
    </PanelPage>
  );
}

export async function openPanel(panel: Panel) {
  location.hash = `#/${panel}`;
  const screen = await render(<PanelWithKeys panel={panel} />);
  await expect.element(screen.getByRole('combobox', { name: 'Connection' })).toBeEnabled();
  // The sidebar is empty until the panel can be used.
  const sidebar = screen.getByRole('complementary', { name: 'Parameters' });
  if (sidebar.query() !== null) await expect.element(sidebar).not.toBeEmptyDOMElement();
  const button = (name: string) => screen.getByRole('button', { name, exact: true });
  return { screen, button, result: screen.getByRole('region', { name: 'Result' }) };
}
