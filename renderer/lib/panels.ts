import type { OperationName } from '../../shared/operations/operation-name.ts';

/** Each operation has a panel; the other panels cover all operations. */
export type PanelName = OperationName | 'check' | 'history' | 'library' | 'settings';

/** In the order of the nav rail; each label is also the accessible name. */
const labels: Record<PanelName, string> = {
  chat: 'Chat',
  completion: 'Completion',
  image: 'Image',
  video: 'Video',
  rerank: 'Rerank',
  embeddings: 'Embeddings',
  speech: 'Speech',
  transcription: 'Transcription',
  console: 'Console',
  check: 'Check',
  history: 'History',
  library: 'Library',
  settings: 'Settings',
};

export const panelNames: readonly PanelName[] = Object.keys(labels).filter(isPanelName);

/** In the order of the nav rail. */
export const operationNames: readonly OperationName[] = panelNames.filter(isOperation);

export function getPanelLabel(name: PanelName): string {
  return labels[name];
}

export function isPanelName(name: string): name is PanelName {
  return Object.hasOwn(labels, name);
}

export function isOperation(name: PanelName): name is OperationName {
  return name !== 'check' && name !== 'history' && name !== 'library' && name !== 'settings';
}
