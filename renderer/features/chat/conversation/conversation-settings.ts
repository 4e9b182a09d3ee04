import { joinFieldName } from '../../../../shared/form-fields.ts';
import type { JsonObject } from '../../../../shared/json.ts';
import { emptyInputs } from '../../../../shared/operations/empty-inputs.ts';
import { selectLatest } from '../../../lib/connections.ts';
import { withdrawOffersAt } from '../../../lib/undo.ts';
import { moveRecording } from '../../../media/capture/recorder.ts';
import { moveUploads } from '../../../media/uploads/use-uploads.ts';
import { getVariantsUndoKey } from '../../../run/compare/variants.ts';
import { changeWithUndo } from '../../../run/form/change-with-undo.ts';
import type { Form } from '../../../run/form/form.ts';
import { getConversationForm } from '../../../run/form/panel-forms.ts';
import { copySettings, getParametersUndoKey, resetSettings } from '../../../run/form/parameters.ts';
import { selectConversation, useChat } from './chat-store.ts';
import { getMessage, isEmpty } from './composer-form.ts';

export interface Target {
  connectionId: string;
  request: JsonObject;
}

/** Stores the last target in the conversation and as the default for new ones. */
export function keepTarget(form: Form<'chat'>, { connectionId, request }: Target): void {
  const { model } = request;
  form.change({
    connectionId,
    ...(typeof model === 'string' && { models: { [connectionId]: model } }),
  });
  selectLatest(connectionId);
}

/** Moves settings, recordings and uploads to the conversation that was just created. */
export function moveSettings(conversationId: string): void {
  const form = getConversationForm(null);
  const next = getConversationForm(conversationId);
  copySettings(form, next);
  resetSettings(form);
  moveRecording('chat', form.id, next.id);
  moveUploads(form.id, next.id);
  // The next new conversation keeps the variants too.
  const { edits, variants, comparing } = form.state.getState().values;
  next.change({ edits, variants, comparing });
  form.change({ comparing: false });
  form.change({}, { unset: Object.keys(edits).map((name) => joinFieldName('edits', name)) });
  // Clear these Undo offers, because they would change the next conversation's settings.
  withdrawOffersAt([getVariantsUndoKey(form), getParametersUndoKey(form)]);
}

/** Shows the new conversation and its draft; a second call clears the draft, with Undo. */
export function startConversation(): void {
  if (useChat.getState().selectedId === null) clearDraft();
  else showNewConversation();
}

/** Resets the form for a new conversation unless it has a draft; keeps variants that are shown. */
export function showNewConversation(): void {
  const form = getConversationForm(null);
  const { selectedId } = useChat.getState();
  if (isEmpty(getMessage(form))) {
    // The user may just have chosen the model.
    resetSettings(form, { keepModels: selectedId === null });
    const shown = getConversationForm(selectedId);
    if (shown !== form && shown.state.getState().values.comparing) copyComparison(shown, form);
  }
  selectConversation(null);
}

/** Keeps the model, which the user may just have chosen, and the variants. */
function clearDraft(): void {
  const form = getConversationForm(null);
  const clear = () => {
    resetSettings(form, { keepModels: true });
    form.change({ input: emptyInputs.chat });
  };
  changeWithUndo(form, clear, 'Draft cleared');
  selectConversation(null);
}

/** Copies the variants along with the settings that they inherit. */
function copyComparison(from: Form<'chat'>, to: Form<'chat'>): void {
  const { variants, connectionId } = from.state.getState().values;
  const known = Object.keys(to.state.getState().values.variants);
  const removed = known.filter((id) => !Object.hasOwn(variants, id));
  copySettings(from, to);
  to.change(
    { variants, comparing: true },
    { unset: removed.map((id) => joinFieldName('variants', id)) },
  );
  if (connectionId !== null) selectLatest(connectionId);
}
