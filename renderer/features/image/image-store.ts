import type { Media } from '../../../shared/media.ts';
import { emptyInputs } from '../../../shared/operations/empty-inputs.ts';
import type { ImageInput } from '../../../shared/operations/image/request.ts';
import type { HandOver } from '../../media/hand-over/hand-over.ts';
import { changeWithUndo, receiveItem } from '../../run/form/change-with-undo.ts';
import { panelForms } from '../../run/form/panel-forms.ts';
import { useForm } from '../../run/form/use-form.ts';
import type { ImageSettings } from './image-settings-values.ts';
import type { ReferenceImage, Turn } from './turns.ts';

export const imageForm = panelForms.image;

export function useImageInput<Part>(select: (input: ImageInput) => Part): Part {
  return useForm(imageForm, ({ input }) => select(input));
}

const input = (): ImageInput => imageForm.state.getState().values.input;

export function addImages(added: readonly ReferenceImage[]): void {
  imageForm.change({ input: { images: [...input().images, ...added] } });
}

export function receiveImage(item: HandOver): boolean {
  if (item.kind !== 'media' || item.media.kind !== 'image') return false;
  const { id, type } = item.media;
  const isAttached = input().images.some(({ mediaId }) => mediaId === id);
  const attach = () => addImages([{ mediaId: id, mimeType: type }]);
  const known = isAttached ? 'This image is already attached.' : null;
  return receiveItem(imageForm, known, attach, 'Image attached to the prompt');
}

export function removeImage(index: number): void {
  const images = input().images.toSpliced(index, 1);
  const remove = () => imageForm.change({ input: { images } });
  changeWithUndo(imageForm, remove, 'Image removed', { severalWords: '# images removed' });
}

/** Replaces the image with a converted or scaled copy. */
export function replaceImage(mediaId: string, { id, type }: Media): void {
  const images = input().images.map((image) =>
    image.mediaId === mediaId ? { mediaId: id, mimeType: type } : image,
  );
  imageForm.change({ input: { images } });
}

export function setMask(imageId: string, { id }: Media): void {
  imageForm.change({ input: { mask: { mediaId: id, imageId } } });
}

export function removeMask(): void {
  changeWithUndo(imageForm, () => imageForm.change({ input: { mask: null } }), 'Mask removed');
}

/** Makes the next prompt continue these turns; Undo restores the previous ones. */
export function continueFrom(earlier: Turn[]): void {
  changeWithUndo(
    imageForm,
    () => imageForm.change({ input: { earlier, prompt: '', images: [] } }),
    'Continuing from this image. Prompt cleared.',
  );
}

export function removeTurn(index: number): void {
  const earlier = input().earlier.toSpliced(index, 1);
  const remove = () => imageForm.change({ input: { earlier } });
  changeWithUndo(imageForm, remove, 'Turn removed', { severalWords: '# turns removed' });
}

export function clearTurns(): void {
  const clear = () => imageForm.change({ input: { earlier: [] } });
  changeWithUndo(imageForm, clear, 'Conversation cleared');
}

export function changeSettings(settings: Partial<ImageSettings>): void {
  imageForm.change({ input: settings }, { typing: true });
}

export function clearMoreFields(): void {
  changeWithUndo(imageForm, () => changeSettings({ moreConfig: '' }), 'Extra config cleared');
}

export function resetImageSettings(): void {
  const { responseModalities, aspectRatio, imageSize, moreConfig } = emptyInputs.image;
  changeSettings({ responseModalities, aspectRatio, imageSize, moreConfig });
}
