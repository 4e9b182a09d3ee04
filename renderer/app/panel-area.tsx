import { type ComponentType, lazy, Suspense, useEffect, useRef } from 'react';
import { rememberPanel } from '../lib/layout.ts';
import { type PanelName, panelLabel } from '../lib/panels.ts';
import { ErrorBoundary } from '../ui/error-boundary.tsx';
import { Spinner } from '../ui/spinner.tsx';
import styles from './shell.module.css';

const components: Record<PanelName, ComponentType> = {
  chat: lazy(async () => ({
    default: (await import('../features/chat/chat-panel.tsx')).ChatPanel,
  })),
  completion: lazy(async () => ({
    default: (await import('../features/completion/completion-panel.tsx')).CompletionPanel,
  })),
  speech: lazy(async () => ({
    default: (await import('../features/speech/speech-panel.tsx')).SpeechPanel,
  })),
  console: lazy(async () => ({
    default: (await import('../features/console/console-panel.tsx')).ConsolePanel,
  })),
  history: lazy(async () => ({
    default: (await import('../features/history/history-panel.tsx')).HistoryPanel,
  })),
  rerank: lazy(async () => ({
    default: (await import('../features/rerank/rerank-panel.tsx')).RerankPanel,
  })),
  transcription: lazy(async () => ({
    default: (await import('../features/transcription/transcription-panel.tsx')).TranscriptionPanel,
  })),
  image: lazy(async () => ({
    default: (await import('../features/image/image-panel.tsx')).ImagePanel,
  })),
  video: lazy(async () => ({
    default: (await import('../features/video/video-panel.tsx')).VideoPanel,
  })),
  library: lazy(async () => ({
    default: (await import('../features/library/library-panel.tsx')).LibraryPanel,
  })),
  settings: lazy(async () => ({
    default: (await import('../features/settings/settings-panel.tsx')).SettingsPanel,
  })),
};

/** Forms come with the panels that have them. */
async function retryForms(): Promise<void> {
  const panelForms = await import('../run/form/panel-forms.ts');
  panelForms.retryForms();
}

export function PanelArea({ panel }: { panel: PanelName }) {
  const label = panelLabel(panel);
  const Panel = components[panel];
  const area = useRef<HTMLElement>(null);

  useEffect(() => {
    rememberPanel(panel);
    document.title = `${label} · Gatehouse`;
    // A shortcut removes the focused field with its panel: Tab continues in the new one, not in the rail.
    if (document.activeElement === document.body) area.current?.focus();
  }, [panel, label]);

  return (
    <main ref={area} tabIndex={-1} className={styles.panel}>
      <ErrorBoundary key={panel} name={label} onRetry={retryForms}>
        <Suspense
          fallback={
            <div className={styles.loading}>
              <Spinner size={16} label={`Loading ${label}`} />
            </div>
          }
        >
          <Panel />
        </Suspense>
      </ErrorBoundary>
    </main>
  );
}
