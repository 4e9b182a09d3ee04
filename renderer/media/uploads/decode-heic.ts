/** Decodes HEIC with libheif, whose WASM stays a separate file as its license asks. */
import createLibheif from 'libheif-js/libheif-wasm/libheif.js';
import wasmUrl from 'libheif-js/libheif-wasm/libheif.wasm?url';

interface HeifImage {
  is_primary(): boolean;
  get_width(): number;
  get_height(): number;
  /** Fills the target, then passes it on; null if the image can't be decoded. */
  display(target: ImageData, done: (result: ImageData | null) => void): void;
}

// The package's declarations lack the classes that it adds to the module.
declare module 'libheif-js/libheif-wasm/libheif.js' {
  interface EmbindModule {
    /** Returns no images if the file can't be read. */
    HeifDecoder: new () => { decode(file: Uint8Array): HeifImage[] };
  }
}

/** At four bytes per pixel, larger images would take more memory than a page may have. */
const MAX_PIXELS = 100_000_000;

export async function decodeHeic(file: Uint8Array): Promise<ImageData> {
  const response = await fetch(wasmUrl);
  if (!response.ok) throw new Error(`The HEIC decoder couldn’t be loaded (${response.status}).`);
  const { HeifDecoder } = createLibheif({ wasmBinary: await response.arrayBuffer() });
  const images = new HeifDecoder().decode(file);
  const image = images.find((one) => one.is_primary()) ?? images[0];
  if (image === undefined) throw new Error('The HEIC file has no image.');
  const width = image.get_width();
  const height = image.get_height();
  if (width * height > MAX_PIXELS) throw new Error('The image has over 100 megapixels.');
  const target = new ImageData(width, height);
  return new Promise((resolve, reject) => {
    image.display(target, (result) => {
      if (result === null) reject(new Error('The HEIC image is damaged.'));
      else resolve(target);
    });
  });
}
