import type { PanelName } from '../../lib/panels.ts';
import { hrefFor } from '../../lib/route.ts';
import { PanelFrame } from '../../run/panel-frame.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';

const plans: Partial<Record<PanelName, string>> = {
  image: 'It will draw images from a prompt and keep them with the run that made them.',
  video: 'It will start video tasks, follow them, and play and keep what comes back.',
  rerank: 'It will order your documents by how well they answer a query.',
  speech: 'It will speak your text, and play it from the first bytes.',
  transcription: 'It will turn recordings into text, with segments and words beside the waveform.',
  console: 'It will send any request to the gateway, by hand.',
  history: 'It will list, search and export every run. The inspector shows them already.',
};

export interface NotBuiltPanelProps {
  panel: PanelName;
  label: string;
}

export function NotBuiltPanel({ panel, label }: NotBuiltPanelProps) {
  return (
    <PanelFrame title={label}>
      <EmptyState title={`${label} is not built yet`}>
        {plans[panel]} What works today: <a href={hrefFor('chat')}>chatting with a model</a> and{' '}
        <a href={hrefFor('completion')}>completing a text</a>.
      </EmptyState>
    </PanelFrame>
  );
}
