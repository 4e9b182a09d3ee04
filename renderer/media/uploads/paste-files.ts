interface PasteEvent {
  clipboardData: DataTransfer | null;
}

/** The files in a paste; empty for text, which is then pasted as ever. */
export function pastedFiles({ clipboardData }: PasteEvent): File[] {
  if (clipboardData === null) return [];
  // Word processors put a picture of the text beside the text.
  if (clipboardData.types.includes('text/plain')) return [];
  return [...clipboardData.files].map(named);
}

/** Screenshots come as `image.png`, each of them. */
function named(file: File): File {
  if (!/^image\.\w+$/.test(file.name)) return file;
  const at = new Date().toISOString().slice(0, 19).replaceAll(':', '.').replace('T', ' ');
  const name = file.name.replace(/^image/, `Pasted ${at}`);
  return new File([file], name, { type: file.type });
}
