/** Draws the app icons from electron/resources/icon.svg in every required format. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { chromium } from 'playwright-core';
import { chromiumArgs, findChromium } from './chromium.ts';

const resources = join(import.meta.dirname, '../../electron/resources');
const LINUX_SIZES = [16, 32, 48, 64, 128, 256, 512];
const WINDOWS_SIZES = [16, 24, 32, 48, 64, 128, 256];
/** The names of the sizes in macOS icon files. */
const MAC_TYPES: [type: string, size: number][] = [
  ['icp4', 16],
  ['icp5', 32],
  ['ic07', 128],
  ['ic08', 256],
  ['ic09', 512],
  ['ic10', 1024],
];

type Draw = (size: number) => Promise<Buffer>;

async function drawAll(draw: Draw): Promise<void> {
  mkdirSync(join(resources, 'icons'), { recursive: true });
  for (const size of LINUX_SIZES) {
    writeFileSync(join(resources, 'icons', `${size}x${size}.png`), await draw(size));
  }
  writeFileSync(join(resources, 'icon.png'), await draw(1024));
  writeFileSync(join(resources, 'icon.ico'), await windowsIcon(draw));
  writeFileSync(join(resources, 'icon.icns'), await macIcon(draw));
}

async function windowsIcon(draw: Draw): Promise<Buffer> {
  const images = await Promise.all(WINDOWS_SIZES.map(draw));
  const head = Buffer.alloc(6 + 16 * images.length);
  head.writeUInt16LE(1, 2);
  head.writeUInt16LE(images.length, 4);
  let offset = head.length;
  for (const [index, image] of images.entries()) {
    const entry = 6 + 16 * index;
    // The ICO format stores 256 as 0.
    const size = (WINDOWS_SIZES[index] ?? 0) % 256;
    head.writeUInt8(size, entry);
    head.writeUInt8(size, entry + 1);
    head.writeUInt16LE(1, entry + 4);
    head.writeUInt16LE(32, entry + 6);
    head.writeUInt32LE(image.length, entry + 8);
    head.writeUInt32LE(offset, entry + 12);
    offset += image.length;
  }
  return Buffer.concat([head, ...images]);
}

async function macIcon(draw: Draw): Promise<Buffer> {
  const chunk = (type: string, content: Buffer) => {
    const head = Buffer.alloc(8);
    head.write(type, 'latin1');
    head.writeUInt32BE(content.length + 8, 4);
    return Buffer.concat([head, content]);
  };
  const images = await Promise.all(
    MAC_TYPES.map(async ([type, size]) => chunk(type, await draw(size))),
  );
  return chunk('icns', Buffer.concat(images));
}

const executablePath = findChromium();
if (executablePath === null) throw new Error('No Chromium was found to draw with.');
const browser = await chromium.launch({ executablePath, args: chromiumArgs });
const drawing = readFileSync(join(resources, 'icon.svg'), 'utf8');
try {
  await drawAll(async (size) => {
    const page = await browser.newPage({ viewport: { width: size, height: size } });
    await page.setContent(
      `<style>html,body{margin:0}svg{display:block;width:100vw}</style>${drawing}`,
    );
    const image = await page.screenshot({ omitBackground: true });
    await page.close();
    return image;
  });
} finally {
  await browser.close();
}
