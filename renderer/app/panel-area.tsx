import { type ComponentType, memo, Suspense, useEffect, useRef } from 'react';
import { getArchivedQuery, getConversationsQuery } from '../features/chat/list/list-query.ts';
import { orpc } from '../lib/api.ts';
import { importPart } from '../lib/import-part.ts';
import { rememberPanel } from '../lib/layout.ts';
import { getPanelLabel, isOperation, type PanelName, panelNames } from '../lib/panels.ts';
import { pause } from '../lib/pause.ts';
import { queryClient } from '../lib/query-client.ts';
import { usePreload } from '../lib/use-preload.ts';
import { ErrorBoundary } from '../ui/error-boundary.tsx';
import { lazyComponent } from '../ui/lazy-component.tsx';
import { Spinner } from '../ui/spinner.tsx';
import styles from './shell.module.css';

const panels: Record<PanelName, () => Promise<ComponentType>> = {
  chat: async () => (await import('../features/chat/chat-panel.tsx')).ChatPanel,
  completion: async () =>
    (await import('../features/completion/completion-panel.tsx')).CompletionPanel,
  speech: async () => (await import('../features/speech/speech-panel.tsx')).SpeechPanel,
  console: async () => (await import('../features/console/console-panel.tsx')).ConsolePanel,
  check: async () => (await import('../features/check/check-panel.tsx')).CheckPanel,
  history: async () => (await import('../features/history/history-panel.tsx')).HistoryPanel,
  embeddings: async () =>
    (await import('../features/embeddings/embeddings-panel.tsx')).EmbeddingsPanel,
  rerank: async () => (await import('../features/rerank/rerank-panel.tsx')).RerankPanel,
  transcription: async () =>
    (await import('../features/transcription/transcription-panel.tsx')).TranscriptionPanel,
  image: async () => (await import('../features/image/image-panel.tsx')).ImagePanel,
  video: async () => (await import('../features/video/video-panel.tsx')).VideoPanel,
  library: async () => (await import('../features/library/library-panel.tsx')).LibraryPanel,
  settings: async () => (await import('../features/settings/settings-panel.tsx')).SettingsPanel,
};

const components = new Map(panelNames.map((name) => [name, createLatePanel(name)]));

/** Loads the panel together with its initial data, so that it renders only once. */
function createLatePanel(name: PanelName): ComponentType {
  const loading = (
    <div className={styles.loading}>
      <Spinner size={16} label={`Loading ${getPanelLabel(name)}`} />
    </div>
  );
  return lazyComponent(
    async () => {
      const [Panel] = await Promise.all([panels[name](), prefetchAnswers(name)]);
      return () => (
        <>
          {/* The panel suspends while its form loads for longer than the limit. */}
          <Suspense fallback={loading}>
            <Panel />
          </Suspense>
          <ShellPreload />
        </>
      );
    },
    {
      waiting: () => loading,
      failed: ({ children }) => <div className={styles.loading}>{children}</div>,
    },
  );
}

/** After this delay, the panel shows a loading state. */
const maxWaitMs = 1000;
/** Limits the wait for a gateway's model list, which may be slow or missing. */
const maxWaitForModelsMs = 300;

function prefetchAnswers(name: PanelName): Promise<unknown> {
  const answers = [
    queryClient.prefetchQuery(orpc.connections.list.queryOptions()),
    queryClient.prefetchQuery(orpc.settings.get.queryOptions()),
    ...(name === 'chat' ? prefetchChatAnswers() : []),
    loadForm(name),
  ];
  const all = Promise.allSettled(answers).then(() =>
    waitAtMost(maxWaitForModelsMs, loadModels(name)),
  );
  return waitAtMost(maxWaitMs, all);
}

function prefetchChatAnswers(): Promise<unknown>[] {
  return [
    queryClient.prefetchQuery(orpc.saved.tools.list.queryOptions()),
    queryClient.prefetchQuery(orpc.mcp.list.queryOptions()),
    queryClient.prefetchQuery(getConversationsQuery()),
    queryClient.prefetchQuery(getArchivedQuery()),
  ];
}

function waitAtMost(ms: number, work: Promise<unknown>): Promise<unknown> {
  return Promise.race([work, pause(ms, new AbortController().signal)]);
}

const importForms = () => import('../run/form/panel-forms.ts');

async function loadForm(name: PanelName): Promise<void> {
  if (isOperation(name)) await (await importForms()).panelForms[name].load();
}

async function loadModels(name: PanelName): Promise<void> {
  if (isOperation(name)) await (await importForms()).loadModels(name);
}

async function retryForms(): Promise<void> {
  (await importForms()).retryForms();
}

const loadShell = () =>
  Promise.all([import('./palette/command-palette.tsx'), import('./inspector-drawer.tsx')]);

function ShellPreload() {
  usePreload(() => importPart(loadShell).catch(() => undefined));
  return null;
}

/** Memoized because the workbench renders whenever the palette opens. */
export const PanelArea = memo(function PanelArea({ panel }: { panel: PanelName }) {
  const label = getPanelLabel(panel);
  const Panel = components.get(panel);
  const area = useRef<HTMLElement>(null);

  useEffect(() => {
    rememberPanel(panel);
    document.title = `${label} · Gatehouse`;
    // If a shortcut removed the focused field, focus the new panel, so that Tab continues there.
    if (document.activeElement === document.body) area.current?.focus();
  }, [panel, label]);

  return (
    <main ref={area} tabIndex={-1} className={styles.panel}>
      <ErrorBoundary key={panel} name={label} onRetry={retryForms}>
        {Panel !== undefined && <Panel />}
      </ErrorBoundary>
    </main>
  );
});
