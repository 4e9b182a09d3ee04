import { emptyInputs } from '../../../shared/operations/empty-inputs.ts';
import type { ImageInput } from '../../../shared/operations/image/request.ts';
import { offerUndo } from '../../lib/undo.ts';
import type { HandOver } from '../../media/hand-over/hand-over.ts';
import { changeWithUndo } from '../../run/form/change-with-undo.ts';
import { panelForms } from '../../run/form/panel-forms.ts';
import { useForm } from '../../run/form/use-form.ts';
import type { ImageSettings } from './image-settings-values.ts';
import type { ReferenceImage, Turn } from './turns.ts';

export const imageForm = panelForms.image;

export function useImageInput<Part>(select: (input: ImageInput) => Part): Part {
  return useForm(imageForm, ({ input }) => select(input));
}

const input = (): ImageInput => imageForm.state.getState().values.input;

export function writePrompt(prompt: string): void {
  imageForm.change({ input: { prompt } }, { typing: true });
}

export function addImages(added: readonly ReferenceImage[]): void {
  imageForm.change({ input: { images: [...input().images, ...added] } });
}

/** Appends an image from another panel unless the image is already attached. */
export function receiveImage(item: HandOver): boolean {
  if (item.kind !== 'media' || item.media.kind !== 'image') return false;
  const { id, type } = item.media;
  if (input().images.some(({ mediaId }) => mediaId === id)) {
    const message = 'This image is already attached.';
    offerUndo({ message, place: imageForm.id, undo: null });
    return true;
  }
  const attach = () => addImages([{ mediaId: id, mimeType: type }]);
  changeWithUndo(imageForm, attach, 'Image attached to the prompt', { after: 'any change' });
  return true;
}

export function removeImage(index: number): void {
  const images = input().images.toSpliced(index, 1);
  const remove = () => imageForm.change({ input: { images } });
  changeWithUndo(imageForm, remove, 'Image removed', { severalWords: '# images removed' });
}

/** The next prompt continues these turns, and Undo restores the previous turns. */
export function continueFrom(earlier: Turn[]): void {
  changeWithUndo(
    imageForm,
    () => imageForm.change({ input: { earlier, prompt: '', images: [] } }),
    'Continuing from this image. Prompt cleared.',
  );
}

export function removeTurn(index: number): void {
  changeTurns(input().earlier.toSpliced(index, 1), 'Turn removed', '# turns removed');
}

export function clearTurns(): void {
  changeTurns([], 'Conversation cleared');
}

function changeTurns(earlier: Turn[], message: string, groupedMessage: string | null = null): void {
  const change = () => imageForm.change({ input: { earlier } });
  changeWithUndo(imageForm, change, message, { severalWords: groupedMessage });
}

export function changeSettings(settings: Partial<ImageSettings>): void {
  imageForm.change({ input: settings }, { typing: true });
}

export function clearMoreFields(): void {
  changeWithUndo(imageForm, () => changeSettings({ moreConfig: '' }), 'More fields cleared');
}

export function resetSettings(): void {
  const { responseModalities, aspectRatio, imageSize, moreConfig } = emptyInputs.image;
  changeSettings({ responseModalities, aspectRatio, imageSize, moreConfig });
}

export function showRun(runId: string): void {
  imageForm.change({ runId });
}
